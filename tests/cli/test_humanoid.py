"""The built-in model: the same motion as in MuJoCo, where that is installed."""

import json

import pytest


def test_trajectory_matches_the_oracle(corten, humanoid):
    mujoco = pytest.importorskip("mujoco")
    if "float" in corten("version", "--build").stdout:
        pytest.skip("built with single precision")
    m = mujoco.MjModel.from_xml_path(str(humanoid))
    d = mujoco.MjData(m)
    for _ in range(1000):
        mujoco.mj_step(m, d)
    report = json.loads(corten("run", humanoid, "--steps", 1000, "--json").stdout)
    assert max(abs(a - b) for a, b in zip(report["qpos"], d.qpos, strict=True)) < 1e-9
    assert max(abs(a - b) for a, b in zip(report["qvel"], d.qvel, strict=True)) < 1e-9


def test_proportions_are_those_of_a_person(corten, humanoid):
    report = json.loads(corten("info", humanoid, "--json").stdout)
    assert 60 < report["mass"] < 85
    mass = {b["name"]: b["mass"] for b in report["bodies"]}
    for name in list(mass):
        if name.endswith("_left"):
            assert mass[name] == mass[name.replace("_left", "_right")]
