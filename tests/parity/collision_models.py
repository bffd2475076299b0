"""Contacts of whole models beside the oracle: at random states, and along a rollout of the oracle with random controls.

Contacts must be the same in number and order, with every field: parameters to 1e-12, distance, position and frame to 1e-9
for pairs with a formula, to 1e-6 for pairs that are searched. What differs is explained as in collisions.py, one pair of
geoms at a time:

    conditioned  the oracle's own contacts change by as much when its input moves by 1e-13
    equals       other points of the same patch, or the same points in another order
    touching     one engine has a contact less than 1e-6 deep, the tolerance of the search, and the other none
    real         none of these
"""

import collections
import dataclasses

import corten
import mujoco
import numpy as np
from collisions import ANALYTIC, NUDGE, Contacts, same_deepest, same_depths, same_patch

GEOMS = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
PARAMETERS = ("dim", "includemargin", "friction", "solref", "solreffriction", "solimp", "adhesion", "exclude")
DRAWS = 20


class Group(Contacts):
    """The contacts of one pair of geoms."""

    def __init__(self, listing, rows):
        self.n = len(rows)
        self.dist, self.pos, self.frame = listing.dist[rows], listing.pos[rows], listing.frame[rows]


class Listing(Contacts):
    """All contacts of a state."""

    def __init__(self, d):
        super().__init__(d)
        c = d.contact
        self.geom = np.stack([np.array(c.geom1[: self.n]), np.array(c.geom2[: self.n])], axis=1)
        columns = [np.array(getattr(c, p)[: self.n], float) for p in PARAMETERS]
        self.parameters = np.concatenate([x.reshape(self.n, -1) for x in columns], axis=1) if self.n else np.zeros((0, 1))

    def groups(self):
        rows = collections.defaultdict(list)
        for i, pair in enumerate(map(tuple, self.geom.tolist())):
            rows[pair].append(i)
        return {pair: Group(self, at) for pair, at in rows.items()}


@dataclasses.dataclass
class Result:
    """What came out for one model."""

    states: int = 0
    lists: int = 0  # states with the same number and order of contacts
    contacts: int = 0
    same: int = 0
    worst: float = 0.0  # difference of a parameter
    why: collections.Counter = dataclasses.field(default_factory=collections.Counter)  # contacts that differ
    real: list = dataclasses.field(default_factory=list)

    def __str__(self):
        percent = 100.0 * self.same / self.contacts if self.contacts else 100.0
        reasons = " ".join(f"{why}={n}" for why, n in sorted(self.why.items()))
        return f"{self.lists:5d} of {self.states:5d} lists  {self.contacts:8d} contacts  {percent:7.3f} % same  parameters {self.worst:.0e}  {reasons}"


class Comparison:
    def __init__(self, path):
        self.oracle, self.ours = mujoco.MjModel.from_xml_path(str(path)), corten.Model.from_xml_path(str(path))
        self.theirs, self.mine = mujoco.MjData(self.oracle), corten.Data(self.ours)
        self.nudged = mujoco.MjData(self.oracle)
        self.result = Result()

    def tolerance(self, pair):
        kinds = tuple(GEOMS[t] for t in sorted(self.oracle.geom_type[list(pair)]))
        return 1e-9 if kinds in ANALYTIC else 1e-6

    def margin(self, pair):
        return self.oracle.geom_margin[list(pair)].sum() + self.oracle.geom_gap[list(pair)].sum()

    def judge(self, rng):
        """Compare the contacts of the oracle's state, which its own data holds."""
        theirs, mine, result = self.theirs, self.mine, self.result
        for name in ("qpos", "mocap_pos", "mocap_quat"):
            if getattr(theirs, name).size:
                getattr(mine, name)[...] = getattr(theirs, name)
        corten.forward_position(self.ours, mine)
        a, b = Listing(theirs), Listing(mine)
        result.states += 1
        result.contacts += a.n
        if np.array_equal(a.geom, b.geom):
            result.lists += 1
            if a.n:
                result.worst = max(result.worst, np.abs(a.parameters - b.parameters).max())
        ours, moved = b.groups(), None
        empty = Group(b, [])
        groups = a.groups()
        for pair in {**groups, **ours}:
            p, q, tol = groups.get(pair, empty), ours.get(pair, empty), self.tolerance(pair)
            off = self.offset(p, q)
            result.same += int((off <= tol).sum())
            bad = max(p.n, q.n) if p.n != q.n else int((off > tol).sum())
            if bad == 0:
                continue
            if moved is None:
                moved = [self.nudge(rng) for _ in range(DRAWS)]
            why = self.explain(p, q, pair, moved, tol)
            result.why[why] += bad
            if why == "real":
                result.real.append((pair, p, q))

    @staticmethod
    def offset(p, q):
        if p.n != q.n or p.n == 0:
            return np.full(p.n, np.inf)
        off = np.maximum(np.abs(p.pos - q.pos).max(axis=1), np.abs(p.frame - q.frame).max(axis=1))
        return np.maximum(np.abs(p.dist - q.dist), off)

    def nudge(self, rng):
        d, noise = self.nudged, NUDGE * rng.uniform(-1, 1, self.oracle.nq)
        d.qpos[:] = self.theirs.qpos + noise
        d.mocap_pos[:], d.mocap_quat[:] = self.theirs.mocap_pos, self.theirs.mocap_quat
        mujoco.mj_kinematics(self.oracle, d)
        mujoco.mj_comPos(self.oracle, d)
        mujoco.mj_collision(self.oracle, d)
        return Listing(d).groups()

    def explain(self, p, q, pair, moved, tol):
        if p.n and q.n and (same_patch(p, q, tol) or same_depths(p, q) or self.reordered(p, q, tol)):
            return "equals"
        if min(p.n, q.n) == 0 and np.abs(np.concatenate([p.dist, q.dist]) - self.margin(pair)).max() <= 1e-6:
            return "touching"
        for other in moved:
            r = other.get(pair)
            if r is None or r.n != p.n or (p.n and not (self.offset(p, r) <= tol).all() and self.as_much(p, q, r, tol)):
                return "conditioned"
        return "real"

    def as_much(self, p, q, r, tol):
        """The oracle's own change is of the size of the difference: a tenth of it at least, or a deepest point that moves too."""
        if p.n != q.n or not same_deepest(p, r, tol):
            return True
        return self.offset(p, r).max() >= 0.1 * self.offset(p, q).max()

    @staticmethod
    def reordered(p, q, tol):
        if p.n != q.n:
            return False
        near = np.abs(p.pos[:, None] - q.pos[None]).max(axis=2) <= tol
        return bool(near.any(axis=0).all() and near.any(axis=1).all() and abs(p.dist.min() - q.dist.min()) <= tol)

    def random_states(self, count, seed=0):
        rng = np.random.default_rng(seed)
        for _ in range(count):
            mujoco.mj_resetData(self.oracle, self.theirs)
            mujoco.mj_integratePos(self.oracle, self.theirs.qpos, 0.5 * rng.normal(size=self.oracle.nv), 1)
            mujoco.mj_fwdPosition(self.oracle, self.theirs)
            self.judge(rng)

    def rollout(self, steps, seed=0):
        rng = np.random.default_rng(seed)
        m, d = self.oracle, self.theirs
        mujoco.mj_resetData(m, d)
        if m.nkey:
            mujoco.mj_resetDataKeyframe(m, d, 0)
        low, high = m.actuator_ctrlrange.T
        limited = m.actuator_ctrllimited.astype(bool)
        for step in range(steps):
            if step % 20 == 0:
                d.ctrl[:] = np.where(limited, rng.uniform(low, high), rng.uniform(-0.3, 0.3, m.nu))
            mujoco.mj_step1(m, d)
            self.judge(rng)
            mujoco.mj_step2(m, d)


def survey_model(path, states=20, steps=500, seed=0):
    comparison = Comparison(path)
    comparison.random_states(states, seed)
    comparison.rollout(steps, seed)
    return comparison.result
