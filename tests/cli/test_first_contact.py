"""Standard input, the manual page, completion, pictures that overwrite nothing, and times that start late."""

import json
import os
import shutil
import signal
import subprocess
import time

import pytest
from conftest import ROOT

PENDULUM = (
    "<mujoco model='swing'><option timestep='0.01'/><worldbody><body><joint axis='0 1 0'/>"
    "<geom type='capsule' size='.05' fromto='0 0 0 1 0 0'/></body></worldbody></mujoco>"
)
LATE = PENDULUM.replace("</mujoco>", "<keyframe><key time='5' qpos='1'/></keyframe></mujoco>")


# ---- standard input

def test_every_command_reads_standard_input(corten, tmp_path):
    report = json.loads(corten("run", "-", "--steps", "5", "--json", input=PENDULUM).stdout)
    assert report["steps"] == 5
    assert "swing" in corten("info", "-", input=PENDULUM).stdout
    assert corten("check", "-", input=PENDULUM).stdout.startswith("ok  <stdin>")
    assert corten("bench", "-", "--worlds", "2", "--steps", "2", "--backend", "cpu", input=PENDULUM).returncode == 0
    binary, text = tmp_path / "a.ctb", tmp_path / "a.xml"
    assert corten("compile", "-", binary, input=PENDULUM).returncode == 0
    with binary.open("rb") as file:
        assert corten("compile", "-", text, stdin=file).returncode == 0
    assert "swing" in text.read_text()


def test_bad_standard_input_says_where(corten):
    result = corten("check", "-", input="<mujoco>\n<wrldbody/></mujoco>")
    assert result.returncode == 1
    assert result.stderr == "<stdin>:2:1: unknown element <wrldbody> in <mujoco>; did you mean <worldbody>?\n"
    assert corten("run", "-", stdin=subprocess.DEVNULL).stderr.startswith("<stdin>: ")


def test_files_beside_standard_input(corten, tmp_path):
    (tmp_path / "part.xml").write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    result = corten("check", "-", input="<mujoco><include file='part.xml'/></mujoco>", cwd=tmp_path)
    assert result.returncode == 0, result.stderr


# ---- manual and completion

def test_the_manual_is_current(corten):
    manual = corten("help", "--man").stdout
    assert manual == (ROOT / "docs" / "man" / "corten.1").read_text(), "run: corten help --man > docs/man/corten.1"


@pytest.mark.skipif(not shutil.which("man"), reason="needs man")
def test_the_manual_can_be_read(corten):
    result = subprocess.run(
        ["man", "--warnings", "-l", ROOT / "docs" / "man" / "corten.1"],
        capture_output=True, text=True, env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert result.returncode == 0 and result.stderr == ""
    for word in ("corten run", "--save-state FILE", "130"):
        assert word in result.stdout


def complete(script, line):
    """What bash offers for the last word of a line."""
    words = line.split(" ")
    code = f"""
source {script}
COMP_WORDS=({" ".join(f"'{word}'" for word in words)})
COMP_CWORD={len(words) - 1}
_corten
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    return subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_completion_of_bash(corten, tmp_path):
    script = tmp_path / "corten.bash"
    script.write_text(corten("completion", "bash").stdout)
    assert complete(script, "corten ru") == ["run"]
    assert complete(script, "corten run --s") == ["--steps", "--seed", "--state", "--sensor-noise", "--save-state", "--strict-inertia"]
    assert complete(script, "corten completion z") == ["zsh"]
    assert complete(script, "corten help ch") == ["check"]
    (tmp_path / "robot.xml").touch()
    assert complete(script, f"corten info {tmp_path}/rob") == [f"{tmp_path}/robot.xml"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_of_other_shells_names_every_option(corten, shell):
    text = corten("completion", shell).stdout
    options = [line.split()[0][2:] for line in corten("run", "--help").stdout.splitlines() if line.startswith("  --")]
    for name in options:
        assert name == "help" or f"--{name}" in text or f"-l {name} " in text


@pytest.mark.skipif(not shutil.which("fish"), reason="needs fish")
def test_completion_of_fish(corten, tmp_path):
    script = tmp_path / "corten.fish"
    script.write_text(corten("completion", "fish").stdout)

    def offered(line):
        code = f"source {script}; complete -C '{line}'"
        result = subprocess.run(["fish", "--no-config", "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=60)
        assert result.returncode == 0 and result.stderr == ""
        return [choice.split("\t")[0] for choice in result.stdout.splitlines()]

    assert offered("corten ru") == ["run"]
    assert offered("corten run --s") == ["--save-state", "--seed", "--sensor-noise", "--state", "--steps"]
    assert "--worlds" in offered("corten bench --") and "--record" not in offered("corten bench --")
    assert offered("corten completion z") == ["zsh"]
    assert offered("corten help ch") == ["check"]
    assert offered("corten help --m") == ["--man"]
    (tmp_path / "robot.xml").touch()
    assert offered("corten info rob") == ["robot.xml"]
    assert offered("corten run --state rob") == ["robot.xml"]


# Completes the line that was typed, as Tab does, writes it to a file and ends.
ZSHRC = """
fpath=({folder} $fpath)
autoload -Uz compinit
compinit -u -d {folder}/dump
report() {{
  zle complete-word
  print -r -- "$BUFFER" > {folder}/line
  exit
}}
zle -N report
bindkey '^T' report
print ready
"""


@pytest.mark.skipif(not shutil.which("zsh"), reason="needs zsh")
def test_completion_of_zsh(corten, tmp_path):
    (tmp_path / "_corten").write_text(corten("completion", "zsh").stdout)
    (tmp_path / ".zshrc").write_text(ZSHRC.format(folder=tmp_path))
    (tmp_path / "robot.xml").touch()

    def completed(line):
        """What a terminal shows after Tab."""
        (tmp_path / "line").unlink(missing_ok=True)
        outer, inner = os.openpty()
        env = {**os.environ, "ZDOTDIR": str(tmp_path), "TERM": "dumb", "LC_ALL": "C"}
        shell = subprocess.Popen(["zsh", "-i"], stdin=inner, stdout=inner, stderr=inner, env=env, cwd=tmp_path, start_new_session=True)
        os.close(inner)
        shown = b""
        deadline = time.monotonic() + 60
        while b"ready" not in shown and time.monotonic() < deadline:
            shown += os.read(outer, 4096)
        os.write(outer, line.encode() + b"\x14")
        try:
            while time.monotonic() < deadline:
                shown += os.read(outer, 4096)
        except OSError:  # the shell has ended
            pass
        os.close(outer)
        shell.wait(60)
        assert b"rror" not in shown and b"not found" not in shown, shown
        return (tmp_path / "line").read_text().rstrip("\n")

    assert completed("corten ru") == "corten run "
    assert completed("corten run --sav") == "corten run --save-state="
    assert completed("corten run --se") == "corten run --se"  # --seed, --sensor-noise
    assert completed("corten run --stat") == "corten run --state="
    assert completed("corten bench --rec") == "corten bench --rec"
    assert completed("corten completion z").rstrip() == "corten completion zsh"
    assert completed("corten help ch").rstrip() == "corten help check"
    assert completed("corten help --m").rstrip() == "corten help --man"
    assert completed("corten info rob").rstrip() == "corten info robot.xml"
    assert completed("corten run --state=rob").rstrip() == "corten run --state=robot.xml"


def test_unknown_shells(corten):
    result = corten("completion", "tcsh")
    assert result.returncode == 2 and "bash, zsh and fish" in result.stderr


# ---- pictures

@pytest.fixture
def recording(corten, tmp_path):
    path = tmp_path / "run.csv"
    assert corten("run", "-", "--steps", "20", "--record", path, "--quiet", input=PENDULUM).returncode == 0
    return path


def draws(corten, recording, out):
    result = corten("plot", recording, "--out", out)
    if "cairo" in result.stderr:
        pytest.skip("built without cairo")
    return result


def test_pictures_are_png(corten, recording, tmp_path):
    result = draws(corten, recording, tmp_path / "a.jpg")
    assert result.returncode == 2 and "must end with .png" in result.stderr
    assert not (tmp_path / "a.jpg").exists()


def test_pictures_overwrite_pictures_only(corten, recording, tmp_path):
    other = tmp_path / "notes.png"
    other.write_text("not a picture")
    result = draws(corten, recording, other)
    assert result.returncode == 2 and "remove it" in result.stderr
    assert other.read_text() == "not a picture"
    picture = tmp_path / "b.png"
    for _ in range(2):
        assert draws(corten, recording, picture).returncode == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    # run --plot is as careful, and before it simulates
    result = corten("run", "-", "--time", "1e9", "--plot", other, input=PENDULUM)
    assert result.returncode == 2 and result.stdout == ""


# ---- times

def test_time_counts_from_the_start_state(corten, tmp_path):
    model = tmp_path / "late.xml"
    model.write_text(LATE)
    state = tmp_path / "late.cts"
    options = ["run", model, "--time", "2", "--json"]
    first = json.loads(corten(*options, "--keyframe", "0", "--save-state", state).stdout)
    assert first["start_time"] == 5 and first["time"] == pytest.approx(2) and first["steps"] == 200
    second = json.loads(corten(*options, "--state", state).stdout)
    assert second["start_time"] == pytest.approx(7) and second["time"] == pytest.approx(2)
    assert second["real_time_factor"] == pytest.approx(second["time"] / second["wall_time"])
    assert "2 s in" in corten("run", model, "--time", "2", "--state", state, "--quiet").stdout


# ---- Ctrl-C

@pytest.mark.parametrize("line", [["run", "--worlds", "4", "--time", "1e9"], ["bench", "--steps", "100000000", "--worlds", "4"]])
def test_interrupted_worlds_end_with_130(corten, line):
    process = subprocess.Popen([corten.path, *line, "--json"], stdout=subprocess.PIPE, text=True)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    report = json.loads(process.communicate(timeout=20)[0])
    assert process.returncode == 130 and report["interrupted"] is True
