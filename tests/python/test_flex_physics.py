"""Deformables against what is known in closed form, or nearly."""

import math

import numpy as np
import pytest

import corten

MODEL = '<mujoco><option timestep="{h}" integrator="{integrator}" tolerance="1e-10" {option}/><worldbody>{flex}</worldbody></mujoco>'
NO_CONTACT = '<contact selfcollide="none" contype="0" conaffinity="0"/>'


def build(flex, h=0.002, integrator="discrete", option=""):
    m = corten.Model.from_xml_string(MODEL.format(h=h, integrator=integrator, option=option, flex=flex))
    return m, corten.Data(m)


def settle(m, d, steps):
    for _ in range(steps):
        corten.step(m, d)
    assert np.abs(d.qvel).max() < 2e-3


def vertices(d):
    return np.asarray(d.flexvert_xpos).reshape(-1, 3)


# ---- a cable hangs as a catenary ----


def catenary_sag(span, length):
    """Sag of an inextensible cable between two points at the same height."""
    low, high = 1e-3 * span, 1e3 * span
    for _ in range(200):
        a = math.sqrt(low * high)
        low, high = (low, a) if 2 * a * math.sinh(span / (2 * a)) < length else (a, high)
    return a * (math.cosh(span / (2 * a)) - 1)


def test_cable_hangs_as_a_catenary():
    # edges of one length, on an arc to begin with
    n, span, half = 60, 1.0, 1.3
    turn, radius = np.linspace(-half, half, n + 1), span / (2 * math.sin(half))
    points = np.stack([radius * np.sin(turn), 0 * turn, -radius * np.cos(turn)], 1)
    length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    text = " ".join(f"{v:.6f}" for v in points.ravel())
    chain = " ".join(f"{i} {i + 1}" for i in range(n))
    m, d = build(
        f"""<flexcomp name="c" type="direct" dim="1" mass=".2" radius=".002" point="{text}" element="{chain}" pos="0 0 1">
        <edge equality="true" solref=".0005 1" solimp=".99 .99 .001"/>{NO_CONTACT}<pin id="0 {n}"/></flexcomp>""",
        option='viscosity=".1"',
    )
    settle(m, d, 4000)
    at = vertices(d)
    assert at[0, 2] - at[:, 2].min() == pytest.approx(catenary_sag(span, length), rel=0.01)


# ---- a clamped strip bends as the elastica ----


def elastica(stiffness, weights, places, length, n=2000):
    """A clamped, inextensible strip that carries weights at places along it, as points: with V the weight beyond,
    EI theta'' = V cos theta, by shooting."""

    def shoot(curvature):
        h, theta, k, x, z = length / n, 0.0, curvature, 0.0, 0.0
        points = [(x, z)]
        for i in range(n):
            beyond = weights[places > (i + 0.5) * h].sum()
            middle = theta + 0.5 * h * k
            k += h * beyond / stiffness * math.cos(middle)
            x += h * math.cos(middle)
            z += h * math.sin(middle)
            theta = middle + 0.5 * h * k
            points.append((x, z))
        return k, points

    # the curvature at the clamp is negative, and zero at the tip
    low, high = -weights.sum() * length / stiffness, 0.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if shoot(middle)[0] < 0 else (low, middle)
    return shoot(low)[1]


LENGTH, WIDTH, THICKNESS, YOUNG, MASS = 0.5, 0.05, 0.005, 1e7, 0.02
STIFFNESS = YOUNG * WIDTH * THICKNESS**3 / 12
EDGES = '<edge equality="true" solref=".0005 1" solimp=".99 .99 .001"/>'


def ribbon(n):
    """A rod of rectangular section; its first two points are held, and bends there count half an edge before them."""
    dx = LENGTH / (n + 0.5)
    return f"""<flexcomp name="s" type="grid" dim="1" count="{n + 2} 1 1" spacing="{dx} .1 .1" mass="{MASS * (n + 2) / n}">
        <elasticity young="{YOUNG}" poisson="0" section="box" sectionsize="{WIDTH / 2} {THICKNESS / 2}" damping=".02"/>
        {EDGES}{NO_CONTACT}<pin id="0 1"/></flexcomp>"""


def sheet(n, across=4):
    """The same of triangles, {across} cells wide."""
    dx, dy, mass = LENGTH / (n + 0.5), WIDTH / across, MASS * (n + 2) / n
    return f"""<flexcomp name="s" type="grid" dim="2" count="{n + 2} {across + 1} 1" spacing="{dx} {dy} .1" radius=".001"
        mass="{mass}"><elasticity young="{YOUNG}" poisson="0" thickness="{THICKNESS}" elastic2d="bend" damping=".02"/>
        {EDGES}{NO_CONTACT}<pin gridrange="0 0 1 {across}"/></flexcomp>"""


def tip_error(flex, n, steps=3000):
    """How far the tip is from where the theory says, as a part of the length."""
    m, d = build(flex, option='viscosity=".02"')
    settle(m, d, steps)
    at = vertices(d)
    across = len(at) // (n + 2)
    x, _, z = at[-across:].mean(0) - at[across : 2 * across].mean(0) + [LENGTH / (n + 0.5) / 2, 0, 0]
    places = LENGTH / (n + 0.5) * (np.arange(n) + 1.5)
    ex, ez = elastica(STIFFNESS, np.full(n, MASS * 9.81 / n), places, LENGTH)[-1]
    return math.hypot(x - ex, z - ez) / LENGTH


def elastica_shape(n):
    """The strip with its weight spread evenly, for drawing."""
    return elastica(STIFFNESS, np.full(n, MASS * 9.81 / n), LENGTH / n * (np.arange(n) + 0.5), LENGTH, 400)


def ribbon_shape(n):
    m, d = build(ribbon(n), option='viscosity=".02"')
    settle(m, d, 3000)
    at = vertices(d)[1:] - vertices(d)[1] + [LENGTH / (n + 0.5) / 2, 0, 0]
    return [(x, z) for x, _, z in at]


def test_ribbon_bends_as_the_elastica():
    errors = [tip_error(ribbon(n), n) for n in (8, 16, 32)]
    assert errors[2] < 0.01 and errors[2] < errors[1] < errors[0]


# ---- a block stretches as linear elasticity says ----


def test_block_stretches_linearly():
    n, dx, young, force = (7, 4, 4), 0.05, 1e4, 0.2
    m, d = build(
        f"""<flexcomp name="b" type="grid" dim="3" count="{n[0]} {n[1]} {n[2]}" spacing="{dx} {dx} {dx}" radius=".001"
        mass="1"><elasticity young="{young}" poisson="0" damping=".05"/>{NO_CONTACT}
        <pin gridrange="0 0 0 0 {n[1] - 1} {n[2] - 1}"/></flexcomp>""",
        h=0.01,
        option='gravity="0 0 0"',
    )
    corten.forward(m, d)
    start = vertices(d).copy()
    # the pull of each triangle of the far side is shared by its corners
    far, load = start[:, 0].max() - 1e-6, np.zeros(len(start))
    for tri in np.asarray(m.flex_shell).reshape(-1, 3):
        if (start[tri, 0] > far).all():
            load[tri] += force / (2 * (n[1] - 1) * (n[2] - 1)) / 3
    for v in np.flatnonzero(load):
        d.qfrc_applied[m.body_dofadr[m.flex_vertbodyid[v]]] = load[v]
    settle(m, d, 1500)
    area, length = (n[1] - 1) * (n[2] - 1) * dx**2, (n[0] - 1) * dx
    stretch = (vertices(d) - start)[start[:, 0] > far]
    assert stretch[:, 0] == pytest.approx(force * length / (area * young), rel=0.005)
    assert np.abs(stretch[:, 1:]).max() < 1e-6


# ---- nothing comes from nothing ----


def test_energy_of_cloth_stays_bounded_for_ten_seconds():
    m, d = build(
        f"""<flexcomp name="c" type="grid" dim="2" count="9 9 1" spacing=".05 .05 .05" radius=".002" mass=".2" pos="0 0 1">
        <elasticity young="1e4" poisson=".2" thickness=".002" elastic2d="both"/>{NO_CONTACT}<pin id="0 8"/></flexcomp>""",
        h=0.005,
        option="",
    )
    m.opt.enableflags |= 2
    corten.forward(m, d)
    start = sum(d.energy)
    most = -np.inf
    for _ in range(2000):
        corten.step(m, d)
        most = max(most, sum(d.energy))
    drop = 0.2 * 9.81 * 0.4
    assert np.isfinite(d.qpos).all() and most < start + 0.01 * drop


KINDS = {
    "sheet": '<flexcomp name="f" type="grid" dim="2" count="6 5 1" spacing=".05 .05 .05" radius=".002" mass=".2">'
    '<elasticity young="1e4" poisson=".3" thickness=".004" elastic2d="both"/>{}</flexcomp>',
    "solid": '<flexcomp name="f" type="grid" dim="3" count="4 3 3" spacing=".05 .05 .05" radius=".002" mass=".2">'
    '<elasticity young="1e4" poisson=".3"/>{}</flexcomp>',
    "cage": '<flexcomp name="f" type="grid" dim="3" dof="trilinear" count="4 3 3" spacing=".05 .05 .05" radius=".002" '
    'mass=".2"><elasticity young="1e4" poisson=".3"/>{}</flexcomp>',
    "rod": '<flexcomp name="f" type="grid" dim="1" count="9 1 1" spacing=".05 .05 .05" radius=".005" mass=".2">'
    '<edge equality="true"/><elasticity young="1e6" poisson=".3"/>{}</flexcomp>',
}


@pytest.mark.parametrize("kind", KINDS)
def test_momentum_is_kept(kind):
    m, d = build(KINDS[kind].format(NO_CONTACT), option='gravity="0 0 0"')
    rng = np.random.RandomState(0)
    d.qpos[:] += 3e-3 * rng.randn(m.nq)
    d.qvel[:] = 0.1 * rng.randn(m.nv)
    slides = np.flatnonzero(np.asarray(m.jnt_type)[np.asarray(m.dof_jntid)] == corten.JointType.SLIDE)
    mass = np.asarray(m.body_mass)[np.asarray(m.dof_bodyid)][slides].reshape(-1, 3)

    def momentum():
        return (mass * np.asarray(d.qvel)[slides].reshape(-1, 3)).sum(0)

    before = momentum()
    for _ in range(200):
        corten.step(m, d)
    assert momentum() == pytest.approx(before, abs=1e-9)


@pytest.mark.parametrize("kind", ["sheet", "solid"])
def test_elastic_forces_do_not_turn_the_whole(kind):
    m, d = build(KINDS[kind].format(NO_CONTACT), option='gravity="0 0 0"')
    d.qpos[:] += 5e-3 * np.random.RandomState(1).randn(m.nq)
    corten.forward(m, d)
    force = np.asarray(d.qfrc_spring).reshape(-1, 3)
    assert np.abs(force).max() > 0.1
    assert np.cross(vertices(d), force).sum(0) == pytest.approx(np.zeros(3), abs=1e-12)


# ---- surfaces do not cross ----


def crossings(x, triangles):
    """Edges and triangles without a common vertex that cross."""
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    edges = np.unique(np.sort(sides, axis=1), axis=0)
    a, b, c = (x[triangles[:, k]] for k in range(3))
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    normal = np.cross(b - a, c - a)
    count = 0
    for first, second in edges:
        p, q = x[first], x[second]
        near = np.all((np.minimum(p, q) <= high) & (np.maximum(p, q) >= low), axis=1)
        near &= ~np.any((triangles == first) | (triangles == second), axis=1)
        for k in np.nonzero(near)[0]:
            above, below = normal[k] @ (p - a[k]), normal[k] @ (q - a[k])
            if above * below >= 0:
                continue
            at = p + (q - p) * above / (above - below)
            inside = [normal[k] @ np.cross(v - u, at - u) > 0 for u, v in ((a[k], b[k]), (b[k], c[k]), (c[k], a[k]))]
            count += all(inside)
    return count


def dropped_cloth(n, radius, thickness, flag):
    """A cloth that falls over a capsule and folds on the floor."""
    step = 0.3 / (n - 1)
    return corten.Model.from_xml_string(
        f"""<mujoco><option timestep=".002" integrator="discrete">{flag}</option><worldbody><geom type="plane" size="1 1 1"/>
        <geom type="capsule" size=".03 .05" pos="0 0 .12" euler="0 90 20"/>
        <flexcomp name="c" type="grid" count="{n} {n} 1" spacing="{step} {step} {step}" mass=".05" radius="{radius}" pos="0 0 .2" euler="10 5 30">
        <elasticity young="5e4" poisson=".2" thickness="{thickness}" elastic2d="both" damping=".005"/></flexcomp></worldbody></mujoco>"""
    )


@pytest.mark.parametrize(
    "n, radius, thickness, flag", [(9, 0.012, 0.007, ""), (9, 0.001, 0.0005, '<flag ipc="enable"/>')], ids=["rows", "ipc"]
)
def test_dropped_cloth_does_not_cross_itself_for_five_seconds(n, radius, thickness, flag):
    m = dropped_cloth(n, radius, thickness, flag)
    d, triangles = corten.Data(m), np.array(m.flex_elem).reshape(-1, 3)
    for _ in range(100):
        for _ in range(25):
            corten.step(m, d)
        corten.forward(m, d)
        assert crossings(vertices(d), triangles) == 0
    assert vertices(d)[:, 2].min() > (0 if not flag else 0.9e-3)
    assert vertices(d)[:, 2].mean() < 0.12


def test_thin_cloth_crosses_itself_without_ipc():
    """What the flag is for; and the test above can fail."""
    m = dropped_cloth(12, 0.001, 0.0005, "")
    d, triangles = corten.Data(m), np.array(m.flex_elem).reshape(-1, 3)
    most = 0
    for _ in range(8):
        for _ in range(50):
            corten.step(m, d)
        most = max(most, crossings(vertices(d), triangles))
    assert most > 0


def thrown_cloths():
    return corten.Model.from_xml_string(
        """<mujoco><option timestep=".002" integrator="discrete" gravity="0 0 0"><flag ipc="enable"/></option><worldbody>
        <flexcomp name="a" type="grid" count="5 5 1" spacing=".03 .03 .03" mass=".05" radius=".001" pos="0 0 .01" euler="3 2 0">
        <elasticity young="1e5" poisson=".3" thickness=".001" elastic2d="both"/></flexcomp>
        <flexcomp name="b" type="grid" count="5 5 1" spacing=".03 .03 .03" mass=".02" radius=".001" pos=".01 .013 .05" euler="5 2 30">
        <elasticity young="1e5" poisson=".3" thickness=".001" elastic2d="both"/></flexcomp></worldbody></mujoco>"""
    )


def test_cloths_that_collide_keep_their_momentum_and_gain_no_energy():
    m = thrown_cloths()
    d = corten.Data(m)
    mass = np.repeat(np.asarray(m.body_mass)[1:], 3)
    d.qvel[77::3] = -1.0
    momentum = (mass * d.qvel).reshape(-1, 3).sum(0)
    energy = (mass * d.qvel**2).sum() / 2
    touched = False
    for _ in range(300):
        corten.step(m, d)
        touched = touched or np.asarray(d.flexvert_lambda).max() > 0
        assert (mass * d.qvel**2).sum() / 2 < energy * (1 + 1e-9)
        np.testing.assert_allclose((mass * d.qvel).reshape(-1, 3).sum(0), momentum, atol=1e-9)
    assert touched
    triangles = np.array(m.flex_elem).reshape(-1, 3)
    triangles[len(triangles) // 2 :] += 25
    corten.forward(m, d)
    assert crossings(vertices(d), triangles) == 0


def test_ipc_goes_on_from_a_saved_state():
    m = thrown_cloths()
    d, again = corten.Data(m), corten.Data(m)
    d.qvel[77::3] = -1.0
    for _ in range(30):
        corten.step(m, d)
    assert np.asarray(d.flexvert_conage).any()
    corten.load_state(m, again, corten.save_state(m, d))
    for _ in range(30):
        corten.step(m, d)
        corten.step(m, again)
    np.testing.assert_array_equal(d.qpos, again.qpos)


@pytest.mark.parametrize("speed", [5, 20, 100])
def test_fast_cloth_does_not_tunnel(speed):
    """A step moves it by many times its thickness, into the middle of one that is held at its corners."""
    m = corten.Model.from_xml_string(
        """<mujoco><option timestep=".002" integrator="discrete"><flag ipc="enable"/></option><worldbody>
        <flexcomp name="a" type="grid" count="7 7 1" spacing=".05 .05 .05" mass=".1" radius=".001"><pin id="0 6 42 48"/>
        <elasticity young="1e5" poisson=".3" thickness=".001" elastic2d="both" damping=".01"/></flexcomp>
        <flexcomp name="b" type="grid" count="3 3 1" spacing=".02 .02 .02" mass=".01" radius=".001" pos=".007 .011 .1" euler="7 3 20">
        <elasticity young="1e5" poisson=".3" thickness=".001" elastic2d="both" damping=".01"/></flexcomp></worldbody></mujoco>"""
    )
    d, triangles = corten.Data(m), np.array(m.flex_elem).reshape(-1, 3)
    triangles[72:] += 49
    d.qvel[137::3] = -speed
    for _ in range(60):
        corten.step(m, d)
        corten.forward(m, d)
        assert crossings(vertices(d), triangles) == 0
    at = vertices(d)
    assert at[49:, 2].min() > at[:49, 2].min()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("worlds", [1, 3])
def test_ipc_in_batches_is_the_serial_loop(worlds, threads):
    m = thrown_cloths()
    speeds = -1.0 - 0.5 * np.arange(worlds)
    with corten.Batch(m, worlds, "cpu", threads=threads) as batch:
        batch.qvel[:, 77::3] = speeds[:, None]
        batch.step(80)
        for i in range(worlds):
            d = corten.Data(m)
            d.qvel[77::3] = speeds[i]
            for _ in range(80):
                corten.step(m, d)
            np.testing.assert_array_equal(batch.qpos[i], d.qpos)
