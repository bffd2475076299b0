"""Many worlds from the command line: corten bench, corten run --worlds."""

import json

import pytest

SLIDER = """<mujoco model="slider">
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .2"><freejoint/><geom size=".1"/></body>
    <body pos="1 0 1"><joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor joint="x" ctrlrange="-1 1"/></actuator>
  <keyframe><key name="fast" qvel="0 0 0 0 0 0 3"/></keyframe>
</mujoco>"""
BAD = """<mujoco><option timestep="1"/><worldbody><body><joint stiffness="-1e12" springref="1" axis="0 1 0"/>
<geom size=".1"/></body></worldbody></mujoco>"""


def report(corten, *args):
    result = corten("bench", "--json", *args)
    assert result.returncode == 0 and result.stderr == "", result.stderr
    return json.loads(result.stdout)


def test_bench_reports_speed_memory_and_constraints(corten, model):
    r = report(corten, model(SLIDER), "--worlds", 12, "--backend", "cpu", "--threads", 2, "--steps", 30)
    assert (r["worlds"], r["steps"], r["threads"], r["backend"]) == (12, 30, 2, "cpu")
    assert r["time"] == pytest.approx(0.3) and r["first_step"] > 0 and r["wall_time"] > 0
    assert r["steps_per_second"] == pytest.approx(12 * 30 / r["wall_time"])
    assert r["contacts"]["max"] == 1 and 0 < r["contacts"]["mean"] < 1  # the sphere falls for a while
    assert r["constraints"]["max"] == 4 and r["iterations"]["max"] >= 1
    assert 100 < r["bytes_per_world"] < 4000 and r["bytes"] > 12 * r["bytes_per_world"]
    assert r["worlds_with_warnings"] == 0 and r["warnings"] == []


def test_steps_of_a_call_need_not_divide_the_steps(corten, model):
    r = report(corten, model(SLIDER), "--worlds", 3, "--steps", 25, "--per-call", 10)
    assert r["steps"] == 25 and r["steps_per_call"] == 10


def test_bench_prints_a_table(corten, model):
    result = corten("bench", model(SLIDER), "--worlds", 4, "--threads", 1, "--backend", "cpu", "--steps", 5)
    assert result.returncode == 0 and result.stderr == ""
    for line in ("worlds        4 on 1 thread of the CPU", "first step    after", "speed", "memory", "iterations"):
        assert line in result.stdout, result.stdout


def test_stages_are_measured(corten, model):
    args = (model(SLIDER), "--worlds", 6, "--threads", 2, "--backend", "cpu", "--steps", 5, "--stages")
    r = report(corten, *args)
    stages = r["stages"]
    assert stages["step"]["calls"] == 6 * 20 and (r["lanes"], r["processors"], r["hertz"]) == (1, 2, 0)
    inside = [stages[k]["seconds"] for k in ("pos_kinematics", "pos_collision", "velocity", "constraint", "advance")]
    assert min(inside) > 0 and sum(inside) < stages["step"]["seconds"]
    result = corten("bench", *args)
    assert result.returncode == 0
    for line in ("time per step, by stage", "kinematics", "constraint", "other"):
        assert line in result.stdout, result.stdout
    assert "stages" not in report(corten, *args[:-1])


def test_worlds_that_diverge_are_counted(corten, model):
    r = report(corten, model(BAD), "--worlds", 5, "--steps", 4, "--backend", "cpu")
    assert r["worlds_with_warnings"] == 5 and r["status"] != "ok" and r["warnings"][0]["count"] >= 5


@pytest.mark.parametrize(
    "args, text",
    [(["--worlds", 0], "worlds"), (["--backend", "gpu"], "auto, cpu and cuda"), (["--steps", 0], "steps"),
     (["--threads", -1], "threads"), (["--per-call", 0], "per-call")],
)  # fmt: skip
def test_misuse(corten, model, args, text):
    result = corten("bench", model(SLIDER), *args)
    assert result.returncode == 2 and result.stdout == "" and text in result.stderr
    assert result.stderr.count("\n") == 1


def test_too_many_worlds(corten, model):
    result = corten("bench", model(SLIDER), "--worlds", 2**31 - 1, "--backend", "cpu")
    assert result.returncode == 1 and "there is room for" in result.stderr and result.stdout == ""


# ---- run --worlds ----


def test_run_takes_worlds(corten, model):
    result = corten("run", model(SLIDER), "--worlds", 7, "--time", 0.5, "--keyframe", "fast", "--json")
    r = json.loads(result.stdout)
    assert result.returncode == 0 and r["worlds"] == 7 and r["steps"] == 50 and r["ctrl_noise"] == 0
    line = corten("run", model(SLIDER), "--worlds", 7, "--steps", 5, "--quiet").stdout
    assert line.startswith("slider: 7 worlds, 0.05 s each") and line.count("\n") == 1


def test_files_are_for_one_world(corten, model, tmp_path):
    path = tmp_path / "x.csv"
    result = corten("run", model(SLIDER), "--worlds", 2, "--record", path)
    assert result.returncode == 2 and "one world" in result.stderr and not path.exists()
    assert corten("run", model(SLIDER), "--worlds", 1, "--steps", 3, "--record", path).returncode == 0
