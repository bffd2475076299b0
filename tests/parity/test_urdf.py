"""URDF read as MuJoCo reads it: every field of the model, for the files at hand and for what they do not have."""

import pathlib

import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import compare
import corten

FILES = sorted((pathlib.Path(__file__).parent.parent / "models" / "urdf").glob("*.urdf"))

MASS = '<inertial><origin xyz="0 0 .1" rpy=".1 .2 .3"/><mass value="2"/><inertia ixx=".1" iyy=".2" izz=".25" ixy=".01" ixz="-.02" iyz=".03"/></inertial>'
KEEP = '<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco>'


def joint(kind, inside="", name="j", parent="a", child="b"):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def pair(joints, extension=""):
    return f'<robot name="r">{extension}<link name="a">{MASS}</link><link name="b">{MASS}</link>{joints}</robot>'


def shapes(extension):
    return f"""<robot name="r">{extension}<material name="red"><color rgba="1 0 0 1"/></material><link name="world"/><link name="a">
      <collision name="c"><geometry><box size="1 2 3"/></geometry></collision>
      <visual name="v"><origin rpy="1 2 3"/><geometry><sphere radius=".5"/></geometry><material name="red"/></visual>
      <collision name="v"><geometry><cylinder radius=".5" length="2"/></geometry></collision>
      <visual><geometry><capsule radius=".5" length="2"/></geometry><material name="blue"><color rgba="0 0 1 1"/></material></visual>
      <visual><geometry><capsule radius=".5" length="2"/></geometry></visual>
      </link><link name="b">{MASS}</link><link name="d"/>
      {joint("floating", name="root", parent="world", child="a")}{joint("fixed", '<origin xyz="1 2 3" rpy=".1 .2 .3"/>')}
      {joint("fixed", name="k", parent="b", child="d")}</robot>"""


LIMITS = [
    '<limit lower="-1" upper="2" effort="3" velocity="4"/>', '<limit lower="-1"/>', '<limit upper="1"/>', '<limit lower="1" upper="-1" effort="-2"/>',
    '<limit lower="1" upper="1"/>', "<limit/>", '<axis xyz="0 1 2"/><dynamics damping="1" friction="2"/>', '<origin xyz="1 2 3" rpy="1 2 3"/>',
]
KINDS = ["revolute", "continuous", "prismatic", "planar", "spherical"]
TEXTS = {
    **{f"{kind} {i}": pair(joint(kind, limit)) for kind in KINDS for i, limit in enumerate(LIMITS)},
    "fixed": pair(joint("fixed")),
    "floating": pair(joint("floating", '<limit lower="-1" upper="2" effort="3"/><dynamics damping="1" friction="2"/>')),
    "kept": pair(joint("revolute"), KEEP),
    "settings": pair(joint("revolute"), '<mujoco><compiler angle="degree" settotalmass="5" foo="1"/><option timestep=".01"/><size memory="1M"/><default/></mujoco>'),
    "inferred": pair(joint("revolute"), '<mujoco><compiler inertiafromgeom="true" boundmass=".5" boundinertia=".5"/></mujoco>'),
    "two roots": pair(""),
    "one name": f'<robot name="r"><link name="a"/><link name="b">{MASS}</link><link name="c">{MASS}</link>{joint("revolute")}{joint("revolute", child="c")}</robot>',
    "mimic": f'<robot name="r"><link name="a"/><link name="b">{MASS}</link><link name="c">{MASS}</link><link name="d">{MASS}</link>'
    + joint("revolute", '<mimic joint="k" multiplier="2" offset=".5"/>') + joint("prismatic", '<mimic joint="none"/>', "k", child="c")
    + joint("fixed", '<mimic joint="k"/>', "l", "b", "d") + "</robot>",
    "shapes": shapes(""),
    "shapes kept": shapes(KEEP),
    "no name": '<robot><link name="a"/></robot>',
}


def check(ours, theirs):
    bad = [row for row in compare.compare_models(ours, theirs) if not row.ok]
    assert not bad, bad
    assert [ours.body(i).name for i in range(ours.nbody)] == [theirs.body(i).name for i in range(theirs.nbody)]
    assert [ours.joint(i).name for i in range(ours.njnt)] == [theirs.joint(i).name for i in range(theirs.njnt)]
    assert [ours.geom(i).name for i in range(ours.ngeom)] == [theirs.geom(i).name for i in range(theirs.ngeom)]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files(path):
    check(corten.Model.from_urdf(path, mujoco=True), mujoco.MjModel.from_xml_path(str(path)))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", TEXTS)
def test_texts(name):
    try:
        theirs = mujoco.MjModel.from_xml_string(TEXTS[name])
    except ValueError:
        # what one refuses, so does the other
        with pytest.raises(corten.Error):
            corten.Spec.from_urdf_string(TEXTS[name], mujoco=True).compile()
        return
    ours = corten.Spec.from_urdf_string(TEXTS[name], mujoco=True).compile()
    check(ours, theirs)
