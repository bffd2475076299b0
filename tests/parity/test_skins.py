"""Skins from files, attached ones, and bad ones."""

import struct

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten

FIELDS = [name for name in dir(mujoco.MjModel) if name.startswith("skin_")]
BODIES = '<worldbody><body name="b"><joint/><geom size=".1"/><body name="c"><geom size=".1"/></body></body></worldbody>'
BONE = '<bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 2 3"/>'
GIVEN = 'vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"'


def skn(nvert=3, ntexcoord=0, bones=(("b", [0, 1, 2], [1, 1, 1]),), tail=b""):
    data = struct.pack("<4i", nvert, ntexcoord, 1, len(bones))
    data += np.arange(3 * max(nvert, 0) + 2 * ntexcoord, dtype="<f4").tobytes() + struct.pack("<3i", 0, 1, 2)
    for name, ids, weights in bones:
        data += name.encode().ljust(40, b"\0") + struct.pack("<7f", 1, 2, 3, 0, 2, 0, 0) + struct.pack("<i", len(ids))
        data += np.array(ids, "<i4").tobytes() + np.array(weights, "<f4").tobytes()
    return data + tail


def compare(xml, assets):
    theirs, ours = mujoco.MjModel.from_xml_string(xml, assets), corten.Model.from_xml_string(xml, assets)
    assert ours.nskin == theirs.nskin > 0
    for field in FIELDS:
        np.testing.assert_allclose(getattr(ours, field), getattr(theirs, field), atol=1e-7, err_msg=field)


@pytest.mark.parametrize("file", [skn(), skn(ntexcoord=3), skn(bones=(("b", [0, 1], [1, 1]), ("c", [2, 1], [3, 1])))])
def test_files(file):
    compare(f'<mujoco><deformable><skin file="a.skn"/></deformable>{BODIES}</mujoco>', {"a.skn": file})


@pytest.mark.parametrize("skin", ['<skin file="a.skn"/>', f"<skin {GIVEN}>{BONE}</skin>"])
def test_attached_skins_follow_the_names_of_their_bodies(skin):
    part = f"<mujoco><deformable>{skin}</deformable>{BODIES}</mujoco>".encode()
    compare(
        """<mujoco><asset><model name="x" file="x.xml"/></asset><worldbody>
             <frame pos="1 0 0"><attach model="x" body="b" prefix="p_"/></frame>
             <frame pos="2 0 0"><attach model="x" body="b" prefix="q_"/></frame></worldbody></mujoco>""",
        {"x.xml": part, "a.skn": skn()},
    )


BAD = {
    f'<skin {GIVEN} texcoord="0 0 1 0">{BONE}</skin>': "texture coordinates",
    f'<skin vertex="0 0 0 1 0 0 0 1 0" face="0 1 3">{BONE}</skin>': "face 0",
    f'<skin vertex="0 0 0 1" face="0 1 2">{BONE}</skin>': "three numbers",
    f"<skin {GIVEN}/>": "bones",
    f'<skin {GIVEN}>{BONE.replace("1 2 3", "-1 2 3")}</skin>': "weights of vertex 0",
    f'<skin {GIVEN}>{BONE.replace("1 2 3", "1 2")}</skin>': "vertweight 2",
    f'<skin {GIVEN}>{BONE.replace("0 1 2", "0 1 5")}</skin>': "vertid",
    f'<skin {GIVEN} material="none">{BONE}</skin>': "none",
    '<skin file="long.skn"/>': "damaged",
    '<skin file="short.skn"/>': "damaged",
    '<skin file="negative.skn"/>': "damaged",
    '<skin file="stranger.skn"/>': "stranger",
    '<skin file="a.skn" vertex="0 0 0"/>': "not both",
    '<skin file="a.bin"/>': "SKN",
}
FILES = {
    "a.skn": skn(),
    "a.bin": skn(),
    "long.skn": skn(tail=b"x"),
    "short.skn": skn()[:-2],
    "negative.skn": skn(nvert=-3),
    "stranger.skn": skn(bones=(("stranger", [0, 1, 2], [1, 1, 1]),)),
}


@pytest.mark.parametrize("skin", BAD)
def test_refused(skin):
    xml = f"<mujoco><deformable>{skin}</deformable>{BODIES}</mujoco>"
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(xml, FILES)
    with pytest.raises(corten.Error, match=BAD[skin]):
        corten.Model.from_xml_string(xml, FILES)


def test_a_damaged_file_is_refused_whatever_is_wrong():
    """Every byte of a file changed, and every length of it: a model or an error, never more."""
    whole = skn(ntexcoord=3)
    xml = f'<mujoco><deformable><skin file="a.skn"/></deformable>{BODIES}</mujoco>'
    for i in range(len(whole)):
        for file in (whole[:i], whole[:i] + bytes([whole[i] ^ 0xFF]) + whole[i + 1 :]):
            try:
                corten.Model.from_xml_string(xml, {"a.skn": file})
            except corten.Error:
                pass
