"""A compiled model as MJCF reads back to the same model: every field, on every model at hand."""

import struct
import zlib

import corten
import numpy as np
import pytest
from models import gymnasium_models
from test_write import OWN, PATHS, PUBLIC, SHARED, differences

TOLERANCE = 1e-9

# A model keeps vertices and weights in single precision: what is worked out from them again differs by that.
SINGLE = {
    "mesh_vert", "mesh_normal", "mesh_texcoord", "mesh_pos", "mesh_quat", "geom_size", "geom_aabb", "geom_rbound",
    "site_size", "bvh_aabb", "oct_aabb", "oct_coeff", "dof_length", "skin_bonevertweight",
}  # fmt: skip
SINGLE_TOLERANCE = 1e-6
# the normal of a small facet is less well known than its corners
NORMAL_TOLERANCE = 1e-5

# Of vertices that are nearly in one plane rounding decides which triangles the hull is cut into: the shape is the
# same, its corners and faces have other numbers. This is told.
HULL = ("mesh_graph", "mesh_extrema", "mesh_poly", "nmeshgraph", "nmeshpoly", "npolygonmax", "nmeshdegmax")
# The tree of boxes over faces sorts them by their centres, and rounding decides between equals.
TREE = ("bvh_nodeid", "bvh_aabb")


def decompile(model):
    """The model by way of its text, and the spec that was written."""
    spec = corten.Spec.from_model(model)
    return corten.Spec.from_xml_string(spec.to_xml(), assets=spec.assets).compile(), spec


def is_off(name, gap, model, remarks):
    if name in PATHS:
        return False
    if name.startswith(HULL) and any("its hull" in line for line in remarks):
        return False
    if name in TREE and model.nmesh > 0:
        return False
    # modes of equal strain stiffness may be any basis of their space
    if name == "flex_stiffness" and (model.flex_edgeequality == 3).any():
        return False
    tolerance = NORMAL_TOLERANCE if name == "mesh_polynormal" else SINGLE_TOLERANCE if name in SINGLE else TOLERANCE
    return gap > tolerance


@pytest.mark.filterwarnings("ignore::UserWarning")
def check(path):
    try:
        model = corten.Model.from_xml_path(path)
    except corten.Error:
        pytest.skip("does not load")
    back, spec = decompile(model)
    gaps = differences(model, back)
    assert not {name: gap for name, gap in gaps.items() if is_off(name, gap, model, spec.remarks)}
    # nothing else was worth a word
    assert all("its hull" in line for line in spec.remarks)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("path", OWN, ids=lambda p: p.stem)
def test_own_model(path):
    check(path)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("path", PUBLIC, ids=lambda p: str(p.relative_to(SHARED)))
def test_public_model(path):
    check(path)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("path", gymnasium_models(), ids=lambda p: p.stem)
def test_gymnasium_model(path):
    check(path)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("path", OWN, ids=lambda p: p.stem)
def test_a_decompiled_spec_compiles_without_being_written(path):
    model = corten.Model.from_xml_path(path)
    spec = corten.Spec.from_model(model)
    gaps = differences(model, spec.compile())
    assert not {name: gap for name, gap in gaps.items() if is_off(name, gap, model, spec.remarks)}


# ---- textures

FORMS = {
    "sky": 'type="skybox" builtin="gradient"',
    "floor": 'name="t" type="2d" builtin="checker"',
    "flat": 'name="t" type="2d" builtin="flat"',
    "cube": 'name="t" type="cube" builtin="flat"',
}
MARKS = {
    "none": "",
    "edge": 'mark="edge" markrgb=".8 .8 .8"',
    "cross": 'mark="cross" markrgb="1 0 0"',
    "random": 'mark="random" random=".05" markrgb="1 1 1"',
    "hidden": 'mark="random" random=".05" markrgb=".3 .5 .7"',
}


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [16, 101])
def test_builtin_textures_are_found_again(form, mark, size):
    words = f'{FORMS[form]} width="{size}" height="{size}" rgb1=".3 .5 .7" rgb2="0 .1 .2" {MARKS[mark]}'
    model = corten.Model.from_xml_string(f"<mujoco><asset><texture {words}/></asset></mujoco>")
    back, spec = decompile(model)
    assert not differences(model, back) and not spec.assets
    assert spec.textures[0].builtin in words


def test_pixels_that_no_formula_gives_become_pictures():
    model = corten.Model.from_xml_string("""<mujoco><asset>
      <texture type="skybox" builtin="flat" width="5" height="5"/><texture name="odd/one" type="2d" builtin="flat" width="7" height="3"/>
      <texture name="glass" type="2d" builtin="flat" width="4" height="4"/></asset></mujoco>""")
    model.tex_data[:] = np.random.default_rng(1).integers(0, 256, model.tex_data.shape)
    back, spec = decompile(model)
    assert (back.tex_data == model.tex_data).all() and (back.tex_height == model.tex_height).all()
    assert "texture1_odd_one.png" in spec.assets and len(spec.assets) == 8  # six sides of the sky
    assert [t.name for t in spec.textures] == [None, "odd/one", "glass"]
    # a picture that says nothing of its colours is linear; what was drawn said nothing
    assert {name for name in differences(model, back)} <= PATHS | {"tex_colorspace"}


def png(channels, width, height, seed=0):
    """A picture of random pixels: 1, 3 or 4 channels."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = np.random.default_rng(seed).integers(0, 256, (height, width * channels), np.uint8)
    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_pictures_keep_their_channels(channels):
    text = f"<mujoco><asset><texture name='t' type='2d' file='t.png' nchannel='{channels}'/></asset></mujoco>"
    model = corten.Model.from_xml_string(text, assets={"t.png": png(channels, 9, 5)})
    back, spec = decompile(model)
    assert model.ntexdata == 45 * channels and list(spec.assets) == ["texture0_t.png"]
    assert {name for name in differences(model, back)} <= PATHS


def test_a_file_that_only_the_drawing_program_reads_stays_as_it_is():
    content = b"\xabKTX 11\xbb\r\n\x1a\n" + bytes(range(100))
    model = corten.Model.from_xml_string(
        "<mujoco><asset><texture name='t' type='2d' file='t.ktx'/></asset></mujoco>", assets={"t.ktx": content})
    back, spec = decompile(model)
    assert spec.assets == {"texture0_t.ktx": content}
    assert {name for name in differences(model, back)} <= PATHS


# ---- meshes

CUBE = "".join(f"v {x} {y} {z}\n" for x in (-1, 1) for y in (-2, 2) for z in (-3, 3))
FACES = ["1 2 4", "1 4 3", "5 7 8", "5 8 6", "1 5 6", "1 6 2", "3 4 8", "3 8 7", "1 3 7", "1 7 5", "2 6 8", "2 8 4"]


def with_mesh(asset, mesh='name="m" file="m.obj"', geom='type="mesh" mesh="m"', pose="pos='1 2 3' euler='10 20 30'"):
    text = f"<mujoco><asset><mesh {mesh}/></asset><worldbody><body><geom {geom} {pose}/></body></worldbody></mujoco>"
    return corten.Model.from_xml_string(text, assets={"m.obj": asset.encode()})


def test_normals_with_numbers_of_their_own_need_a_file():
    normals = "vn 0 0 1\nvn 1 0 0\n"
    faces = "".join("f " + " ".join(f"{corner}//{1 + i % 2}" for corner in face.split()) + "\n" for i, face in enumerate(FACES))
    model = with_mesh(CUBE + normals + faces)
    back, spec = decompile(model)
    assert list(spec.assets) == ["mesh0_m.obj"]
    assert (back.mesh_facenormal == model.mesh_facenormal).all() and back.nmeshnormal == 2


@pytest.mark.parametrize("scale", ["1 1 1", "0.001 0.001 0.001", "-1 1 1", "2 3 -5"])
@pytest.mark.parametrize("inertia", ["legacy", "exact", "convex", "shell"])
def test_scale_and_inertia_of_a_mesh_are_found(scale, inertia):
    text = CUBE + "v 4 5 6\n" + "".join(f"f {face}\n" for face in FACES)
    model = with_mesh(text, f'name="m" file="m.obj" scale="{scale}" inertia="{inertia}"')
    back, spec = decompile(model)
    assert not spec.assets and not spec.remarks
    assert not {name: gap for name, gap in differences(model, back).items() if is_off(name, gap, model, ())}


def test_a_mesh_that_nobody_uses_stays():
    model = with_mesh(CUBE + "".join(f"f {face}\n" for face in FACES), geom='size="1"')
    back, _ = decompile(model)
    assert back.nmesh == 1 and back.nmeshgraph == 0
    assert not {name: gap for name, gap in differences(model, back).items() if is_off(name, gap, model, ())}


@pytest.mark.parametrize("inertia", ["legacy", "exact", "convex", "shell"])
def test_a_mesh_without_faces_has_those_of_its_hull(inertia):
    model = with_mesh(CUBE + "v 4 5 6\n", f'name="m" file="m.obj" inertia="{inertia}"', geom='type="mesh" mesh="m" contype="0" conaffinity="0"')
    assert model.nmeshgraph > 0
    back, spec = decompile(model)
    assert not spec.remarks
    assert not {name: gap for name, gap in differences(model, back).items() if is_off(name, gap, model, ())}


def test_a_hull_of_few_corners_keeps_their_number():
    ball = corten.Model.from_xml_string("""<mujoco><asset><mesh name="m" builtin="sphere" params="2" maxhullvert="20"/></asset>
      <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>""")
    back, _ = decompile(ball)
    assert back.mesh_graph[0] == ball.mesh_graph[0] == 20


# ---- what only some words can say

BODY = "<body name='b'><joint name='j'/><geom name='g' size='.1'/><site name='s'/></body>"
OTHER = "<body name='c' pos='1 2 3' euler='10 20 30'><joint name='k' type='free'/><geom size='.1'/><site name='t' pos='1 0 0'/></body>"
CORNERS = {
    "lengths of cranks that are none": f"""<default><general cranklength='2'/></default><worldbody>{BODY}</worldbody>
      <actuator><general joint='j'/></actuator>""",
    "drawing of fixed tendons": f"""<asset><material name='m'/></asset><default><tendon width='.1' rgba='1 0 0 1' material='m'/></default>
      <worldbody>{BODY}</worldbody><tendon><fixed><joint joint='j' coef='-2'/></fixed></tendon>""",
    "room for numbers of the user": f"""<size nuser_geom='5' nuser_sensor='3' nkey='3' nuserdata='7' njmax='50'/>
      <worldbody>{BODY}</worldbody><sensor><clock user='1 0 2'/></sensor>""",
    "names of all letters": """<worldbody><body name='x y &amp; "'><joint name="j'1 &lt;"/><geom size='1' name=' é'/></body></worldbody>""",
    "welds": f"""<worldbody>{BODY}{OTHER}</worldbody><equality><weld body1='b' body2='c' anchor='.1 .2 .3' torquescale='2'/>
      <weld body1='b' body2='c' relpose='1 2 3 0 1 0 0' anchor='.1 .2 .3'/><weld body1='c'/><weld site1='s' site2='t' torquescale='.5'/>
      <connect site1='s' site2='t'/><connect body1='c' anchor='1 1 1'/><connect body1='world' body2='c' anchor='1 1 1'/></equality>""",
    "inputs": f"""<worldbody>{BODY}</worldbody><actuator>
      <pid joint='j' kp='3' ki='1' kv='2' input='pos vel ff' posrange='-1 1' velrange='-2 2' ffrange='-3 3' imax='2' slewmax='4'/>
      <pid joint='j' kp='3' input='vel' velrange='-2 2'/><pid joint='j' kp='1' input='ff'/>
      <dcmotor joint='j' motorconst='.1' resistance='2' input='pos vel' controller='1 2 0 0 0 0' ctrlrange='-1 1'/></actuator>""",
    "policies of trees": """<worldbody><body sleep='never'><freejoint/><geom size='1'/></body><body sleep='allowed'><freejoint/><geom size='1'/></body>
      <body sleep='init'><freejoint/><geom size='1'/></body><body simple='false'><freejoint/><geom size='1'/></body></worldbody>""",
    "bodies without mass": """<worldbody><body/><body pos='1 2 3' euler='0 0 30'><site/><body><geom size='1' mass='0'/></body></body></worldbody>""",
    "settings that change numbers": """<compiler discardvisual='true' fusestatic='true' settotalmass='3' boundmass='.1' balanceinertia='true' alignfree='true'/>
      <worldbody><body><freejoint/><geom size='.1' pos='1 2 3'/><geom type='box' size='1 2 3' contype='0' conaffinity='0' euler='1 2 3'/>
      <body pos='1 1 1'><geom size='.2'/></body></body></worldbody>""",
    "ranges without limits": """<worldbody><body><joint type='ball' limited='true' range='0 30'/><geom size='1'/></body><body>
      <joint range='5 6' limited='false' ref='10' springref='20' stiffness='1' springyield='3' actuatorfrcrange='-1 1'/><geom size='1'/></body></worldbody>""",
}  # fmt: skip


@pytest.mark.parametrize("what", CORNERS)
def test_corners(what):
    model = corten.Model.from_xml_string(f"<mujoco>{CORNERS[what]}</mujoco>")
    back, spec = decompile(model)
    assert not {name: gap for name, gap in differences(model, back).items() if is_off(name, gap, model, ())}
    assert not spec.remarks


# ---- the rest

def test_a_decompiled_model_moves_as_the_model_does():
    model = corten.Model.from_xml_path(next(path for path in OWN if path.stem == "humanoid"))
    back, _ = decompile(model)
    ends = []
    for m in (model, back):
        data = corten.Data(m)
        corten.step(m, data, nstep=100)
        ends.append(np.array(data.qpos))
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)


def test_edits_are_possible():
    model = corten.Model.from_xml_string("<mujoco><worldbody><body name='b'><joint name='j'/><geom size='.1'/></body></worldbody></mujoco>")
    spec = corten.Spec.from_model(model)
    spec.body("b").add("geom", size=0.2, name="new")
    spec.joint("j").damping = 2
    edited = spec.compile()
    assert edited.ngeom == 2 and edited.dof_damping[0] == 2
    assert edited.body_mass[1] == model.body_mass[1]  # inertia is explicit


def test_an_edited_spec_is_saved_with_its_files(tmp_path):
    spec = corten.Spec.from_model(corten.Model.from_xml_path(next(path for path in OWN if path.stem == "files")))
    spec.world.add("site", name="new")
    spec.save(tmp_path / "alone.xml")
    assert [file.name for file in tmp_path.iterdir()] == ["alone.xml"]
    (tmp_path / "sub").mkdir()
    spec.save(tmp_path / "sub" / "whole.xml", assets=True)
    model = corten.Model.from_xml_path(tmp_path / "sub" / "whole.xml")
    assert model.name2id(corten.ObjType.SITE, "new") >= 0 and model.ntex == len(spec.textures)


def test_only_a_model_has_a_spec():
    with pytest.raises(TypeError):
        corten.Spec.from_model("model")


@pytest.mark.parametrize("ending", ["xml", "mjcf", "ctb"])
def test_save_and_load(tmp_path, ending):
    model = corten.Model.from_xml_path(next(path for path in OWN if path.stem == "files"))
    assert model.save(tmp_path / f"out.{ending}") == ()
    back = corten.Model.from_xml_path(tmp_path / f"out.{ending}")
    assert not {name: gap for name, gap in differences(model, back).items() if is_off(name, gap, model, ())}
    beside = sorted(file.name for file in tmp_path.iterdir())
    assert all(name.startswith("out") for name in beside) and (len(beside) > 1) == (ending != "ctb")


def test_a_binary_model_gives_the_same_text(tmp_path):
    model = corten.Model.from_xml_path(next(path for path in OWN if path.stem == "humanoid"))
    model.save(tmp_path / "m.ctb")
    again = corten.Model.from_xml_path(tmp_path / "m.ctb")
    assert corten.Spec.from_model(again).to_xml() == corten.Spec.from_model(model).to_xml()
