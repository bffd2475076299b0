"""URDF: what is kept, where files are found, and the poses of links against a reader written here."""

import operator
import pathlib
import re
import xml.etree.ElementTree as ET

import corten
import numpy as np
import pytest
from corten._fields import MODEL_FIELDS

FOLDER = pathlib.Path(__file__).parent.parent / "models" / "urdf"
FILES = sorted(FOLDER.glob("*.urdf"))
# its limits are reversed
LOSSLESS = [path for path in FILES if path.stem != "mesh_bracket"]

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def fields(model):
    # where files are is not part of what the model is
    places = {"paths", "npaths", "mesh_pathadr", "tex_pathadr", "nbuffer"}
    names = [f.name.replace("global.", "global_.") for f in MODEL_FIELDS if f.name not in places]
    return {name: np.asarray(operator.attrgetter(name)(model)) for name in names}


@pytest.mark.parametrize("mujoco", [False, True], ids=["lossless", "mujoco"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_mjcf_of_a_robot_is_the_same_model(path, mujoco, tmp_path):
    if not mujoco and path not in LOSSLESS:
        with pytest.raises(corten.Error, match="reversed"):
            corten.Spec.from_urdf(path)
        return
    spec = corten.Spec.from_urdf(path, mujoco=mujoco)
    model = spec.compile()
    spec.save(tmp_path / "robot.xml")
    again = fields(corten.Model.from_xml_path(tmp_path / "robot.xml"))
    for name, value in fields(model).items():
        np.testing.assert_array_equal(again[name], value, err_msg=name)


def test_robots_are_recognised_by_content(tmp_path):
    text = (FOLDER / "two_link_arm.urdf").read_text()
    (tmp_path / "arm.txt").write_text(text)
    for model in (corten.Model.from_xml_path(tmp_path / "arm.txt"), corten.Model.from_xml_string(text), corten.Spec.from_xml_string(text).compile()):
        assert fields(model)["njnt"] == corten.Model.from_urdf(FOLDER / "two_link_arm.urdf").njnt


def rotation(rpy):
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy), np.cos(rpy)
    turn_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    turn_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    turn_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return turn_z @ turn_y @ turn_x


def about(axis, angle):
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def poses(root, coordinates):
    """{link: (position, rotation)} with the coordinates of joints."""
    numbers = lambda e, name: np.array(e.get(name, "0 0 0").split(), float) if e is not None else np.zeros(3)
    out = {}
    joints = root.findall("joint")
    children = {j.find("child").get("link") for j in joints}
    for link in root.findall("link"):
        if link.get("name") not in children:
            out[link.get("name")] = (np.zeros(3), np.eye(3))
    while len(out) < len(root.findall("link")):
        for j in joints:
            if j.find("parent").get("link") not in out:
                continue
            pos, mat = out[j.find("parent").get("link")]
            origin, axis = j.find("origin"), j.find("axis")
            axis = np.array([1.0, 0, 0]) if axis is None else numbers(axis, "xyz") / np.linalg.norm(numbers(axis, "xyz"))
            at, turn = pos + mat @ numbers(origin, "xyz"), mat @ rotation(numbers(origin, "rpy"))
            q = coordinates.get(j.get("name"), 0.0)
            if j.get("type") == "prismatic":
                at = at + turn @ axis * q
            elif j.get("type") != "fixed":
                turn = turn @ about(axis, q)
            out[j.find("child").get("link")] = (at, turn)
    return out


def random_robot(rng, n):
    parts = ["<robot name='random'><link name='l0'/>"]
    for i in range(1, n):
        kind = rng.choice(["fixed", "revolute", "continuous", "prismatic"])
        xyz, rpy, axis = (" ".join(map(repr, map(float, rng.normal(size=3)))) for _ in range(3))
        parts.append(f"<link name='l{i}'>{MASS}</link><joint name='j{i}' type='{kind}'><parent link='l{rng.integers(i)}'/><child link='l{i}'/>"
                     f"<origin xyz='{xyz}' rpy='{rpy}'/><axis xyz='{axis}'/></joint>")
    return "".join(parts) + "</robot>"


def test_links_are_where_the_file_says():
    rng = np.random.default_rng(0)
    for _ in range(50):
        text = random_robot(rng, 12)
        root, model = ET.fromstring(text), corten.Model.from_xml_string(text)
        data = corten.Data(model)
        for _ in range(20):
            data.qpos[:] = rng.uniform(-2, 2, model.nq)
            corten.forward(model, data)
            names = [model.joint(i).name for i in range(model.njnt)]
            for link, (pos, mat) in poses(root, dict(zip(names, data.qpos, strict=True))).items():
                body = model.body(link).id
                np.testing.assert_allclose(data.xpos[body], pos, atol=1e-9)
                np.testing.assert_allclose(np.reshape(data.xmat[body], (3, 3)), mat, atol=1e-9)


def test_packages_are_found_by_path_environment_and_above_the_file(tmp_path, monkeypatch):
    text = f'<robot name="r"><link name="a">{MASS}<visual><geometry><mesh filename="package://any/box.dae"/></geometry></visual></link></robot>'
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    with pytest.raises(corten.Error, match="package://any/box.dae"):
        corten.Spec.from_urdf_string(text)
    by_path = corten.Spec.from_urdf_string(text, package_path=[tmp_path, FOLDER / "packages"]).compile()
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(FOLDER / "packages"))
    by_environment = corten.Model.from_xml_string(text)
    monkeypatch.delenv("ROS_PACKAGE_PATH")
    (tmp_path / "any" / "urdf").mkdir(parents=True)
    (tmp_path / "any" / "box.dae").write_bytes((FOLDER / "packages" / "any" / "box.dae").read_bytes())
    (tmp_path / "any" / "urdf" / "r.urdf").write_text(text)
    above = corten.Model.from_urdf(tmp_path / "any" / "urdf" / "r.urdf")
    for model in (by_path, by_environment, above):
        assert model.nmesh == 1 and model.nmeshface == 12
        np.testing.assert_allclose(model.geom_rgba[0], [0.1, 0.2, 0.3, 1], atol=1e-7)


def test_the_gripper_follows_and_is_driven():
    spec = corten.Spec.from_urdf(FOLDER / "mimic_gripper.urdf", actuators=True)
    model = spec.compile()
    assert (model.neq, model.nu) == (1, 1)
    assert model.actuator_gear[0, 0] == 50
    text = "\n".join(spec.remarks)
    assert "<gazebo>" in text and "<ros2_control>" in text and "mimic_gripper.urdf:" in text


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(TypeError):
        corten.Spec.from_urdf_string("<robot/>", floating=True)
    with pytest.raises(ValueError, match="negative"):
        corten.Spec.from_urdf_string("<robot/>", bound_mass=-1)


# mass, inertia (xx yy zz xy xz yz), decreasing moments that it gets; None: as they are
INERTIAS = {
    "triangle": (2, (1, 1, 9, 0, 0, 0), (9, 4.5, 4.5)),
    "nearly a triangle": (1, (1, 1, 2.0002, 0, 0, 0), (2.0002, 1.0001, 1.0001)),
    "a rod": (1, (1.2e-4, 1.2e-4, 0, 0, 0, 0), (1.2e-4, 1.2e-4, 1e-6)),
    "turned": (1, (1, 1, 1, 3, 0, 0), (4, 2.5, 1.5)),
    "negative": (1, (-1, 1, 1, 0, 0, 0), (1, 1, 1e-6)),
    "denormal": (1, (3e-6, 1e-38, 1e-38, 0, 0, 0), (3e-6, 1.5e-6, 1.5e-6)),
    "a point": (3, (0, 0, 0, 0, 0, 0), (3e-6, 3e-6, 3e-6)),
    "nothing": (0, (0, 0, 0, 0, 0, 0), (1e-9, 1e-9, 1e-9)),
    "good": (1, (1, 1, 2, 0, 0, 0), None),
}  # fmt: skip


def robot_with(mass, inertia):
    numbers = " ".join(f'{name}="{value}"' for name, value in zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), inertia))
    return (
        '<robot name="r"><link name="a"/>\n<link name="b"><inertial><origin xyz=".1 0 0" rpy=".1 .2 .3"/>'
        f'<mass value="{mass}"/>\n<inertia {numbers}/></inertial></link>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint></robot>'
    )


@pytest.mark.parametrize("kind", INERTIAS)
def test_inertias_that_no_body_has_are_adjusted(kind):
    mass, inertia, expected = INERTIAS[kind]
    text = robot_with(mass, inertia)
    spec = corten.Spec.from_urdf_string(text)
    model, said = spec.compile(), "\n".join(spec.remarks)
    if expected is None:
        assert "gets" not in said
        corten.Spec.from_urdf_string(text, strict_inertia=True).compile()
        return
    assert re.search(r'<string>:[23]:\d+: .*link "b".* it gets .*strict_inertia', said)
    moments = np.sort(model.body_inertia[2])[::-1]
    np.testing.assert_allclose(moments, expected, rtol=1e-4)
    assert moments[1] + moments[2] >= moments[0]
    assert model.body_mass[2] == pytest.approx(mass or 1e-6)
    with pytest.raises(corten.Error, match='link "b"|body "b"'):
        corten.Spec.from_urdf_string(text, strict_inertia=True).compile()
    # what was taken is written, and is good enough for others
    written = spec.to_xml()
    np.testing.assert_allclose(corten.Model.from_xml_string(written).body_inertia, model.body_inertia, rtol=1e-9)
    mujoco = pytest.importorskip("mujoco")
    np.testing.assert_allclose(np.sort(mujoco.MjModel.from_xml_string(written).body_inertia[-1])[::-1], moments, rtol=1e-9)


def test_what_a_link_holds_counts_as_its_own():
    text = robot_with(1, (1, 1, 1, 0, 0, 0)).replace("</robot>", '<link name="c"/><joint name="k" type="{}"><parent link="{}"/><child link="{}"/></joint></robot>')
    for kind, parent, child, adjusted in (("fixed", "b", "c", False), ("continuous", "b", "c", True), ("floating", "b", "c", True)):
        said = corten.Spec.from_urdf_string(text.format(kind, parent, child)).remarks
        assert any('link "c" moves and has no mass' in line for line in said) == adjusted, kind
