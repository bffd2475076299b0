"""The script ./run and the package table behind it."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def bash(script, **env):
    command = ["bash", "-c", f'set -euo pipefail; source "{ROOT}/tools/packages.sh"; {script}']
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **env})


def folder_with(tmp_path, *commands):
    """A folder to be the whole PATH: only these commands exist."""
    for name in commands:
        os.symlink(shutil.which(name), tmp_path / name)
    return str(tmp_path)


def test_nothing_is_missing_where_the_program_was_built():
    result = bash('need_for_run; install_missing; echo "${#missing[@]}"')
    assert (result.returncode, result.stdout, result.stderr) == (0, "0\n", "")


def test_missing_commands_become_package_names(tmp_path):
    path = folder_with(tmp_path, "bash", "cc", "awk", "sed", "sort", "head")
    result = bash(f'PATH="{path}"; need_for_run; echo "${{missing[*]}}"')
    assert result.stdout == "ninja-build cmake\n"


def test_without_a_package_manager_the_script_says_what_to_install(tmp_path):
    path = folder_with(tmp_path, "bash")
    result = bash(f'PATH="{path}"; missing=(one two); install_missing')
    assert result.returncode == 1 and result.stdout == ""
    assert "missing: one two" in result.stderr


def test_an_old_cmake_does_not_pass(tmp_path):
    path = folder_with(tmp_path, "bash", "sed", "sort", "head")
    fake = tmp_path / "cmake"
    fake.write_text("#!/bin/bash\necho cmake version 3.18.4\n")
    fake.chmod(0o755)
    assert bash(f'PATH="{path}"; has_cmake 3.25').returncode == 1
    assert bash(f'PATH="{path}"; has_cmake 3.9').returncode == 0


@pytest.mark.skipif(not shutil.which("cmake") or not shutil.which("ninja"), reason="needs CMake and Ninja")
def test_run_takes_a_model_from_the_current_folder(tmp_path):
    (tmp_path / "mine.xml").write_text("<mujoco model='mine'/>")
    result = subprocess.run([ROOT / "run", "mine.xml", "--steps", "3", "--json"], cwd=tmp_path, capture_output=True,
                            text=True)
    assert result.returncode == 0 and result.stderr == ""
    assert json.loads(result.stdout)["model"]["name"] == "mine"
