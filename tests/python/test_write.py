"""What is written reads back to the same model, as MJCF, .ctb and .mjb: every field, on every model at hand."""

import pathlib

import corten
import numpy as np
import pytest
from corten._fields import MODEL_FIELDS
from models import gymnasium_models

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = sorted((ROOT / "tests" / "models").rglob("*.xml")) + sorted((ROOT / "models").glob("*.xml"))
SHARED = ROOT.parent / "shared" / "models"
PUBLIC = sorted(SHARED.rglob("*.xml")) if SHARED.is_dir() else []

# A unit quaternion that is written and read again may be rounded once more.
TOLERANCE = 1e-15


def _lookup(owner, name):
    for part in name.split("."):
        owner = getattr(owner, "global_" if part == "global" else part, None)
    return owner


def differences(a, b):
    """{field: largest difference} of two models, relative to the largest number of the field; text must be equal."""
    found = {}
    for name in (field.name for field in MODEL_FIELDS):
        x, y = _lookup(a, name), _lookup(b, name)
        if isinstance(x, bytes):
            if x != y:
                found[name] = np.inf
            continue
        x, y = np.asarray(x), np.asarray(y)
        if x.shape != y.shape:
            found[name] = np.inf
        elif not np.array_equal(x, y, equal_nan=x.dtype.kind == "f"):
            gap = np.abs(x.astype(float) - y.astype(float)).max() / max(np.abs(x.astype(float)).max(), 1e-3)
            found[name] = gap
    return found


# Where files lie is another text from another folder.
PATHS = {"nbuffer", "npaths", "paths", "hfield_pathadr", "mesh_pathadr", "tex_pathadr", "tex_contenttypeadr"}


def check(path):
    try:
        spec = corten.Spec.from_xml_path(path)
        model = spec.compile()
    except corten.Error:
        pytest.skip("does not load")
    for content in (model.to_bytes(), model.to_mjb()):
        assert not differences(model, corten.Model.from_bytes(content))
    # a file beside the original
    text = spec.to_xml()
    beside = str(path.parent / "written.xml")
    again = corten.Spec.from_xml_path(beside, assets={beside: text.encode()})
    assert not {name: gap for name, gap in differences(model, again.compile()).items() if gap > TOLERANCE}
    # written again, it stays as it is
    assert again.to_xml() == text
    # text without a place
    moved = differences(model, corten.Spec.from_xml_string(spec.to_xml(folder="")).compile())
    assert not {name: gap for name, gap in moved.items() if gap > TOLERANCE and name not in PATHS}


@pytest.mark.parametrize("path", OWN, ids=lambda p: p.stem)
def test_own_model(path):
    check(path)


@pytest.mark.parametrize("path", PUBLIC, ids=lambda p: str(p.relative_to(SHARED)))
def test_public_model(path):
    check(path)


@pytest.mark.parametrize("path", gymnasium_models(), ids=lambda p: p.stem)
def test_gymnasium_model(path):
    check(path)


def again(spec):
    return corten.Spec.from_xml_string(spec.to_xml())


def same(spec):
    assert not differences(spec.compile(), again(spec).compile())
    return spec.to_xml()


def test_text_with_special_characters():
    spec = corten.Spec()
    spec.add("custom/text", name="t", data="a<b & \"c\"\n\td > 'e' é")
    spec.modelname = "<&>"
    assert again(spec).modelname == "<&>"
    same(spec)


def test_numbers_read_back_bit_by_bit():
    spec = corten.Spec()
    values = [0.1, 1 / 3, 1e-300, 5e-324, 1.7976931348623157e308, -0.0, 123456789.123456789, 2**53 + 2]
    spec.add("custom/numeric", name="n", data=values)
    read = np.asarray(again(spec).find(corten.ObjType.NUMERIC, "n").data)
    assert read.tobytes() == np.array(values).tobytes()
    assert '"0.1 0.3333333333333333 1e-300 5e-324 1.7976931348623157e+308 -0 ' in spec.to_xml()


def test_a_class_cannot_force_what_an_element_took_back():
    spec = corten.Spec.from_xml_string("""<mujoco><asset><material name="red"/></asset>
      <default><geom material="red" mass="2" user="1 2"/><default class="light"><geom mass="1"/></default></default>
      <worldbody><geom size="1"/><geom size="1" class="light"/></worldbody></mujoco>""")
    first, second = spec.geoms
    first.material = ""
    assert first.material is None
    text = same(spec)
    assert text.count('material="red"') == 1  # on the class below, which no longer inherits it from main


def test_order_inside_frames_is_kept():
    spec = corten.Spec.from_xml_string("""<mujoco><worldbody>
      <frame name="f" pos="1 0 0"><geom size="1" name="a"/><site name="s1"/></frame><geom size="1" name="b"/>
      <frame name="g"/><body name="x"><geom size="1"/></body>
      <frame pos="0 1 0"><frame euler="0 0 90"><body name="y"><geom size="1"/></body></frame></frame>
      <site name="s0"/></worldbody></mujoco>""")
    frame = spec.find(corten.ObjType.FRAME, "f")
    frame.add("geom", size=1, name="c")  # behind b in the list of the world
    text = same(spec)
    assert [g.name for g in again(spec).geoms[:3]] == ["a", "b", "c"]
    assert text.count('<frame name="f"') == 1 and '<frame name="g"/>' in text


def test_save_names_files_from_its_folder(tmp_path):
    source = ROOT / "tests" / "models" / "mjcf" / "attach_settings.xml"
    spec = corten.Spec.from_xml_path(source)
    (tmp_path / "deep").mkdir()
    spec.save(tmp_path / "deep" / "out.xml")
    moved = corten.Spec.from_xml_path(tmp_path / "deep" / "out.xml")
    off = differences(spec.compile(), moved.compile())
    assert not {name for name, gap in off.items() if gap > TOLERANCE and name not in PATHS}


def test_save_reports_what_cannot_be_written(tmp_path):
    with pytest.raises(corten.Error, match="cannot be written"):
        corten.Spec().save(tmp_path / "no" / "such" / "folder.xml")
