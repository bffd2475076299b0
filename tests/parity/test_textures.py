"""Textures from files: single pictures, grids of cube sides, a file a side; against the oracle, pixel by pixel."""

import struct
import zlib

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
corten = pytest.importorskip("corten")

FIELDS = "tex_type tex_colorspace tex_height tex_width tex_nchannel tex_adr tex_data tex_pathadr tex_contenttypeadr".split()


def png(height, width, channels=3):
    pixels = np.random.default_rng(height * width).integers(0, 255, (height, width, channels), dtype=np.uint8)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


ASSETS = {"grid.png": png(6, 8), "side.png": png(2, 2), "large.png": png(4, 4), "tall.png": png(4, 2), "rgba.png": png(2, 2, 4)}

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


# Kinds of PNG: colour type, bits a channel, bytes a row of 5 pixels, chunks before the pixels.
GAMMA = (b"gAMA", struct.pack(">I", 100000))
KINDS = {
    "rgb8": (2, 8, 15, []), "rgba8": (6, 8, 20, []), "gray8": (0, 8, 5, []), "gray_alpha8": (4, 8, 10, []),
    "rgb16": (2, 16, 30, []), "rgba16": (6, 16, 40, []), "gray16": (0, 16, 10, []), "gray4": (0, 4, 3, []), "gray1": (0, 1, 1, []),
    "gamma": (2, 8, 15, [GAMMA]), "gray_gamma": (0, 8, 5, [GAMMA]), "srgb": (2, 8, 15, [(b"sRGB", b"\0")]),
    "transparent": (2, 8, 15, [(b"tRNS", struct.pack(">HHH", 10, 20, 30))]),
    "palette": (3, 8, 5, [(b"PLTE", bytes(range(256)) * 3)]),
    "palette_alpha": (3, 8, 5, [(b"PLTE", bytes(range(256)) * 3), (b"tRNS", bytes(range(256)))]),
}


def kind_of_png(kind):
    colour, bits, row, chunks = KINDS[kind]
    rng = np.random.default_rng(len(kind))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + rng.bytes(row) for _ in range(4))
    parts = [(b"IHDR", struct.pack(">IIBBBBB", 5, 4, bits, colour, 0, 0, 0)), *chunks, (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_are_taken_as_they_are_stored(kind):
    assets = {"picture.png": kind_of_png(kind)}
    for channels in (1, 3, 4):
        xml = f'<mujoco><asset><texture name="t" type="2d" file="picture.png" nchannel="{channels}"/></asset></mujoco>'
        ours, theirs = corten.Model.from_xml_string(xml, assets), mujoco.MjModel.from_xml_string(xml, assets)
        np.testing.assert_array_equal(ours.tex_data, theirs.tex_data)
        np.testing.assert_array_equal(ours.tex_colorspace, theirs.tex_colorspace)
    xml = '<mujoco><asset><hfield name="h" file="picture.png" size="1 1 1 1"/></asset></mujoco>'
    ours, theirs = corten.Model.from_xml_string(xml, assets), mujoco.MjModel.from_xml_string(xml, assets)
    np.testing.assert_array_equal(ours.hfield_data, theirs.hfield_data)
