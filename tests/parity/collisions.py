"""Contacts of two geoms in random poses, beside the oracle.

For a pair of geom types, models with random sizes are made and the geoms put into poses that are hard in different
ways. Every pose is judged: is the deepest point the same, are all points the same? Where not, the failure is explained:

    conditioned  the oracle's own answer changes by as much when its input moves by 1e-13
    equals       other points of the same patch: same plane, and the polygons cover the same area within 5 %;
                 on height fields: every contact as deep along the same normal, to 1e-9
    real         none of these
"""

import collections
import dataclasses
import itertools

import corten
import mujoco
import numpy as np

TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
ANALYTIC = {
    ("plane", "sphere"), ("plane", "capsule"), ("plane", "ellipsoid"), ("plane", "cylinder"), ("plane", "box"),
    ("plane", "mesh"), ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"),
    ("capsule", "capsule"), ("capsule", "box"), ("box", "box"),
}
WITHOUT = {("plane", "plane"), ("plane", "hfield"), ("hfield", "hfield")}
PAIRS = [p for p in itertools.combinations_with_replacement(TYPES, 2) if p not in WITHOUT]
KINDS = ("apart", "touching", "deep", "margin", "parallel", "tilted", "centred", "slender")

NUDGE = 1e-13
MARGIN = 0.05


def tolerance(pair):
    return 1e-9 if pair in ANALYTIC else 1e-6


def _numbers(values):
    return " ".join(f"{v:.17g}" for v in np.ravel(values))


def _hull(rng):
    """Corners of a convex mesh: a box, a tetrahedron, a prism, or points on an ellipsoid."""
    scale = rng.uniform(0.1, 0.4, 3)
    kind = rng.integers(5)
    if kind == 0:
        corners = np.array(list(itertools.product((-1, 1), repeat=3)), float)
    elif kind == 1:
        corners = rng.normal(size=(4, 3))
    elif kind == 2:
        n = int(rng.integers(3, 13))
        angle = 2 * np.pi * np.arange(n) / n
        ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        corners = np.concatenate([np.c_[ring, -np.ones(n)], np.c_[ring, np.ones(n)]])
    else:
        corners = rng.normal(size=(int(rng.integers(8, 60)), 3))
        corners /= np.linalg.norm(corners, axis=1, keepdims=True)
    return corners * scale


def same_frames(oracle, ours):
    """The principal axes of a mesh come from its eigenvectors, whose last bits differ. Contacts that tie are told apart by
    these bits: to compare the colliders, both get the same shapes."""
    for name in ("geom_pos", "geom_quat", "body_ipos", "body_iquat", "mesh_polynormal"):
        theirs, mine = getattr(oracle, name), getattr(ours, name)
        assert np.allclose(theirs, mine, atol=1e-12), name
        if theirs.size:
            mine[:] = theirs


class Model:
    """Two geoms, each on a body of its own, in both engines."""

    def __init__(self, pair, rng, margin=0.0, slender=False):
        self.pair = pair
        self.extent = []
        assets, geoms = [], []
        for index, kind in enumerate(pair):
            asset, geom = self._geom(kind, index, rng, slender)
            assets.append(asset)
            geoms.append(geom)
        fixed = pair[0] in ("plane", "hfield")
        joint = ["" if fixed else "<freejoint/>", "<freejoint/>"]
        xml = f"""<mujoco><compiler boundmass="1" boundinertia="1"/><option gravity="0 0 0"/>
          <asset>{"".join(assets)}</asset><worldbody>
          <body name="a" {'mocap="true"' if fixed else ''}>{joint[0]}<geom {geoms[0]} margin="{margin / 2}"/></body>
          <body name="b">{joint[1]}<geom {geoms[1]} margin="{margin / 2}"/></body></worldbody></mujoco>"""
        self.xml = xml
        self.fixed = fixed
        self.oracle = mujoco.MjModel.from_xml_string(xml)
        self.oracle_data = mujoco.MjData(self.oracle)
        self.ours = corten.Model.from_xml_string(xml)
        same_frames(self.oracle, self.ours)
        self.ours_data = corten.Data(self.ours)

    def _geom(self, kind, index, rng, slender):
        size = rng.uniform(0.1, 0.4, 3)
        if slender:
            size *= 10.0 ** rng.uniform(-3, 1, 3)
        count = {"plane": 0, "hfield": 0, "sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3, "mesh": 0}[kind]
        self.extent.append(np.linalg.norm(size[: max(count, 1)]) if count else 0.4)
        if kind == "plane":
            return "", 'type="plane" size="0 0 1"'
        if kind == "hfield":
            heights = rng.uniform(0, 1, (8, 8))
            asset = f'<hfield name="h{index}" nrow="8" ncol="8" size="0.8 0.8 0.3 0.1" elevation="{_numbers(heights)}"/>'
            return asset, f'type="hfield" hfield="h{index}"'
        if kind == "mesh":
            return f'<mesh name="m{index}" vertex="{_numbers(_hull(rng))}"/>', f'type="mesh" mesh="m{index}"'
        return "", f'type="{kind}" size="{_numbers(size[:count])}"'

    def run(self, pose):
        """Contacts of both engines with body poses (2 x 7)."""
        return self.run_oracle(pose), self.run_ours(pose)

    def run_oracle(self, pose):
        d = self.oracle_data
        self._set(d, pose)
        mujoco.mj_kinematics(self.oracle, d)
        mujoco.mj_comPos(self.oracle, d)
        mujoco.mj_collision(self.oracle, d)
        return Contacts(d)

    def run_ours(self, pose):
        d = self.ours_data
        self._set(d, pose)
        corten.forward(self.ours, d)
        return Contacts(d)

    def _set(self, d, pose):
        if self.fixed:
            d.mocap_pos[0] = pose[0, :3]
            d.mocap_quat[0] = pose[0, 3:]
            d.qpos[:] = pose[1]
        else:
            d.qpos[:] = pose.ravel()
        d.qvel[:] = 0

    def distance(self, pose, reach=2.0):
        d = self.oracle_data
        self._set(d, pose)
        mujoco.mj_kinematics(self.oracle, d)
        fromto = np.zeros(6)
        dist = mujoco.mj_geomDistance(self.oracle, d, 0, 1, reach, fromto)
        return dist, fromto


class Contacts:
    def __init__(self, d):
        c = d.contact
        self.n = int(d.ncon)
        self.dist = np.array(c.dist[: self.n], copy=True)
        self.pos = np.array(c.pos[: self.n], copy=True).reshape(-1, 3)
        self.frame = np.array(c.frame[: self.n], copy=True).reshape(-1, 9)

    def area(self):
        """Of the convex hull of the points, seen along the normal."""
        if self.n < 3:
            return 0.0
        flat = np.stack([(self.pos - self.pos[0]) @ self.frame[0, 3:6], (self.pos - self.pos[0]) @ self.frame[0, 6:]], axis=1)
        points = sorted(map(tuple, flat))
        hull = []
        for sign in (points, points[::-1]):
            part = []
            for p in sign:
                while len(part) > 1 and _turn(part[-2], part[-1], p) <= 0:
                    part.pop()
                part.append(p)
            hull += part[:-1]
        return 0.5 * abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(hull, hull[1:] + hull[:1])))

    def length(self):
        return max((np.linalg.norm(p - q) for p in self.pos for q in self.pos), default=0.0)


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def same_deepest(a, b, tol):
    """The least distance, and the normal there."""
    if (a.n == 0) != (b.n == 0):
        return False
    if a.n == 0:
        return True
    i, k = int(np.argmin(a.dist)), int(np.argmin(b.dist))
    if abs(a.dist[i] - b.dist[k]) > tol:
        return False
    # several points may be as deep: one of them has the normal
    near = b.dist <= b.dist[k] + tol
    return bool((np.abs(b.frame[near, :3] - a.frame[i, :3]).max(axis=1) <= tol).any())


def same_points(a, b, tol):
    """All points, in order, with their frames."""
    if a.n != b.n:
        return False
    return a.n == 0 or max(np.abs(a.dist - b.dist).max(), np.abs(a.pos - b.pos).max(), np.abs(a.frame - b.frame).max()) <= tol


def same_each(a, b, tol):
    """How many contacts are the same, one by one."""
    if a.n != b.n or a.n == 0:
        return 0
    off = np.maximum(np.abs(a.dist - b.dist), np.maximum(np.abs(a.pos - b.pos).max(axis=1), np.abs(a.frame - b.frame).max(axis=1)))
    return int((off <= tol).sum())


def same_patch(a, b, tol):
    """Other points of the same patch."""
    if a.n == 0 or b.n == 0 or not same_deepest(a, b, 100 * tol):
        return False
    if max(a.n, b.n) > 2:
        big = max(a.area(), b.area())
        return abs(a.area() - b.area()) <= 0.05 * big and big > 0
    return abs(a.length() - b.length()) <= 0.05 * max(a.length(), b.length()) and a.n == b.n == 2


def same_depths(a, b, tol=1e-9):
    """Every contact is as deep along the same normal, but at another place of the line or face that is as deep."""
    return a.n == b.n and max(np.abs(a.dist - b.dist).max(), np.abs(a.frame[:, :3] - b.frame[:, :3]).max()) <= tol


def _rotation(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def _turned(q, axis, angle):
    half = np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * axis])
    out = np.zeros(4)
    mujoco.mju_mulQuat(out, q, half)
    return out / np.linalg.norm(out)


def _cube_turn(rng, q):
    """One of the turns that map the axes onto each other, at times with an odd angle about one of them."""
    for axis in np.eye(3)[rng.permutation(3)]:
        q = _turned(q, axis, np.pi / 2 * rng.integers(4))
    if rng.random() < 0.5:
        q = _turned(q, np.eye(3)[rng.integers(3)], rng.uniform(0, 2 * np.pi))
    return q


def pose(kind, model, rng):
    """Poses (2 x 7) of the two bodies."""
    p = np.zeros((2, 7))
    p[0, :3] = rng.uniform(-1, 1, 3)
    p[0, 3:] = _rotation(rng)
    p[1, 3:] = _rotation(rng)
    if kind in ("parallel", "tilted"):
        p[1, 3:] = _cube_turn(rng, p[0, 3:])
    if kind == "tilted":
        axis = rng.normal(size=3)
        p[1, 3:] = _turned(p[1, 3:], axis / np.linalg.norm(axis), 10.0 ** rng.uniform(-12, -1))
    extent = sum(model.extent)
    frame = np.zeros(9)
    mujoco.mju_quat2Mat(frame, p[0, 3:])
    frame = frame.reshape(3, 3)
    if model.pair[0] in ("plane", "hfield"):
        # anywhere above the first geom
        away = rng.uniform(-0.6, 0.6, 3)
        away[2] = rng.uniform(-0.1, 1) * (extent + 0.2)
        away = frame @ away
    else:
        away = rng.normal(size=3)
        if kind in ("parallel", "tilted"):
            away = frame @ (np.eye(3)[rng.integers(3)] * rng.choice([-1, 1]) + rng.uniform(-0.3, 0.3, 3))
        away *= rng.uniform(0.3, 1.0) * extent / np.linalg.norm(away)
        if kind == "deep":
            away *= rng.uniform(0, 0.4)
        if kind == "centred":
            away *= 10.0 ** rng.uniform(-16, -3) if rng.random() < 0.7 else 0.0
    p[1, :3] = p[0, :3] + away
    gap = {"touching": 1e-4, "parallel": 1e-3, "tilted": 1e-3, "margin": MARGIN, "slender": 1e-4}.get(kind)
    if gap is None:
        return p
    # move along the shortest way to a small gap or depth
    for _ in range(2):
        dist, fromto = model.distance(p)
        way = fromto[3:] - fromto[:3]
        length = np.linalg.norm(way)
        if length < 1e-12 or dist > 1.9:
            break
        want = rng.uniform(-0.2, 0.95) * gap if kind == "margin" else rng.uniform(-1, 0.2) * gap
        p[1, :3] -= way / length * (length - want) * np.sign(dist) if dist > 0 else way / length * (-length - want)
    return p


@dataclasses.dataclass
class Failure:
    pair: tuple
    kind: str
    what: str   # deepest, or points
    why: str
    xml: str
    pose: np.ndarray
    oracle: Contacts
    ours: Contacts


class Report:
    def __init__(self, pair):
        self.pair = pair
        self.total = self.touching = self.count = self.deepest = self.points = 0
        self.contacts = self.contacts_same = 0  # one by one, where both have as many
        self.why = collections.Counter()
        self.by_kind = collections.Counter()
        self.failures = []

    def percent(self, n):
        return 100.0 * n / max(self.touching, 1)

    def explained(self, what):
        """Percent that agrees or differs for a known reason."""
        return self.percent(self.touching - self.why[what, "real"])

    def __str__(self):
        reasons = " ".join(f"{w}:{why}={n}" for (w, why), n in sorted(self.why.items()))
        return (
            f"{'-'.join(self.pair):20s} {self.total:6d} poses {self.touching:6d} touch  count {self.percent(self.count):6.2f} %"
            f"  deepest {self.percent(self.deepest):6.2f} %  points {self.percent(self.points):6.2f} %"
            f"  each {100.0 * self.contacts_same / max(self.contacts, 1):6.2f} %  {reasons}"
        )


def explain(model, p, oracle, ours, what, tol, rng, draws=40):
    same = {"deepest": same_deepest, "points": same_points}[what]
    # the points of a height field are no patch: each prism has its own
    patch = same_depths(oracle, ours) if model.pair[0] == "hfield" else same_patch(oracle, ours, tol)
    if what == "points" and patch:
        return "equals"
    for _ in range(draws):
        moved = p + rng.uniform(-1, 1, p.shape) * NUDGE
        if not same(oracle, model.run_oracle(moved), tol):
            return "conditioned"
    return "real"


def survey(pair, poses, seed=0, kinds=KINDS, per_model=25):
    """Judge `poses` poses of a pair of types; touching poses count."""
    rng = np.random.default_rng([seed, *(TYPES.index(t) for t in pair)])
    report, tol = Report(pair), tolerance(pair)
    kinds = itertools.cycle(kinds)
    while report.total < poses:
        kind = next(kinds)
        model = Model(pair, rng, MARGIN if kind == "margin" else 0.0, slender=kind == "slender")
        for _ in range(min(per_model, poses - report.total)):
            p = pose(kind, model, rng)
            oracle, ours = model.run(p)
            report.total += 1
            if oracle.n == 0 and ours.n == 0:
                continue
            report.touching += 1
            report.count += oracle.n == ours.n
            report.contacts += oracle.n
            report.contacts_same += same_each(oracle, ours, tol)
            results = {"deepest": same_deepest(oracle, ours, tol), "points": same_points(oracle, ours, tol)}
            report.deepest += results["deepest"]
            report.points += results["points"]
            for what, ok in results.items():
                if ok:
                    continue
                why = explain(model, p, oracle, ours, what, tol, np.random.default_rng(report.total))
                report.why[what, why] += 1
                report.by_kind[kind, what, why] += 1
                if why == "real":
                    report.failures.append(Failure(pair, kind, what, why, model.xml, p, oracle, ours))
    return report


def _pair_of_bodies(xml):
    model = Model.__new__(Model)
    model.fixed = False
    model.xml = xml
    model.oracle = mujoco.MjModel.from_xml_string(xml)
    model.oracle_data = mujoco.MjData(model.oracle)
    model.ours = corten.Model.from_xml_string(xml)
    model.ours_data = corten.Data(model.ours)
    return model


def survey_field(other, poses, seed=0, options=""):
    """A signed distance field of a mesh against another shape. The first start of a box lies on its corner, where the
    oracle's answer is rounding."""
    rng = np.random.default_rng([seed, len(other)])
    report = Report(("sdf", other))
    body = 'mesh="b"' if other in ("mesh", "sdf") else f'size="{_numbers(rng.uniform(0.1, 0.2, 3))}"'
    model = _pair_of_bodies(f"""<mujoco><option {options}/><asset><mesh name="a" vertex="{_numbers(_hull(rng))}"/>
      <mesh name="b" vertex="{_numbers(_hull(rng))}"/></asset><worldbody>
      <body><freejoint/><geom type="sdf" mesh="a"/></body><body><freejoint/><geom type="{other}" {body}/></body>
      </worldbody></mujoco>""")
    for _ in range(poses):
        p = np.zeros((2, 7))
        p[1, :3] = rng.uniform(-0.25, 0.25, 3)
        p[0, 3:], p[1, 3:] = _rotation(rng), _rotation(rng)
        oracle, ours = model.run(p)
        if oracle.n == 0 and ours.n == 0:
            continue
        report.total += 1
        report.touching += 1
        report.count += oracle.n == ours.n
        if oracle.n == ours.n:
            report.contacts += oracle.n
            report.contacts_same += same_each(oracle, ours, 1e-6)
    return report
