"""Textures from files: single pictures, grids of cube sides, a file a side; against the oracle, pixel by pixel."""

import struct
import zlib

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
corten = pytest.importorskip("corten")

FIELDS = "tex_type tex_colorspace tex_height tex_width tex_nchannel tex_adr tex_data tex_pathadr tex_contenttypeadr".split()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(height, width, channels=3, kind=None, depth=8, extra=b""):
    """Random pixels; `kind` is PNG's own number, `extra` chunks before the pixels."""
    kind = {1: 0, 3: 2, 4: 6}[channels] if kind is None else kind
    numbers = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    rng = np.random.default_rng(height * width)
    most = 2 if kind == 3 else 256
    rows = rng.integers(0, most, (height, (width * numbers * depth + 7) // 8), dtype=np.uint8)
    palette = chunk(b"PLTE", bytes(range(40, 40 + 12))) if kind == 3 else b""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
    data = chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows)))
    return b"\x89PNG\r\n\x1a\n" + header + palette + extra + data + chunk(b"IEND", b"")


SRGB = chunk(b"sRGB", b"\0")
KINDS = {
    **{f"{kind}-{depth}.png": png(4, 4, kind=kind, depth=depth)
       for kind, depths in {0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [2, 8], 4: [8, 16], 6: [8, 16]}.items() for depth in depths},
    "transparent.png": png(4, 4, kind=3, extra=chunk(b"tRNS", b"\x00\x80")),
    "grey-transparent.png": png(4, 4, kind=0, extra=chunk(b"tRNS", b"\0\x10")),
    "gamma.png": png(4, 4, extra=chunk(b"gAMA", struct.pack(">I", 100000))),
    "srgb.png": png(4, 4, extra=SRGB),
}

ASSETS = {"grid.png": png(6, 8), "side.png": png(2, 2), "large.png": png(4, 4), "tall.png": png(4, 2), "rgba.png": png(2, 2, 4), "srgb.png": png(2, 2, extra=SRGB)}

GOOD = [
    'file="grid.png" gridsize="3 4" gridlayout=".U..LFRB.D.."',
    'file="grid.png" gridsize="3 4" gridlayout=".....F......" hflip="true"',
    'file="grid.png" gridsize="3 4" gridlayout=".....F......" vflip="true" rgb1="1 .5 .2"',
    'file="grid.png" gridsize="3 4"',
    'file="grid.png" type="2d" gridsize="3 4"',
    'file="side.png"',
    'file="side.png" content_type="image/png" colorspace="sRGB"',
    'file="rgba.png" type="2d" nchannel="4"',
    'fileright="side.png"',
    'fileup="side.png" fileback="side.png" hflip="true" rgb1="1 .5 .2"',
    'fileright="srgb.png" fileback="side.png"',
    'fileright="side.png" fileback="srgb.png"',
    'type="2d" builtin="flat" rgb1="0 0 0" width="40" height="20" mark="random" random=".05" markrgb="1 1 1"',
    'type="skybox" builtin="gradient" rgb1=".4 .6 .8" rgb2="0 0 0" width="32" height="32" mark="random" markrgb="1 1 1"',
]

BAD = {
    'file="grid.png"': "8 x 6 pixels",
    'file="grid.png" gridsize="3 4" gridlayout=".....F"': "gridlayout needs one letter",
    'file="grid.png" gridsize="3 4" gridlayout=".....X......"': "letters",
    'file="grid.png" gridsize="0 4"': "gridsize",
    'file="grid.png" gridsize="4 4"': "gridsize",
    'file="grid.png" gridsize="2 4"': "by gridsize",
    'fileright="side.png" fileleft="large.png"': "the sides before it",
    'fileright="tall.png"': "square",
    'fileright="side.png" type="2d"': "file or builtin",
    'fileright="side.png" nchannel="4"': "nchannel",
    'file="rgba.png" nchannel="4"': "nchannel",
    'file="side.png" embed="false"': "in memory",
    'file="side.png" content_type="image/jpeg"': "PNG",
    'file="nowhere.png"': "nowhere.png",
    'file="side.png" type="2d" nchannel="2"': "1, 3 or 4",
    'builtin="flat" width="4" nchannel="4"': "nchannel",
    'builtin="flat" width="4" embed="false"': "embed",
}


def text(attributes):
    return f'<mujoco><asset><texture name="t" {attributes}/></asset></mujoco>'


@pytest.mark.parametrize("attributes", GOOD)
def test_same_pixels(attributes):
    theirs = mujoco.MjModel.from_xml_string(text(attributes), ASSETS)
    ours = corten.Model.from_xml_string(text(attributes), ASSETS)
    for field in FIELDS:
        np.testing.assert_array_equal(np.asarray(getattr(ours, field)), getattr(theirs, field), err_msg=field)


@pytest.mark.parametrize("file", KINDS)
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_every_kind_of_picture(file, channels):
    xml = f'''<mujoco><asset><texture name="t" type="2d" file="{file}" nchannel="{channels}"/>
      <hfield name="h" file="{file}" size="1 1 1 1"/></asset></mujoco>'''
    theirs, ours = mujoco.MjModel.from_xml_string(xml, KINDS), corten.Model.from_xml_string(xml, KINDS)
    for field in FIELDS + ["hfield_data"]:
        np.testing.assert_array_equal(np.asarray(getattr(ours, field)), getattr(theirs, field), err_msg=field)


@pytest.mark.parametrize("attributes", BAD)
def test_refused(attributes):
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(text(attributes), ASSETS)
    with pytest.raises(corten.Error, match=BAD[attributes]):
        corten.Model.from_xml_string(text(attributes), ASSETS)


def test_left_in_its_file(tmp_path):
    (tmp_path / "side.png").write_bytes(ASSETS["side.png"])
    model = tmp_path / "model.xml"
    model.write_text('<mujoco><compiler passthrough="textures"/><asset><texture name="t" file="side.png"/>'
                     '<texture name="u" file="side.png" embed="true"/></asset></mujoco>')
    theirs, ours = mujoco.MjModel.from_xml_path(str(model)), corten.Model.from_xml_path(str(model))
    for field in FIELDS:
        np.testing.assert_array_equal(np.asarray(getattr(ours, field)), getattr(theirs, field), err_msg=field)
    assert ours.tex_adr[0] == -1 and ours.tex_adr[1] == 0
