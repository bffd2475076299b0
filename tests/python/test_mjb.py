"""MuJoCo's binary models (.mjb): read and written, damaged ones refused."""

import pathlib
import struct

import corten
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parent.parent.parent
SHARED = ROOT.parent / "shared" / "models"
MODELS = sorted([*(ROOT / "models").glob("*.xml"), *(ROOT / "tests" / "models").rglob("*.xml"), *SHARED.rglob("*.xml")])


def test_there_and_back(model):
    again = corten.Model.from_bytes(model.to_mjb())
    assert again.to_bytes() == model.to_bytes()


def test_files(model, tmp_path):
    model.save(tmp_path / "m.mjb")
    assert (tmp_path / "m.mjb").read_bytes() == model.to_mjb()
    assert corten.Model.from_xml_path(tmp_path / "m.mjb").to_bytes() == model.to_bytes()


def test_other_versions_are_refused_by_name(model):
    old = bytearray(model.to_mjb())
    old[12:16] = struct.pack("<i", 3002001)
    with pytest.raises(corten.Error, match=r"written by MuJoCo 3\.2\.1, those of 4\.0\.0 are read here"):
        corten.Model.from_bytes(bytes(old))


def test_damage_is_found(model):
    good = model.to_mjb()
    for size in (4, 19, 100, 900, len(good) - 1):
        with pytest.raises(corten.Error):
            corten.Model.from_bytes(good[:size])
    with pytest.raises(corten.Error, match="longer than its sizes say"):
        corten.Model.from_bytes(good + b"\0")
    rng = np.random.default_rng(0)
    for _ in range(200):  # any answer but a crash
        bad = bytearray(good)
        for at in rng.integers(4, len(bad), 4):
            bad[at] = rng.integers(256)
        try:
            corten.Model.from_bytes(bytes(bad))
        except corten.Error:
            pass
    sizes = bytearray(good)
    sizes[20:28] = struct.pack("<q", 1 << 40)
    with pytest.raises(corten.Error, match="sizes are impossible"):
        corten.Model.from_bytes(bytes(sizes))


def test_what_the_engine_refuses_is_refused():
    model = corten.Model.from_xml_string("<mujoco/>")
    model.opt.enableflags |= 64  # ipc
    for content in (model.to_mjb(), model.to_bytes()):
        with pytest.raises(corten.Error, match="ipc needs the integrator"):
            corten.Model.from_bytes(content)


def compare(ours, theirs):
    own = {"plugin_prm", "plugin_kind"}  # no field of MuJoCo's
    for name in set(type(ours)._arrays) - own:
        mine, other = getattr(ours, name), getattr(theirs, name)
        if isinstance(mine, np.ndarray):
            assert np.array_equal(mine, np.asarray(other), equal_nan=mine.dtype.kind == "f"), name
    assert ours.opt.timestep == theirs.opt.timestep and ours.stat.extent == theirs.stat.extent
    assert ours.names == bytes(theirs.names)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_interchange_with_mujoco(path, tmp_path):
    """Theirs are equal here in every field, and ours load there."""
    mujoco = pytest.importorskip("mujoco", reason="the mujoco wheel is not installed")
    if corten._core.real != "d":
        pytest.skip("the mujoco module is of double precision")
    try:
        theirs, ours = mujoco.MjModel.from_xml_path(str(path)), corten.Model.from_xml_path(path)
    except (ValueError, corten.Error) as error:
        pytest.skip(f"does not load on both sides: {error}")
    mujoco.mj_saveModel(theirs, str(tmp_path / "theirs.mjb"))
    ours.save(tmp_path / "ours.mjb")
    compare(corten.Model.from_xml_path(tmp_path / "theirs.mjb"), theirs)
    loaded = mujoco.MjModel.from_binary_path(str(tmp_path / "ours.mjb"))
    compare(ours, loaded)
    mujoco.mj_step(loaded, mujoco.MjData(loaded))
