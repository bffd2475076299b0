"""Contacts of deformables beside the oracle: elements against every kind of geom, against each other and themselves, their order,
their rows and forces, sleeping, sensors and rays.

Pairs with a formula agree to rounding; pairs that are searched (GJK, EPA) within the tolerance of the search in distance.
"""

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten

SLIDES = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
HEIGHTS = " ".join(f"{0.5 + 0.5 * np.sin(1.7 * i):.4f}" for i in range(30))
ASSETS = f"""<asset><mesh name="m" builtin="sphere" params="1" scale=".2 .15 .1"/>
<hfield name="h" nrow="5" ncol="6" size=".4 .3 .2 .1" elevation="{HEIGHTS}"/></asset>"""
GEOMS = {
    "plane": '<geom type="plane" size="1 1 .1" {}/>',
    "hfield": '<geom type="hfield" hfield="h" {}/>',
    "sphere": '<geom type="sphere" size=".2" {}/>',
    "capsule": '<geom type="capsule" size=".1 .25" {}/>',
    "ellipsoid": '<geom type="ellipsoid" size=".15 .2 .1" {}/>',
    "cylinder": '<geom type="cylinder" size=".15 .2" {}/>',
    "box": '<geom type="box" size=".15 .2 .1" {}/>',
    "mesh": '<geom type="mesh" mesh="m" {}/>',
}
FORMULA = [("plane", 1), ("plane", 2), ("plane", 3), ("sphere", 1), ("sphere", 2), ("sphere", 3), ("capsule", 1), ("capsule", 2),
           ("capsule", 3), ("box", 1), ("box", 2)]  # fmt: skip
SEARCHED = [("box", 3)] + [(geom, dim) for geom in ("ellipsoid", "cylinder", "mesh", "hfield") for dim in (1, 2, 3)]


def element(name, dim, radius, contact=""):
    """Bodies and deformable of one element whose vertices move by themselves."""
    at = [f"{0.1 * i} {0.1 * (i == 2)} {0.1 * (i == 3)}" for i in range(dim + 1)]
    bodies = "".join(
        f'<body name="{name}{i}" pos="{p}"><inertial pos="0 0 0" mass=".1" diaginertia="1e-4 1e-4 1e-4"/>{SLIDES}</body>'
        for i, p in enumerate(at)
    )
    names, numbers = " ".join(f"{name}{i}" for i in range(dim + 1)), " ".join(map(str, range(dim + 1)))
    flex = f'<flex name="{name}" dim="{dim}" radius="{radius}" body="{names}" element="{numbers}"><contact selfcollide="none" {contact}/></flex>'
    return bodies, flex


def one_pair(geom, dim, contact="", option="", geom_contact=""):
    bodies, flex = element("p", dim, 0.02, contact)
    shape = GEOMS[geom].format(geom_contact)
    if geom not in ("plane", "hfield"):
        shape = f'<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>{shape}</body>'
    return f"<mujoco><option {option}/>{ASSETS}<worldbody>{shape}{bodies}</worldbody><deformable>{flex}</deformable></mujoco>"


def load(xml, tmp_path):
    """A model and a data of the oracle, and the same here."""
    m = mujoco.MjModel.from_xml_string(xml)
    path = str(tmp_path / "model.mjb")
    mujoco.mj_saveModel(m, path)
    with open(path, "rb") as file:
        model = corten.Model.from_bytes(file.read())
    return m, mujoco.MjData(m), model, corten.Data(model)


def forward(m, d, model, data, qpos, qvel=0.0):
    for x in (d, data):
        x.qpos[:], x.qvel[:], x.qacc_warmstart[:] = qpos, qvel, 0
    mujoco.mj_forward(m, d)
    corten.forward(model, data)


def same_sides(d, data):
    """Contacts are as many, of the same things, in the same order."""
    assert data.ncon == d.ncon
    for name in ("geom", "flex", "elem", "vert", "dim", "exclude", "efc_address"):
        np.testing.assert_array_equal(getattr(data.contact, name), getattr(d.contact, name), err_msg=name)


def same_contacts(d, data, tolerance=1e-9):
    same_sides(d, data)
    for name in ("dist", "pos", "frame", "includemargin", "friction", "solref", "solimp"):
        np.testing.assert_allclose(getattr(data.contact, name), getattr(d.contact, name), rtol=0, atol=tolerance, err_msg=name)


def same_rows(d, data, tolerance=1e-9):
    assert data.nefc == d.nefc
    sparse = ("efc_J_rownnz", "efc_J_colind") if data.efc_J.size != data.nefc * data.qvel.size else ()
    for name in (*sparse, "efc_J", "efc_pos", "efc_margin", "efc_R", "efc_KBIP", "efc_aref", "efc_type"):
        if getattr(d, name).size == 0:
            continue
        scale = max(1.0, np.abs(getattr(d, name)).max())
        np.testing.assert_allclose(
            np.ravel(getattr(data, name)), np.ravel(getattr(d, name)), rtol=0, atol=tolerance * scale, err_msg=name
        )


def same_forces(d, data, tolerance=1e-7):
    for name in ("efc_force", "qfrc_constraint", "qacc"):
        scale = max(1.0, np.abs(getattr(d, name)).max()) if getattr(d, name).size else 1.0
        np.testing.assert_allclose(getattr(data, name), getattr(d, name), rtol=0, atol=tolerance * scale, err_msg=name)


# ---- one element


@pytest.mark.parametrize("geom, dim", FORMULA)
def test_pairs_with_a_formula_agree_to_rounding(geom, dim, tmp_path):
    rng, seen = np.random.default_rng(dim), 0
    for margin in (0, 0.03):
        pair = load(one_pair(geom, dim, f'margin="{margin}"'), tmp_path)
        for _ in range(40):
            forward(*pair, rng.normal(size=pair[0].nq) * 0.2)
            same_contacts(pair[1], pair[3])
            seen += pair[1].ncon
    assert seen >= 5


@pytest.mark.parametrize("geom, dim", SEARCHED)
def test_pairs_that_are_searched_agree_within_the_tolerance(geom, dim, tmp_path):
    rng, seen = np.random.default_rng(dim), 0
    for margin in (0, 0.03):
        pair = load(one_pair(geom, dim, f'margin="{margin}"'), tmp_path)
        for _ in range(30):
            forward(*pair, rng.normal(size=pair[0].nq) * 0.2)
            d, data = pair[1], pair[3]
            same_sides(d, data)
            # the oracle's search of rounded shapes ends early where they are deep in each other
            error = np.abs(np.ravel(data.contact.dist) - np.ravel(d.contact.dist))
            assert (error < 3e-4).all() and (d.ncon == 0 or np.median(error) < 1e-6)
            seen += d.ncon
    assert seen >= 5


# Both searches ended by a tolerance that is not the limit of the comparison.
CLOSE = 'ccd_tolerance="1e-10" ccd_iterations="200"'


@pytest.mark.parametrize("geom, dim", SEARCHED)
def test_pairs_that_are_searched_closely_agree_to_1e_9(geom, dim, tmp_path):
    rng, seen = np.random.default_rng(10 + dim), 0
    for margin in (0, 0.03):
        pair = load(one_pair(geom, dim, f'margin="{margin}"', CLOSE), tmp_path)
        for _ in range(40):
            forward(*pair, rng.normal(size=pair[0].nq) * 0.2)
            same_sides(pair[1], pair[3])
            np.testing.assert_allclose(pair[3].contact.dist, pair[1].contact.dist, rtol=0, atol=1e-9)
            seen += pair[1].ncon
    assert seen >= 5


@pytest.mark.parametrize("first, second", [(1, 2), (1, 3), (2, 2), (2, 3), (3, 3)])
def test_elements_that_are_searched_closely_agree_to_1e_9(first, second, tmp_path):
    a, flex_a = element("p", first, 0.02, 'margin=".01"')
    b, flex_b = element("q", second, 0.03)
    xml = f"<mujoco><option {CLOSE}/><worldbody>{a}{b}</worldbody><deformable>{flex_a}{flex_b}</deformable></mujoco>"
    pair, rng, seen = load(xml, tmp_path), np.random.default_rng(7), 0
    for _ in range(60):
        forward(*pair, rng.normal(size=pair[0].nq) * 0.15)
        same_sides(pair[1], pair[3])
        np.testing.assert_allclose(pair[3].contact.dist, pair[1].contact.dist, rtol=0, atol=1e-9)
        seen += pair[1].ncon
    assert seen > 5


def test_triangles_meet_signed_distance_fields(tmp_path):
    bodies, flex = element("p", 2, 0.01)
    shape = '<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/><geom type="sdf" mesh="m"/></body>'
    asset = '<asset><mesh name="m" builtin="sphere" params="2" scale=".2 .15 .1"/></asset>'
    option = '<option sdf_initpoints="8" sdf_iterations="10"/>'
    pair = load(f"<mujoco>{option}{asset}<worldbody>{shape}{bodies}</worldbody><deformable>{flex}</deformable></mujoco>", tmp_path)
    rng, seen = np.random.default_rng(0), 0
    for _ in range(60):
        forward(*pair, rng.normal(size=pair[0].nq) * 0.12)
        same_contacts(pair[1], pair[3])
        seen += pair[1].ncon
    assert seen >= 5


@pytest.mark.parametrize("first", (1, 2, 3))
@pytest.mark.parametrize("second", (1, 2, 3))
def test_elements_meet_elements(first, second, tmp_path):
    a, flex_a = element("p", first, 0.02, 'margin=".01"')
    b, flex_b = element("q", second, 0.03)
    pair = load(f"<mujoco><worldbody>{a}{b}</worldbody><deformable>{flex_a}{flex_b}</deformable></mujoco>", tmp_path)
    rng, seen = np.random.default_rng(7), 0
    for _ in range(60):
        forward(*pair, rng.normal(size=pair[0].nq) * 0.15)
        same_sides(pair[1], pair[3])
        np.testing.assert_allclose(pair[3].contact.dist, pair[1].contact.dist, atol=1e-9 if first + second == 2 else 3e-4)
        seen += pair[1].ncon
    assert seen > 5


@pytest.mark.parametrize("condim", (1, 3, 4, 6))
@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("jacobian", ("dense", "sparse"))
def test_rows_and_forces(condim, cone, jacobian, tmp_path):
    rng, rows = np.random.default_rng(condim), 0
    for solver in ("Newton", "CG", "PGS"):
        for geom, dim in (("sphere", 2), ("capsule", 3), ("plane", 3), ("box", 1)):
            option = f'cone="{cone}" jacobian="{jacobian}" solver="{solver}" tolerance="1e-14" iterations="300"'
            pair = load(one_pair(geom, dim, f'condim="{condim}" friction=".7 .01 .001" margin=".01"', option), tmp_path)
            for _ in range(6):
                forward(*pair, rng.normal(size=pair[0].nq) * 0.15, rng.normal(size=pair[0].nv))
                same_contacts(pair[1], pair[3])
                same_rows(pair[1], pair[3])
                same_forces(pair[1], pair[3], 1e-6)
                rows += pair[1].nefc
    assert rows > 20


def test_parameters_are_mixed(tmp_path):
    rng = np.random.default_rng(3)
    for _ in range(12):
        def words(values):
            return " ".join(f"{v:.5g}" for v in values)

        def side():
            return (
                f'priority="{rng.integers(0, 2)}" condim="{rng.choice([1, 3, 4, 6])}" solmix="{rng.choice([0, 0.5, 2])}" '
                f'solref="{words(rng.uniform(0.01, 1, 2) if rng.random() < 0.6 else -rng.uniform(10, 100, 2))}" '
                f'friction="{words(rng.uniform(0, [1, 0.1, 0.01]))}" margin="{rng.uniform(0, 0.05):.3g}" gap="{rng.uniform(0, 0.05):.3g}"'
            )

        pair = load(one_pair("sphere", 2, side(), geom_contact=side()), tmp_path)
        for _ in range(10):
            forward(*pair, rng.normal(size=pair[0].nq) * 0.12)
            same_contacts(pair[1], pair[3])


@pytest.mark.parametrize("dim", (1, 2, 3))
def test_flat_elements_and_equal_vertices_have_finite_contacts(dim, tmp_path):
    rng = np.random.default_rng(5)
    for geom in GEOMS:
        _, _, model, data = load(one_pair(geom, dim), tmp_path)
        for kind in range(8):
            qpos = np.asarray(data.qpos).copy()
            vertices = qpos[-3 * (dim + 1) :].reshape(-1, 3)
            target = rng.normal(size=(dim + 1, 3)) * 0.05
            if kind < 2:
                target[:] = target[0]  # all at one place
            elif kind < 5:
                target = target[0] + np.outer(rng.normal(size=dim + 1), target[min(1, dim)])  # on a line
            else:
                target[:, 2] = 0.0  # in a plane
            place = np.array([[0.1 * i, 0.1 * (i == 2), 0.1 * (i == 3)] for i in range(dim + 1)])
            vertices[:] = target - place
            data.qpos[:] = qpos
            corten.forward(model, data)
            for name in ("dist", "pos", "frame"):
                assert np.isfinite(np.asarray(getattr(data.contact, name))).all(), (geom, kind)
            assert np.isfinite(data.qacc).all()


# ---- whole deformables

CLOTH = """<flexcomp name="c" type="grid" dim="2" count="8 8 1" spacing=".08 .08 .08" radius=".01" mass=".2" pos="0 0 .12">
<edge equality="true"/><contact selfcollide="{self}" margin=".005" {contact}/>{more}</flexcomp>"""
KINDS = {
    "cloth": CLOTH.format(self="none", contact='condim="4"', more=""),
    "pinned to the world": CLOTH.format(self="none", contact="", more='<pin id="0 1 2 30 31 40"/>'),
    "pinned to a body": '<body name="b" pos="0 0 .1"><freejoint/><geom type="sphere" size=".05" contype="0" conaffinity="0"/>'
    + CLOTH.format(self="none", contact="", more='<pin id="0 1 2 30 31"/>') + "</body>",
    "rope": '<flexcomp name="r" type="grid" dim="1" count="20 1 1" spacing=".05 .05 .05" radius=".01" mass=".2" pos="0 0 .12">'
    '<edge equality="true"/><contact selfcollide="auto" condim="6"/></flexcomp>',
    "rod": '<flexcomp name="r" type="grid" dim="1" count="10 1 1" spacing=".05 .05 .05" radius=".02" mass=".2" pos="0 0 .06">'
    '<edge equality="true"/><elasticity young="1e5" poisson=".3"/><contact selfcollide="auto" condim="6"/><pin id="0"/></flexcomp>',
    "planar": '<flexcomp name="t" type="grid" dim="2" dof="2d" count="8 8 1" spacing=".08 .08 .08" radius=".01" mass=".2" pos="0 0 .1">'
    '<edge equality="true"/><contact selfcollide="none"/></flexcomp>',
}  # fmt: skip


def scene(flex, option="", flags=""):
    return f"""<mujoco><option {option}><flag {flags}/></option><worldbody>
<geom type="plane" size="2 2 .1" euler="3 2 0"/><geom type="sphere" size=".12" pos=".2 .1 .05"/>
<geom type="box" size=".1 .1 .1" pos="-.2 .1 .05" euler="10 20 30"/><geom type="capsule" size=".06 .1" pos="-.1 -.2 .05" euler="70 20 30"/>
<body pos="0 0 .15"><freejoint/><geom type="capsule" size=".04 .1" euler="90 0 0"/><geom type="sphere" size=".06" pos=".1 0 0"/></body>
<geom type="plane" size="2 2 .1" pos="0 0 -.05" euler="-30 2 0"/>{flex}</worldbody></mujoco>"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("midphase", ("enable", "disable"))
def test_whole_deformables(kind, midphase, tmp_path):
    pair = load(scene(KINDS[kind], 'solver="Newton" tolerance="1e-12"', f'midphase="{midphase}"'), tmp_path)
    rng, seen = np.random.default_rng(1), 0
    for _ in range(8):
        forward(*pair, pair[0].qpos0 + rng.normal(size=pair[0].nq) * 0.02, rng.normal(size=pair[0].nv) * 0.1)
        same_contacts(pair[1], pair[3])
        same_rows(pair[1], pair[3])
        same_forces(pair[1], pair[3], 1e-5)
        seen += pair[1].ncon
    assert seen >= 20


# ---- rods with a rectangular section ----

FLAT = """<flexcomp name="{name}" type="grid" dim="1" count="4 1 1" spacing=".1 .1 .1" radius=".004" mass=".1" {place}>
<edge equality="true"/><elasticity young="2e6" poisson=".3" {section}/><contact selfcollide="none"/></flexcomp>"""
BOX = 'section="box" sectionsize=".004 .01"'
PARTNERS = {
    "plane": '<geom type="plane" size="1 1 .1" pos="0 0 .045"/>',
    "deep plane": '<geom type="plane" size="1 1 .1" pos="0 0 .08"/>',
    "sphere": '<geom size=".05"/>',
    "capsule": '<geom type="capsule" size=".05 .1" euler="70 30 0"/>',
    "box": '<geom type="box" size=".05 .05 .05"/>',
    "rod": FLAT.format(name="s", place='pos=".02 0 .06" euler="0 0 80"', section=BOX),
    "round rod": FLAT.format(name="s", place='pos=".02 0 .06" euler="0 0 80"', section=""),
}


@pytest.mark.parametrize("partner", PARTNERS)
@pytest.mark.parametrize("integrator", ("Euler", "discrete"))
def test_rods_with_a_rectangular_section_are_boxes(partner, integrator, tmp_path):
    rod = FLAT.format(name="r", place='pos="0 0 .055"', section=BOX)
    xml = f'<mujoco><option timestep="2e-4" integrator="{integrator}"/><worldbody>{PARTNERS[partner]}{rod}</worldbody></mujoco>'
    m, d, model, data = load(xml, tmp_path)
    hinge, seen = m.jnt_type == mujoco.mjtJoint.mjJNT_HINGE, 0
    for seed in range(20):
        rng = np.random.RandomState(seed)
        qpos = m.qpos0 + np.where(hinge, 0.3, 0.002) * rng.randn(m.nv)
        forward(m, d, model, data, qpos, 0.1 * rng.randn(m.nv))
        same_contacts(d, data)
        same_rows(d, data)
        seen += d.ncon
        # frames that are stored
        mujoco.mj_step(m, d)
        data.plastic[:] = d.plastic
    assert seen >= 20


@pytest.mark.parametrize("dof", ("trilinear", "quadratic"))
@pytest.mark.parametrize("dim, elastic", ((3, ""), (2, 'elastic2d="both" thickness=".01"')))
def test_cages(dof, dim, elastic, tmp_path):
    """Rows of cages: the weights of nodes at the border of a cell are zero up to rounding, which decides whether they are stored."""
    flex = (
        f'<flexcomp name="t" type="{"grid" if dim == 3 else "box"}" dim="{dim}" dof="{dof}" count="4 4 3" cellcount="2 2 1" '
        f'spacing=".12 .12 .08" radius=".01" mass=".2" pos="0 0 .12"><contact selfcollide="none"/><elasticity young="1e3" {elastic}/></flexcomp>'
    )
    geoms = '<geom type="plane" size="2 2 .1"/><geom type="sphere" size=".1" pos=".1 0 .06"/>'
    pair = load(f'<mujoco><option jacobian="dense"/><worldbody>{geoms}{flex}</worldbody></mujoco>', tmp_path)
    rng, seen = np.random.default_rng(2), 0
    for _ in range(8):
        forward(*pair, pair[0].qpos0 + rng.normal(size=pair[0].nq) * 0.02)
        same_contacts(pair[1], pair[3])
        np.testing.assert_allclose(pair[3].efc_J, pair[1].efc_J, rtol=0, atol=1e-9)
        np.testing.assert_allclose(pair[3].efc_R, pair[1].efc_R, rtol=1e-9)
        seen += pair[1].ncon
    assert seen >= 20


def test_at_most_50_contacts_of_a_rigid_deformable_and_a_geom(tmp_path):
    rigid = CLOTH.format(self="none", contact="", more="").replace('type="grid"', 'type="grid" rigid="true"')
    rigid = rigid.replace('<edge equality="true"/>', "").replace('pos="0 0 .12"', "")
    body = f'<body name="b" pos="0 0 .005"><freejoint/><geom type="sphere" size=".05" contype="0" conaffinity="0"/>{rigid}</body>'
    pair = load(f'<mujoco><worldbody><geom type="plane" size="2 2 .1"/>{body}</worldbody></mujoco>', tmp_path)
    rng = np.random.default_rng(0)
    for _ in range(5):
        qpos = pair[0].qpos0.copy()
        qpos[3:7] += rng.normal(size=4) * 0.005
        forward(*pair, qpos)
        assert pair[1].ncon == 50
        same_contacts(pair[1], pair[3])


@pytest.mark.parametrize("mode", ("auto", "narrow", "bvh", "sap"))
@pytest.mark.parametrize("dim", (1, 2, 3))
def test_self_contacts_come_in_the_order_of_their_mode(mode, dim, tmp_path):
    count = {1: "24 1 1", 2: "8 8 1", 3: "4 4 4"}[dim]
    flex = (
        f'<flexcomp name="s" type="grid" dim="{dim}" count="{count}" spacing=".06 .06 .06" radius=".01" mass=".2">'
        f'<edge equality="true"/><contact selfcollide="{mode}"/></flexcomp>'
    )
    pair = load(f"<mujoco><worldbody>{flex}</worldbody></mujoco>", tmp_path)
    rng, seen = np.random.default_rng(4), 0
    for _ in range(8):
        forward(*pair, pair[0].qpos0 + rng.normal(size=pair[0].nq) * 0.035)
        same_sides(pair[1], pair[3])
        np.testing.assert_allclose(pair[3].contact.dist, pair[1].contact.dist, atol=3e-4)
        seen += pair[1].ncon
    assert seen >= 5


@pytest.mark.parametrize("mode", ("auto", "narrow", "bvh", "sap"))
def test_cages_meet_themselves_beyond_neighbouring_cells(mode, tmp_path):
    flex = (
        '<flexcomp name="s" type="grid" dim="3" dof="trilinear" count="2 2 9" cellcount="1 1 8" spacing=".05 .05 .05" radius=".01" '
        f'mass=".2"><contact selfcollide="{mode}"/><elasticity young="1e3"/></flexcomp>'
    )
    pair = load(f"<mujoco><worldbody>{flex}</worldbody></mujoco>", tmp_path)
    rng, seen = np.random.default_rng(8), 0
    for _ in range(15):
        forward(*pair, pair[0].qpos0 + rng.normal(size=pair[0].nq) * 0.05)
        if pair[1].ncon < 50:  # beyond, rounding decides which are kept
            same_sides(pair[1], pair[3])
            seen += pair[1].ncon
    assert seen >= 5


def test_deformables_sleep_and_wake_as_a_whole(tmp_path):
    for equality in ("true", "false"):
        flex = (
            '<body name="b" pos="0 0 .02"><flexcomp name="c" type="grid" dim="2" count="3 3 1" spacing=".06 .06 .06" radius=".01" mass=".1">'
            f'<edge equality="{equality}" damping=".05"/><contact selfcollide="none"/></flexcomp></body>'
        )
        m, d, model, data = load(
            '<mujoco><option timestep=".005" tolerance="1e-10" sleep_tolerance=".01"><flag sleep="enable"/></option><worldbody>'
            '<geom type="plane" size="2 2 .1"/><body pos=".05 0 .8"><freejoint/><geom type="sphere" size=".03"/></body>'
            f'<body pos=".5 0 .04"><freejoint/><geom type="box" size=".04 .04 .04"/></body>{flex}</worldbody></mujoco>',
            tmp_path,
        )
        states = set()
        for _ in range(200):
            mujoco.mj_step(m, d)
            corten.step(model, data)
            np.testing.assert_array_equal(data.tree_asleep, d.tree_asleep)
            states.add(bool(d.tree_asleep[2] >= 0))
        assert states == ({True, False} if equality == "true" else {False})


@pytest.mark.parametrize("integrator", ("Euler", "discrete"))
def test_rods_are_one_island_with_their_twists(integrator, tmp_path):
    """Through contact with the ground: who is with whom, and where everything goes."""
    rod = (
        '<flexcomp name="r" type="grid" dim="1" count="8 1 1" spacing=".05 .05 .05" radius=".02" mass=".2" pos="0 0 .03">'
        '<edge equality="true"/><elasticity young="1e5" poisson=".3" damping=".01"/><contact selfcollide="none"/>{}</flexcomp>'
    )
    for pin in ("", '<pin id="0 1"/>'):
        other = rod.format("").replace('name="r"', 'name="s"').replace("0 0 .03", "0 .3 .05")
        m, d, model, data = load(
            f'<mujoco><option timestep=".001" integrator="{integrator}" tolerance="1e-12"/><worldbody><geom type="plane" size="1 1 .1"/>'
            f"{rod.format(pin)}{other}</worldbody></mujoco>",
            tmp_path,
        )
        seen = 0
        for _ in range(100):
            mujoco.mj_step(m, d)
            corten.step(model, data)
            assert data.nisland == d.nisland
            np.testing.assert_array_equal(data.dof_island, d.dof_island)
            seen += d.ncon
        assert seen > 0
        np.testing.assert_allclose(data.qpos, d.qpos, rtol=0, atol=1e-5)


def test_sensors_see_contacts_of_deformables(tmp_path):
    flex = (
        '<body name="base" pos="0 0 .1"><flexcomp name="c" type="grid" dim="2" count="5 5 1" spacing=".06 .06 .06" radius=".01" mass=".1">'
        '<edge equality="true" damping=".05"/><contact selfcollide="none" condim="6"/></flexcomp><site name="sb" type="box" size=".2 .2 .2"/></body>'
    )
    sensors = """<touch site="s"/><contact geom1="bg" data="found force torque dist pos normal tangent" num="3"/>
<contact body1="ball" data="found force linvel angvel" num="2" reduce="maxforce"/><contact site="sb" data="found force pos" reduce="netforce"/>
<contact geom1="floor" data="found force" num="4" reduce="mindist"/><contact body1="c_12" data="found force" num="4"/>
<contact subtree1="base" data="found force" num="4"/><contact data="found force linvel" num="4"/>
<force site="s"/><torque site="s"/><accelerometer site="s"/><force site="sb"/><frameangacc objtype="body" objname="c_12"/>"""
    m, d, model, data = load(
        '<mujoco><option timestep=".005" tolerance="1e-12" cone="elliptic"/><worldbody><geom name="floor" type="plane" size="2 2 .1"/>'
        '<body name="ball" pos=".02 0 .06"><joint type="slide" axis="0 0 1" stiffness="100"/><geom name="bg" type="sphere" size=".05"/>'
        f'<site name="s" type="sphere" size=".06"/></body>{flex}</worldbody><sensor>{sensors}</sensor></mujoco>',
        tmp_path,
    )
    for _ in range(60):
        mujoco.mj_step(m, d)
    forward(m, d, model, data, d.qpos.copy(), d.qvel.copy())
    assert d.ncon > 8 and np.abs(d.sensordata).max() > 1
    np.testing.assert_allclose(data.sensordata, d.sensordata, rtol=0, atol=1e-8)
    mujoco.mj_inverse(m, d)
    corten.inverse(model, data)
    np.testing.assert_allclose(data.qfrc_inverse, d.qfrc_inverse, rtol=0, atol=1e-9)


@pytest.mark.parametrize("dim", (1, 2, 3))
def test_rays(dim, tmp_path):
    count = {1: "6 1 1", 2: "4 4 1", 3: "4 4 4"}[dim]
    flex = (
        f'<flexcomp name="c" type="grid" dim="{dim}" count="{count}" spacing=".1 .1 .1" radius=".02" mass="1">'
        '<contact selfcollide="none"/><edge equality="true"/></flexcomp>'
    )
    m, d, model, data = load(f"<mujoco><worldbody>{flex}</worldbody></mujoco>", tmp_path)
    rng, hits = np.random.default_rng(dim), 0
    forward(m, d, model, data, rng.normal(size=m.nq) * 0.01)
    for flags in range(16):
        vert, edge, face, skin = (bool(flags >> k & 1) for k in range(4))
        for layer in (0, 1) if dim == 3 else (0,):
            for _ in range(15):
                target = d.flexvert_xpos[rng.integers(m.nflexvert)] + rng.normal(size=3) * 0.04
                point = target + rng.normal(size=3) * 0.5
                vertex, normal = np.zeros(1, np.int32), np.zeros(3)
                dist = mujoco.mj_rayFlex(m, d, layer, vert, edge, face, skin, 0, point, target - point, vertex, normal)
                ours = corten.ray_flex(model, data, "c", point, target - point, vert, edge, face, skin, layer)
                assert abs(ours[0] - dist) < 1e-9
                if dist >= 0:
                    hits += 1
                    assert ours[1] == vertex[0]
                    np.testing.assert_allclose(ours[2], normal, atol=1e-8)
                else:
                    assert ours[1] == -1 and not ours[2].any()
    assert hits > 30


@pytest.mark.parametrize("geom", ("sphere", "box", "capsule"))
def test_a_cloth_does_not_pass_through(geom, tmp_path):
    """Dropped on a shape and on itself: over 5 s no vertex comes below half of the radius of the cloth."""
    shapes = {"sphere": ('size=".25"', 0.25), "box": ('size=".2 .2 .1"', 0.1), "capsule": ('size=".15 .2" euler="0 90 0"', 0.15)}
    size, top = shapes[geom]
    xml = (
        '<mujoco><option timestep=".004" solver="CG" iterations="60"/><worldbody>'
        f'<geom type="plane" size="2 2 .1"/><geom name="g" type="{geom}" {size} pos="0 0 {top}"/>'
        f'<flexcomp name="c" type="grid" dim="2" count="11 11 1" spacing=".07 .07 .07" radius=".01" mass=".3" pos=".02 .01 {2 * top + 0.05}">'
        '<edge equality="true" damping=".05"/><contact selfcollide="auto" solref=".008 1"/></flexcomp></worldbody></mujoco>'
    )
    _, _, model, data = load(xml, tmp_path)
    deepest = 0.0
    for _ in range(1250):
        corten.step(model, data)
        if data.ncon:
            deepest = min(deepest, float(np.min(data.contact.dist)))
    assert np.isfinite(data.qpos).all()
    assert deepest > -0.02  # less than its thickness: nothing has gone through
    assert np.asarray(data.flexvert_xpos)[:, 2].min() > 0


# ---- deformables and bodies that do not move, or move together ----

HELD = {
    "world": "{}",
    "static": '<body name="{n}">{}</body>',
    "child": '<body><body name="{n}">{}</body></body>',
    "mocap": '<body name="{n}" mocap="true">{}</body>',
    "mocap child": '<body mocap="true"><body name="{n}">{}</body></body>',
    "free": '<body name="{n}"><freejoint/><geom size=".01" contype="0" conaffinity="0"/>{}</body>',
}
TOGETHER = {  # %s: the deformable, and what it meets
    "on the parent": '<body name="p"><freejoint/>%s<geom size=".01"/><body name="q">%s</body></body>',
    "on siblings": '<body name="p"><freejoint/><geom size=".01"/><body name="q">%s</body><body name="r">%s</body></body>',
    "over a joint": '<body name="p"><freejoint/>%s<geom size=".01"/><body name="q"><joint/><geom size=".01"/>%s</body></body>',
}


def stiff(name, rest='rigid="true"', inside=""):
    at = ".03 .02 .01" if name == "y" else "0 0 0"
    return f'<flexcomp name="{name}" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="{at}" radius=".02" mass="1" {rest}>{inside}</flexcomp>'


SHEETS = {"rigid": stiff("x"), "part": stiff("x", "", '<edge equality="true"/><pin id="0 1 2 3 4 5 6 7"/>'),
          "cage": stiff("x", 'dof="trilinear"', '<pin gridrange="0 0 0 1 1 1"/>').replace('dim="2" count="3 3 1"', 'dim="3" count="3 3 3"')}  # fmt: skip


def held(text):
    theirs, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
    theirs.opt.jacobian = ours.opt.jacobian = 1  # sparse
    d, e = mujoco.MjData(theirs), corten.Data(ours)
    mujoco.mj_forward(theirs, d)
    corten.forward(ours, e)
    assert (e.ncon, e.nefc, e.nJ) == (d.ncon, d.nefc, d.nJ), text
    assert [c.exclude for c in e.contact] == [c.exclude for c in d.contact]
    return d.ncon


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("place", list(HELD)[1:])
def test_what_no_joint_moves_meets_nothing_that_none_moves(place, sheet):
    if place == "free" and sheet == "cage":
        pytest.skip("cages are pinned to what does not move")
    counts = []
    for other, around in HELD.items():
        for thing in ('<geom type="box" size=".05 .05 .05"/>', stiff("y")):
            if other == "world" and "flexcomp" in thing:
                continue
            text = HELD[place].format(SHEETS[sheet], n="f") + around.format(thing, n="g")
            counts.append(held(f"<mujoco><worldbody>{text}</worldbody></mujoco>"))
    assert max(counts) > 0


@pytest.mark.parametrize("sheet", ["rigid", "part"])
@pytest.mark.parametrize("place", TOGETHER)
def test_contacts_within_what_is_welded_have_no_rows(place, sheet):
    for thing in ('<geom type="box" size=".05 .05 .05"/>', stiff("y")):
        assert held(f"<mujoco><worldbody>{TOGETHER[place] % (SHEETS[sheet], thing)}</worldbody></mujoco>") > 0


def test_two_deformables_that_move_whole_keep_the_contacts_that_are_far_apart():
    rng = np.random.default_rng(0)
    for _ in range(3):
        bodies = ""
        for name in "xy":
            points = " ".join(f"{v:.6f}" for v in rng.uniform(-0.2, 0.2, 72))
            rods = " ".join(f"{2 * i} {2 * i + 1}" for i in range(12))
            bodies += f"""<body name="b{name}"><freejoint/><geom size=".01" contype="0" conaffinity="0"/>
              <flexcomp name="{name}" type="direct" dim="1" point="{points}" element="{rods}" radius=".08" mass="1" rigid="true"/></body>"""
        text = f"<mujoco><worldbody>{bodies}</worldbody></mujoco>"
        theirs, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
        d, e = mujoco.MjData(theirs), corten.Data(ours)
        mujoco.mj_forward(theirs, d)
        corten.forward(ours, e)
        assert [tuple(c.elem) for c in e.contact] == [tuple(c.elem) for c in d.contact]
        assert e.ncon == 50
