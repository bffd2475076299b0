"""Random scenes of stacks, chains, tendons and equalities that fall asleep, and events that wake them."""

import random

import numpy as np

STIFF, DAMPED = 'stiffness="5"', 'damping="2"'
JOINT_NUMBERS = {0: 7, 1: 4, 2: 1, 3: 1}  # positions of a free joint, ball, slide, hinge


def _shape(r):
    kind = r.choice(["sphere", "box", "capsule"])
    size = {
        "sphere": [r.uniform(0.05, 0.15)],
        "box": [r.uniform(0.05, 0.15) for _ in range(3)],
        "capsule": [r.uniform(0.04, 0.08), r.uniform(0.05, 0.15)],
    }[kind]
    return f'<geom type="{kind}" size="{" ".join(f"{x:.4g}" for x in size)}" condim="{r.choice([1, 3, 3, 4, 6])}"/>'


class _Scene:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.bodies, self.tendons, self.equalities, self.actuators, self.sensors, self.names = [], [], [], [], [], []

    def number(self, low, high):
        return f"{self.r.uniform(low, high):.4g}"

    def policy(self):
        policy = self.r.choice([""] * 6 + ["allowed", "never", "init"])
        return f' sleep="{policy}"' if policy else ""

    def name(self):
        self.names.append(f"b{len(self.names)}")
        return self.names[-1]

    def stack(self):
        x, y = self.number(-1, 1), self.number(-1, 1)
        for level in range(self.r.randint(2, 4)):
            n = self.name()
            # a little into each other: where faces just touch, rounding decides in how many points
            self.bodies.append(
                f'<body name="{n}" pos="{x} {y} {0.0999 + 0.1998 * level:.4f}" euler="0 0 {7 * level}"{self.policy()}>'
                f'<freejoint/><geom type="box" size=".1 .1 .1"/><site name="s{n}"/></body>')

    def free(self):
        for _ in range(self.r.randint(1, 4)):
            n = self.name()
            self.bodies.append(
                f'<body name="{n}" pos="{self.number(-1, 1)} {self.number(-1, 1)} {self.number(0.2, 0.8)}" '
                f'euler="{self.number(0, 90)} {self.number(0, 90)} 0"{self.policy()}><freejoint/>{_shape(self.r)}'
                f'<site name="s{n}"/></body>')

    def chain(self, driven=False):
        r, text, end = self.r, "", ""
        x, y, policy = self.number(-1, 1), self.number(-1, 1), self.policy()
        for link in range(r.randint(1, 3)):
            n, kind = self.name(), r.choice(["hinge", "hinge", "slide", "ball"])
            span = {"ball": "0 40", "hinge": "-40 40", "slide": "-.2 .2"}[kind]
            place = f"{x} {y} 1" if link == 0 else "0 0 -.3"
            text += (
                f'<body name="{n}" pos="{place}"{policy if link == 0 else ""}><joint name="j{n}" type="{kind}" '
                f'axis="{r.choice(["1 0 0", "0 1 0", "0 0 1"])}" damping="{self.number(0.5, 3)}" '
                f'stiffness="{r.choice([0, 0, 5])}" frictionloss="{r.choice([0, 0, 0.1])}" '
                f'limited="{"true" if r.random() < 0.3 else "false"}" range="{span}"/>'
                f'<geom type="capsule" size=".04 .1" pos="0 0 -.15"/><site name="s{n}" pos="0 0 -.2"/>')
            end += "</body>"
            if driven and kind in ("hinge", "slide") and r.random() < 0.6:
                self.actuators.append(r.choice([
                    f'<motor joint="j{n}"/>', f'<position joint="j{n}" kp="5"/>', f'<motor site="s{n}" gear="0 0 1 0 0 0"/>',
                    f'<general joint="j{n}" dyntype="integrator" gainprm="1"/>', f'<adhesion body="{n}" ctrlrange="0 1"/>']))
        if r.random() < 0.4:  # hung on a static body
            text, end = '<body pos=".1 0 0"><geom size=".02"/>' + text, end + "</body>"
        self.bodies.append(text + end)

    def tie(self, mocap):
        r = self.r
        for k in range(r.randint(0, 2)):
            if len(self.names) < 2:
                break
            a, b = r.sample(self.names, 2)
            self.tendons.append(
                f'<spatial name="t{k}" {r.choice(["", "", STIFF, DAMPED])} '
                f'limited="{r.choice(["true", "false"])}" range="0 {self.number(0.3, 1.5)}" '
                f'frictionloss="{r.choice([0, 0, 0.3])}" armature="{r.choice([0, 0, 0.1])}">'
                f'<site site="s{a}"/><site site="s{b}"/></spatial>')
            self.sensors.append(f'<tendonpos tendon="t{k}"/><tendonvel tendon="t{k}"/>')
        for _ in range(r.randint(0, 2)):
            if len(self.names) < 2:
                break
            a, b = r.sample(self.names, 2)
            kinds = [f'<connect body1="{a}" body2="{b}" anchor="0 0 0"', f'<weld body1="{a}" body2="{b}"']
            if mocap:
                kinds.append(f'<weld body1="{a}" body2="moc"')
            self.equalities.append(
                f'{r.choice(kinds)} active="{r.choice(["true", "false"])}" solref="{self.number(0.02, 0.2)} 1"/>')

    def sense(self):
        r = self.r
        for n in self.names:
            if r.random() < 0.5:
                self.sensors.append(r.choice([
                    f'<accelerometer site="s{n}"/>', f'<velocimeter site="s{n}"/>', f'<touch site="s{n}"/>',
                    f'<framepos objtype="body" objname="{n}" reftype="body" refname="{r.choice(self.names)}"/>',
                    f'<framelinvel objtype="body" objname="{n}"/>', f'<force site="s{n}"/>', f'<subtreecom body="{n}"/>',
                    f'<rangefinder site="s{n}"/>', f'<framelinacc objtype="body" objname="{n}"/>',
                    f'<subtreelinvel body="{n}"/>']))


def scene(seed, solvers=("Newton", "Newton", "Newton", "PGS")):
    """The MJCF of a random scene. Some are refused, by MuJoCo too: a policy that a tendon contradicts."""
    s = _Scene(seed)
    r = s.r
    for k in range(r.randint(1, 4)):
        kind = r.choice(["stack", "free", "free", "chain", "static", "arm"])
        if kind == "static":
            s.bodies.append(f'<body pos="{s.number(-1, 1)} {s.number(-1, 1)} .05"><geom type="box" size=".3 .3 .05"/></body>')
        elif kind == "arm":
            s.chain(driven=True)
        else:
            getattr(s, kind)()
    mocap = r.random() < 0.4
    if mocap:
        s.bodies.append('<body name="moc" mocap="true" pos="0 0 .2"><geom type="sphere" size=".1"/></body>')
    s.tie(mocap)
    s.sense()
    return f"""<mujoco>
<option timestep="{r.choice([0.002, 0.004, 0.005])}" integrator="{r.choice(["Euler", "Euler", "implicitfast", "implicit"])}"
 cone="{r.choice(["pyramidal", "elliptic"])}" solver="{r.choice(solvers)}" iterations="100"
 sleep_tolerance="{r.choice([1e-3, 1e-2, 0.05, 0.05])}">
<flag sleep="enable" energy="{r.choice(["enable", "disable"])}"/></option>
<worldbody><geom type="plane" size="5 5 .1"/>{"".join(s.bodies)}</worldbody>
<tendon>{"".join(s.tendons)}</tendon><equality>{"".join(s.equalities)}</equality>
<actuator>{"".join(s.actuators)}</actuator><sensor>{"".join(s.sensors)}<clock/></sensor></mujoco>"""


class Events:
    """Something that happens now and then, the same to every data: a force, a push, a teleport, a mocap body that
    moves, an equality that is switched."""

    def __init__(self, model, seed, every=150):
        self.model, self.rng, self.every = model, np.random.default_rng(seed), every

    def __call__(self, step, *datas):
        m, rng = self.model, self.rng
        for d in datas:
            d.xfrc_applied[:] = 0
            d.qfrc_applied[:] = 0
        if step % self.every != self.every - 1 or m.ntree == 0:
            return
        kind, tree = int(rng.integers(0, 6)), int(rng.integers(0, m.ntree))
        body, dof = int(m.tree_bodyadr[tree]), int(m.tree_dofadr[tree])
        adr = int(m.jnt_qposadr[m.dof_jntid[dof]])
        push, place, shift = rng.normal(size=6), rng.uniform([-1, -1, 0.1], [1, 1, 0.5]), rng.normal() * 0.02
        ctrl = rng.normal(size=m.nu) * 0.2
        eq = int(rng.integers(0, m.neq)) if m.neq else -1
        for d in datas:
            if kind == 0:
                d.xfrc_applied[body] = 5 * push
            elif kind == 1:
                d.qfrc_applied[dof] = 3 * push[0]
            elif kind == 2:
                d.qvel[dof] = 0.5 * push[0]
            elif kind == 3:
                d.qpos[adr] += shift
            elif kind == 4 and m.nmocap:
                d.mocap_pos[0] = place
            elif kind == 5 and m.neq:
                d.eq_active[eq] = not d.eq_active[eq]
            d.ctrl[:] = ctrl
