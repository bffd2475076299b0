"""The commands of the program: output, exit codes, streams."""

import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import time

import pytest

COMMANDS = ["run", "bench", "info", "view", "render", "plot", "check", "compile", "version", "completion"]
HINGE = """<mujoco model="pendulum">
  <option timestep="0.01"><flag contact="disable"/></option>
  <worldbody>
    <body name="rod"><joint name="pin" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05"/></body>
  </worldbody>
</mujoco>"""
# torque on nearly no inertia: the first step is bad
DIVERGING = """<mujoco model="diverging">
  <option timestep="1"><flag contact="disable"/></option>
  <worldbody>
    <body><joint name="pin" stiffness="-1e12" springref="1" axis="0 1 0"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>"""


def run_on_terminal(command, env=None, interrupt_after=None):
    """Run a command with stdout and stderr on a terminal each: (exit code, stdout, stderr)."""
    pairs = [pty.openpty(), pty.openpty()]
    environment = {**os.environ, "TERM": "xterm", "LC_ALL": "C", "NO_COLOR": "", **(env or {})}
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pairs[0][1], stderr=pairs[1][1],
                               env=environment)
    for _, slave in pairs:
        os.close(slave)
    text = {pairs[0][0]: b"", pairs[1][0]: b""}
    open_ends, start = set(text), time.monotonic()
    while open_ends:
        ready, _, _ = select.select(list(open_ends), [], [], 0.05)
        for end in ready:
            try:
                chunk = os.read(end, 65536)
            except OSError:  # Linux says EIO when the other side is gone
                chunk = b""
            text[end] += chunk
            if not chunk:
                open_ends.discard(end)
        if interrupt_after and time.monotonic() - start > interrupt_after:
            process.send_signal(signal.SIGINT)
            interrupt_after = None
        assert time.monotonic() - start < 60
    code = process.wait()
    for end in text:
        os.close(end)
    return code, *(text[master].decode() for master, _ in pairs)


# ---- help and misuse -------------------------------------------------------------------------------------


def test_help_lists_every_command(corten):
    result = corten("--help")
    assert result.returncode == 0 and result.stderr == ""
    for name in COMMANDS:
        assert re.search(rf"^  {name} ", result.stdout, re.M)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_is_the_same_in_all_forms(corten, command):
    forms = [corten("help", command), corten(command, "--help"), corten(command, "-h")]
    assert [f.returncode for f in forms] == [0, 0, 0]
    assert forms[0].stdout == forms[1].stdout == forms[2].stdout
    assert f"usage: corten {command}" in forms[0].stdout and "--help" in forms[0].stdout


@pytest.mark.parametrize("line, hint", [
    (["rnu"], "'run'"),
    (["infoo"], "'info'"),
    (["run", "--stpes", "3"], "'--steps'"),
    (["info", "--jsno"], "'--json'"),
    (["run", "--tim=3"], "'--time'"),
    (["help", "chekc"], "'check'"),
])
def test_misspelt_words_get_a_hint(corten, line, hint):
    result = corten(*line)
    assert result.returncode == 2 and result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert f"did you mean {hint}?" in result.stderr


@pytest.mark.parametrize("line", [
    [],
    ["xyzzy"],
    ["run", "--xyzzy"],
    ["run", "-x"],
    ["run", "--steps"],
    ["run", "--steps", "0"],
    ["run", "--steps", "-5"],
    ["run", "--steps", "1.5"],
    ["run", "--steps", "99999999999999999999"],
    ["run", "--steps", ""],
    ["run", "--time", "abc"],
    ["run", "--time", "nan"],
    ["run", "--time", "inf"],
    ["run", "--time", "0"],
    ["run", "--time", "-1"],
    ["run", "--time", "1", "--steps", "1"],
    ["run", "--ctrl-noise", "-1"],
    ["run", "--quiet=yes"],
    ["run", "a.xml", "b.xml"],
    ["run", "--keyframe", "no-such"],
    ["run", "--keyframe", "0"],
    ["info", "--only", "gravity"],
    ["info", "--fields", "--only", "xyzzy"],
    ["info", "--fields", "--memory"],
    ["check"],
    ["version", "extra"],
])
def test_misuse_is_exit_code_2(corten, line):
    result = corten(*line)
    assert result.returncode == 2
    assert result.stdout == "" and result.stderr != ""


def test_arguments_after_two_dashes_are_files(corten):
    result = corten("check", "--", "--json")
    assert result.returncode == 1 and "--json" in result.stderr


def test_version(corten):
    assert re.fullmatch(r"corten \d+\.\d+\.\d+\n", corten("version").stdout)
    assert corten("--version").stdout == corten("-V").stdout == corten("version").stdout
    build = corten("version", "--build").stdout
    assert build.count("\n") == 1 and ("double" in build or "float" in build)


# ---- run -------------------------------------------------------------------------------------------------


def test_run_without_model_simulates_the_humanoid_for_ten_seconds(corten):
    result = corten("run")
    assert result.returncode == 0 and result.stderr == ""
    assert "humanoid" in result.stdout and re.search(r"simulated +10 s in 2,000 steps of 5 ms", result.stdout)
    for word in ["wall time", "steps/s", "real time", "contacts", "constraints", "energy", "memory", "kinematics"]:
        assert word in result.stdout
    assert result.stdout.isascii() and "\033" not in result.stdout


def test_run_uses_the_characters_of_the_locale(corten):
    result = corten("run", env={"LC_ALL": "C.UTF-8"})
    assert "█" in result.stdout and "\033" not in result.stdout


def test_builtin_model_is_the_file(corten, humanoid):
    builtin = json.loads(corten("run", "--steps", 200, "--json").stdout)
    file = json.loads(corten("run", humanoid, "--steps", 200, "--json").stdout)
    assert builtin["qpos"] == file["qpos"] and builtin["model"] == file["model"]


def test_run_json_has_the_numbers(corten, model):
    report = json.loads(corten("run", model(HINGE), "--time", 0.5, "--json").stdout)
    assert report["steps"] == 50 and report["time"] == pytest.approx(0.5)
    assert report["status"] == "ok" and report["interrupted"] is False and report["warnings"] == []
    assert report["steps_per_second"] == pytest.approx(50 / report["wall_time"])
    assert report["model"]["name"] == "pendulum" and report["model"]["nv"] == 1
    assert report["stages"]["step"]["calls"] == 50
    assert len(report["qpos"]) == len(report["qvel"]) == 1


def test_check_compares_derivatives(corten, model, humanoid):
    out = corten("check", "--derivatives", humanoid).stdout
    lines = [line.split() for line in out.splitlines() if line.strip().startswith("eps 1e-")]
    assert len(lines) == 6 and min(float(line[2]) for line in lines) < 1e-3
    assert "closed forms against differences of steps" in out and " by " in out
    assert min(float(line[2]) for line in lines) < 1e-7
    text = """<mujoco><option integrator="RK4"/><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>"""
    assert "because of the integrator" in corten("check", "--derivatives", model(text)).stdout


def test_check_draws_the_errors_of_derivatives(corten, humanoid, tmp_path):
    picture = tmp_path / "errors.png"
    done = corten("check", "--derivatives", humanoid, "--png", picture)
    if "built without cairo" in done.stderr:
        pytest.skip("no cairo")
    assert done.returncode == 0 and picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    for args in (["--png", picture, humanoid], ["--derivatives", "--png", tmp_path / "x.txt", humanoid], ["--derivatives", "--png", picture, humanoid, humanoid]):
        wrong = corten("check", *args)
        assert wrong.returncode != 0 and "--png" in wrong.stderr


def test_run_tells_who_is_awake(corten, model, tmp_path):
    path = model("""<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="1 1 .1"/>
      <body pos="0 0 .2"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>""")
    report = json.loads(corten("run", path, "--time", 2, "--json").stdout)
    assert report["awake"]["trees"] == 1 and report["awake"]["min"] == report["awake"]["end"] == 0
    assert 0 < report["awake"]["mean"] < 1
    assert "of 1 tree on average, none at the end" in corten("run", path, "--time", 2).stdout
    table = tmp_path / "run.csv"
    corten("run", path, "--time", 2, "--record", table)
    rows = table.read_text().splitlines()
    assert rows[0].split(",")[-1].startswith("awake.trees")
    assert [float(row.split(",")[-1]) for row in rows[-3:]] == [0, 0, 0]
    worlds = json.loads(corten("run", path, "--time", 2, "--worlds", 3, "--json").stdout)
    assert worlds["trees_awake"]["max"] == 1 and worlds["trees_awake"]["mean"] < 1


def test_the_humanoid_falls_and_comes_to_rest(corten):
    report = json.loads(corten("run", "--steps", 6000, "--json").stdout)
    assert 0.05 < report["qpos"][2] < 0.3
    assert max(map(abs, report["qvel"])) < 1e-2
    assert abs(report["energy_end"]["kinetic"]) < 1e-3


def test_noise_depends_on_the_seed_only(corten):
    runs = [json.loads(corten("run", "--steps", 100, "--ctrl-noise", 1, "--seed", seed, "--json").stdout)
            for seed in (1, 1, 2)]
    assert runs[0]["qpos"] == runs[1]["qpos"] != runs[2]["qpos"]


def test_quiet_prints_one_line(corten):
    result = corten("run", "--quiet")
    assert result.returncode == 0 and result.stderr == "" and result.stdout.count("\n") == 1


def test_divergence_is_reported_and_fails(corten, model):
    path = model(DIVERGING)
    result = corten("run", path)
    assert result.returncode == 1
    assert "diverged" in result.stdout
    assert result.stderr.count("\n") == 1 and "simulation diverged after" in result.stderr
    result = corten("run", path, "--json")
    report = json.loads(result.stdout)
    assert result.returncode == 1 and report["status"] == "simulation diverged"
    assert report["energy_end"] == {"potential": None, "kinetic": None}
    assert report["warnings"][0]["count"] == 1


# ---- info and check --------------------------------------------------------------------------------------


def test_info_shows_sizes_options_and_bodies(corten, humanoid):
    result = corten("info", humanoid)
    assert result.returncode == 0 and result.stderr == ""
    assert re.search(r"\bnv +28\b", result.stdout)
    assert re.search(r"timestep +0.005", result.stdout) and re.search(r"integrator +implicitfast", result.stdout)
    assert "impratio" not in result.stdout  # at its default
    assert re.search(r"`- shin_left +3.4 kg   knee_left hinge", result.stdout)
    assert not re.search(r"[ \t]$", result.stdout, re.M)


def test_info_cuts_long_trees(corten, model):
    bodies = "".join(f'<body name="b{i}"><joint/><geom size="0.1"/></body>' for i in range(500))
    text = f'<mujoco><option><flag contact="disable"/></option><worldbody>{bodies}</worldbody></mujoco>'
    path = model(text)
    short, full = corten("info", path).stdout, corten("info", path, "--all").stdout
    assert "and 460 more; --all lists them" in short and "b499" not in short
    assert "b499" in full and "more;" not in full


def test_info_memory_adds_up(corten, humanoid):
    text = corten("info", humanoid, "--memory").stdout
    assert "memory of the model" in text and "memory of the data" in text
    report = json.loads(corten("info", humanoid, "--json").stdout)["memory"]
    assert sum(report["model_arrays"].values()) <= report["model"]
    assert sum(report["data_arrays"].values()) <= report["data"]


def test_info_fields_explains_every_field(corten, humanoid):
    result = corten("info", humanoid, "--fields")
    assert result.returncode == 0 and result.stderr == ""
    assert re.search(r"^    body_pos +real +nbody x 3 +17 x 3 +position of the body frame", result.stdout, re.M)
    assert re.search(r"^    qpos +real +nq +30 +configuration", result.stdout, re.M)
    assert re.search(r"^    efc_J +real +nJ +varies +Jacobian", result.stdout, re.M)
    assert not re.search(r"[ \t]$", result.stdout, re.M)


def test_info_fields_needs_no_model(corten):
    text = corten("info", "--fields").stdout
    assert re.search(r"^    body_pos +real +nbody x 3 +position of the body frame", text, re.M)
    assert "humanoid" not in text


def test_info_fields_can_be_searched(corten):
    lines = [line for line in corten("info", "--fields", "--only", "gravity").stdout.splitlines() if line.startswith("    ")]
    assert 3 < len(lines) < 20 and all("gravity" in line for line in lines)
    assert any(line.split()[0] == "opt.gravity" for line in lines)
    assert any("gravity" not in line.split()[0] for line in lines)  # the description counts too


def test_info_fields_json(corten, humanoid):
    plain = json.loads(corten("info", "--fields", "--json").stdout)
    assert set(plain) == {"model", "data"} and len(plain["model"]) > 600 and len(plain["data"]) > 150
    for field in (*plain["model"], *plain["data"]):
        assert len(field["description"]) >= 4 and "size" not in field, field
    sized = json.loads(corten("info", humanoid, "--fields", "--json").stdout)
    fields = {field["name"]: field for field in sized["model"]}
    assert fields["body_pos"]["shape"] == ["nbody", "3"] and fields["body_pos"]["size"] == [17, 3]
    assert fields["nq"]["shape"] == [] and fields["opt.gravity"]["shape"] == ["3"]
    report = json.loads(corten("info", humanoid, "--json").stdout)
    assert fields["qpos0"]["size"] == [report["sizes"]["nq"]]


def test_info_json_has_everything(corten, humanoid):
    report = json.loads(corten("info", humanoid, "--json").stdout)
    assert report["sizes"]["nv"] == 28 and report["sizes"]["nu"] == 19
    assert report["options"]["timestep"] == pytest.approx(0.005) and report["options"]["integrator"] == "implicitfast"
    assert report["options"]["gravity"] == pytest.approx([0, 0, -9.81])
    assert report["names"]["body"][:2] == ["world", "pelvis"]
    assert report["mass"] == pytest.approx(72.1)
    assert len(report["bodies"]) == report["sizes"]["nbody"]


def test_names_survive_json(corten, model):
    name = 'quote &quot; back\\ tab umlaut ü 日本 😀'
    text = f'<mujoco><worldbody><body name="{name}"/></worldbody></mujoco>'
    report = json.loads(corten("info", model(text), "--json").stdout)
    assert report["names"]["body"][1] == name.replace("&quot;", '"')


def test_empty_model(corten, model):
    path = model("<mujoco/>")
    for line in (["run", path, "--steps", 3], ["info", path, "--memory"], ["info", path, "--fields"], ["check", path]):
        result = corten(*line)
        assert result.returncode == 0 and result.stderr == "", result.stderr
    assert json.loads(corten("run", path, "--steps", 3, "--json").stdout)["qpos"] == []
    assert json.loads(corten("info", path, "--json").stdout)["sizes"]["nq"] == 0


def test_check_has_a_line_for_each_file(corten, model, humanoid):
    bad = model("<mujoco><worldbody><bdoy/></worldbody></mujoco>", "bad.xml")
    result = corten("check", humanoid, bad, humanoid)
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert len(lines) == 3 and all(line.startswith(f"ok  {humanoid}  (16 bodies, 28 dofs, ") for line in lines[:2])
    assert lines[2].startswith("3 models: 2 ok, 1 failed, 0 remarks, ")
    assert result.stderr.startswith(f"{bad}:1:20: ") and result.stderr.count("\n") == 1
    assert corten("check", humanoid).returncode == 0


def test_check_json(corten, model, humanoid):
    bad = model("<mujoco>\n  <bdoy/>\n</mujoco>", "bad.xml")
    result = corten("check", "--json", humanoid, bad)
    good, wrong = json.loads(result.stdout)
    assert result.returncode == 1 and result.stderr == ""
    assert good["ok"] and good["nv"] == 28
    assert not wrong["ok"] and (wrong["line"], wrong["column"]) == (2, 3) and wrong["message"]


def test_compile_in_every_direction(corten, model, tmp_path):
    path = model('<mujoco><worldbody><body><joint range="-30 60"/><geom size="0.1"/></body></worldbody></mujoco>')
    text, binary = tmp_path / "out.xml", tmp_path / "out.ctb"
    assert corten("compile", path, text).returncode == 0 and 'range="-30 60"' in text.read_text()
    assert corten("compile", text, binary).returncode == 0
    assert corten("compile", binary, tmp_path / "again.ctb").returncode == 0
    assert (tmp_path / "again.ctb").read_bytes() == binary.read_bytes()
    sizes = [json.loads(corten("info", form, "--json").stdout)["sizes"] for form in (path, text, binary)]
    assert sizes[0] == sizes[1] == sizes[2]
    back = corten("compile", binary, tmp_path / "back.xml")
    assert back.returncode == 0 and back.stderr == ""
    # every number is said as it was compiled
    assert all(word in (tmp_path / "back.xml").read_text() for word in ('angle="radian"', "<inertial", 'range="-0.5235987'))
    assert corten("compile", tmp_path / "back.xml", tmp_path / "back.ctb").returncode == 0
    assert json.loads(corten("info", tmp_path / "back.ctb", "--json").stdout)["sizes"] == sizes[0]


def test_compile_writes_what_text_cannot_hold_beside_it(corten, model, tmp_path):
    path = model("""<mujoco><asset><texture name="a b" type="2d" builtin="checker" width="4" height="4" mark="random"
      markrgb="1 0 0" random="0.4" rgb1="1 1 1" rgb2="0 0 0"/><texture type="skybox" builtin="gradient" width="8" rgb1="0.123 0.456 0.789" height="8"/>
      <material name="m" texture="a b"/></asset><worldbody><geom size="1" material="m"/></worldbody></mujoco>""")
    corten("compile", path, tmp_path / "in.ctb")
    (tmp_path / "out").mkdir()
    assert corten("compile", tmp_path / "in.ctb", tmp_path / "out" / "robot.xml").returncode == 0
    assert corten("check", tmp_path / "out" / "robot.xml").returncode == 0
    assert all(file.name.startswith("robot") for file in (tmp_path / "out").iterdir())


def test_compile_says_what_it_cannot_do(corten, model, tmp_path):
    path = model("<mujoco/>")
    corten("compile", path, tmp_path / "out.ctb")
    assert corten("compile", tmp_path / "out.ctb", tmp_path / "no" / "folder.xml").returncode == 1
    (tmp_path / "cut.ctb").write_bytes((tmp_path / "out.ctb").read_bytes()[:100])
    assert corten("compile", tmp_path / "cut.ctb", tmp_path / "cut.xml").returncode == 1
    assert not (tmp_path / "cut.xml").exists()
    assert corten("compile", path, tmp_path / "out.txt").returncode == 2
    assert corten("compile", path, tmp_path / "no" / "folder.xml").returncode == 1


# ---- streams ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [["info", "--memory", "--all"], ["info", "--fields"], ["run", "--steps", "5"], ["--help"]])
def test_closed_stdout_fails_with_one_line(corten, line):
    command = 'exec "$0" "$@" >&-'
    result = subprocess.run(["sh", "-c", command, corten.path, *line], stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1 and "cannot write to standard output" in result.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("line", [["info", "--json"], ["version"]])
def test_full_stdout_fails_with_one_line(corten, line):
    with open("/dev/full", "w") as full:
        result = corten(*line, stdout=full)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1 and "No space left" in result.stderr


def test_reader_that_closes_its_pipe_is_no_drama(corten):
    read, write = os.pipe()
    os.close(read)
    result = corten("info", "--json", stdout=write)
    os.close(write)
    assert result.returncode == 1 and result.stderr == ""  # not -SIGPIPE


def test_all_streams_closed(corten):
    command = 'exec "$0" run --steps 5 <&- >&- 2>&-'
    assert subprocess.run(["sh", "-c", command, corten.path]).returncode == 1


def test_progress_bar_only_on_a_terminal(corten):
    line = [corten.path, "run", "--steps", "100000"]
    code, out, err = run_on_terminal(line)
    assert code == 0
    assert "%" in err and "steps/s" in err and err.endswith("\r\033[K")  # drawn, then erased
    assert "simulated" in out
    assert subprocess.run(line, capture_output=True).stderr == b""
    assert run_on_terminal([*line, "--quiet"])[2] == ""


def test_progress_bar_keeps_its_pace(corten):
    start = time.monotonic()
    _, _, err = run_on_terminal([corten.path, "run", "--steps", "200000"])
    drawn = err.count("\r") - 1
    assert 1 <= drawn <= 20 * (time.monotonic() - start) + 1


def test_colours_only_on_a_terminal_that_wants_them(corten):
    line = [corten.path, "run", "--steps", "10"]
    assert "\033[1m" in run_on_terminal(line)[1]
    assert "\033" not in run_on_terminal(line, {"NO_COLOR": "1"})[1]
    assert "\033" not in run_on_terminal(line, {"TERM": "dumb"})[1]


def test_interrupt_prints_the_report_so_far(corten):
    code, out, err = run_on_terminal([corten.path, "run", "--time", "1e9"], interrupt_after=0.5)
    assert code == 130
    assert "stopped early" in out and err.endswith("\r\033[K")


def test_interrupted_json_is_whole(corten):
    process = subprocess.Popen([corten.path, "run", "--time", "1e9", "--json"], stdout=subprocess.PIPE, text=True)
    time.sleep(0.4)
    process.send_signal(signal.SIGINT)
    report = json.loads(process.communicate(timeout=20)[0])
    assert process.returncode == 130 and report["interrupted"] is True and report["steps"] > 0


def test_compile_turns_a_robot_into_mjcf_and_names_what_is_lost(corten, tmp_path):
    robot = pathlib.Path(__file__).resolve().parents[1] / "models" / "urdf" / "mimic_gripper.urdf"
    result = corten("compile", robot, tmp_path / "robot.xml")
    assert result.returncode == 0
    assert "mimic_gripper.urdf:31:3: <gazebo>" in result.stderr
    assert (tmp_path / "robot.xml").read_text().startswith("<mujoco")
    assert corten("check", tmp_path / "robot.xml", robot).returncode == 0


def test_options_say_how_urdf_is_read(corten, tmp_path):
    folder = pathlib.Path(__file__).resolve().parents[1] / "models" / "urdf"

    def sizes(name, *options):
        return json.loads(corten("info", str(folder / name), "--json", *options).stdout)["sizes"]

    assert sizes("mimic_gripper.urdf")["nu"] == 0
    assert sizes("mimic_gripper.urdf", "--actuators")["nu"] == 1
    plain, fused = sizes("two_link_arm.urdf"), sizes("two_link_arm.urdf", "--as-mujoco")
    assert fused["nbody"] < plain["nbody"]
    assert sizes("two_link_arm.urdf", "--floating-base")["nv"] == plain["nv"] + 6
    # reversed limits are MuJoCo's business
    assert corten("check", str(folder / "mesh_bracket.urdf")).returncode == 1
    assert corten("check", "--as-mujoco", str(folder / "mesh_bracket.urdf")).returncode == 0
    robot = tmp_path / "robot.urdf"
    robot.write_text('<robot name="r"><link name="a"/><link name="b"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="9" ixy="0" '
                     'ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="package://any/box.dae"/></geometry></visual></link>'
                     '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>')
    found = ["--packages", str(folder / "packages")]
    assert "package://any/box.dae" in corten("check", str(robot), "--balance-inertia").stderr
    assert "it gets 9 4.5" in corten("check", str(robot), *found).stderr
    assert "balance_inertia" in corten("check", str(robot), *found, "--strict-inertia").stderr
    assert corten("check", str(robot), *found, "--balance-inertia").returncode == 0
    out = tmp_path / "robot.xml"
    assert corten("compile", str(robot), str(out), *found, "--balance-inertia", "--total-mass", "5").returncode == 0
    assert json.loads(corten("info", str(out), "--json").stdout)["sizes"]["nmesh"] == 1
    assert corten("run", str(robot), "--time", "0.01", *found, "--balance-inertia").returncode == 0
    assert corten("run", str(robot), "--bound-mass", "-1").returncode == 2
