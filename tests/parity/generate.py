"""Random models of the supported subset, one for each seed: for comparisons that no hand-made model would think of."""

import random


class _Writer:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = []
        self.joints = []
        self.count = 0

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def chance(self, p):
        return self.rng.random() < p

    def real(self, lo=-1.0, hi=1.0):
        return f"{self.rng.uniform(lo, hi):.6g}"

    def reals(self, n, lo=-1.0, hi=1.0):
        return " ".join(self.real(lo, hi) for _ in range(n))

    def orientation(self):
        kind = self.rng.choice(["none", "none", "quat", "axisangle", "xyaxes", "zaxis", "euler"])
        sizes = {"quat": 4, "xyaxes": 6, "zaxis": 3}
        if kind == "none":
            return ""
        if kind == "axisangle":
            return f' axisangle="{self.reals(3)} {self.real(-180, 180)}"'
        if kind == "euler":
            return f' euler="{self.reals(3, -180, 180)}"'
        return f' {kind}="{self.reals(sizes[kind])}"'

    def geom(self, indent):
        kind = self.rng.choice(["sphere", "capsule", "ellipsoid", "cylinder", "box"])
        text = f'{indent}<geom type="{kind}"'
        if self.chance(0.5):
            text += f' name="{self.name("g")}"'
        if kind in ("capsule", "cylinder") and self.chance(0.4):
            text += f' fromto="{self.reals(6, -0.3, 0.3)}" size="{self.real(0.02, 0.1)}"'
        elif kind in ("ellipsoid", "box") and self.chance(0.2):
            text += f' fromto="{self.reals(6, -0.3, 0.3)}" size="{self.reals(2, 0.02, 0.1)}"'
        else:
            number = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)
            text += f' size="{self.reals(number, 0.02, 0.2)}"'
            if self.chance(0.7):
                text += f' pos="{self.reals(3, -0.3, 0.3)}"{self.orientation()}'
        if self.chance(0.2):
            text += f' mass="{self.real(0.01, 5)}"'
        elif self.chance(0.2):
            text += f' density="{self.real(100, 3000)}"'
        if self.chance(0.15):
            text += ' shellinertia="true"'
        if self.chance(0.3):
            text += f' group="{self.rng.randint(0, 5)}" rgba="{self.reals(4, 0, 1)}"'
        if self.chance(0.2):
            text += f' margin="{self.real(0, 0.1)}" gap="{self.real(0, 0.1)}" friction="{self.reals(2, 0, 1)}"'
        if self.chance(0.2):
            text += f' contype="{self.rng.randint(0, 7)}" conaffinity="{self.rng.randint(0, 7)}"'
        if self.chance(0.1):
            text += f' user="{self.reals(self.rng.randint(1, 3))}"'
        if self.chance(0.3):
            text += f' class="{self.rng.choice(["soft", "hard"])}"'
        self.lines.append(text + "/>")

    def joint(self, indent, kind, axis):
        name = self.name("j")
        text = f'{indent}<joint name="{name}" type="{kind}"'
        if self.chance(0.6):
            text += f' pos="{self.reals(3, -0.2, 0.2)}"'
        if kind != "ball":
            text += f' axis="{axis}"'
            if self.chance(0.3):
                text += f' ref="{self.real(-20, 20)}"'
            if self.chance(0.4):
                text += f' springref="{self.real(-20, 20)}"'
        if self.chance(0.4):
            text += f' stiffness="{self.reals(self.rng.randint(1, 3), 0, 10)}"'
        if self.chance(0.4):
            text += f' damping="{self.reals(self.rng.randint(1, 3), 0, 1)}"'
        if self.chance(0.3):
            text += f' armature="{self.real(0, 0.1)}"'
        if self.chance(0.1):
            text += f' springdamper="{self.real(0.1, 1)} {self.real(0.1, 2)}"'
        if self.chance(0.2):
            low = "0" if kind == "ball" else self.real(-90, 0)
            text += f' range="{low} {self.real(1, 90)}"'
        if self.chance(0.1):
            text += f' actuatorfrcrange="{self.real(-2, 0)} {self.real(0.1, 2)}"'
        if self.chance(0.3):
            text += f' class="{self.rng.choice(["soft", "hard"])}"'
        self.lines.append(text + "/>")
        self.joints.append((name, kind))

    def joints_of(self, indent, depth):
        choice = self.rng.random()
        # no two joints of a body share an axis: the mass matrix would be singular
        axes = ["1 0 0", "0 1 0", "0 0 1", self.reals(3)]
        self.rng.shuffle(axes)
        if depth == 1 and choice < 0.25:
            name = self.name("free")
            self.lines.append(f'{indent}<freejoint name="{name}"/>')
            self.joints.append((name, "free"))
        elif choice < 0.4:
            pass
        elif choice < 0.55:
            for _ in range(self.rng.randint(0, 2)):
                self.joint(indent, "slide", axes.pop())
            self.joint(indent, "ball", axes.pop())
        else:
            for _ in range(self.rng.randint(1, 3)):
                self.joint(indent, self.rng.choice(["hinge", "hinge", "slide"]), axes.pop())

    def inertial(self, indent):
        text = f'{indent}<inertial pos="{self.reals(3, -0.2, 0.2)}" mass="{self.real(0.1, 5)}"'
        if self.chance(0.5):
            text += f' diaginertia="{self.reals(3, 0.5, 0.9)}"{self.orientation()}'
        else:
            text += f' fullinertia="{self.reals(3, 0.5, 0.9)} {self.reals(3, -0.1, 0.1)}"'
        self.lines.append(text + "/>")

    def body(self, depth):
        indent = "  " * (depth + 1)
        text = f'{indent}<body name="{self.name("b")}" pos="{self.reals(3, -0.5, 0.5)}"{self.orientation()}'
        if self.chance(0.2):
            text += f' childclass="{self.rng.choice(["soft", "hard"])}"'
        if self.chance(0.05):
            text += ' simple="false"'
        self.lines.append(text + ">")
        inner = indent + "  "
        self.joints_of(inner, depth)
        if self.chance(0.3):
            self.inertial(inner)
        for _ in range(self.rng.choice([1, 1, 1, 2, 2, 3, 5, 8])):
            self.geom(inner)
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            kind = self.rng.choice(["sphere", "box", "capsule"])
            self.lines.append(f'{inner}<site name="{self.name("s")}" type="{kind}" pos="{self.reals(3)}"'
                              f'{self.orientation()} size="{self.reals(3, 0.01, 0.1)}"/>')
        if depth < 5:
            for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
                self.body(depth + 1)
        self.lines.append(indent + "</body>")

    def actuators(self):
        self.lines.append("  <actuator>")
        for name, kind in self.joints:
            if not self.chance(0.5):
                continue
            gears = {"free": 6, "ball": 3}.get(kind, 1)
            text = f'    <motor joint="{name}" gear="{self.reals(gears, -3, 3)}"'
            if kind in ("free", "ball") and self.chance(0.3):
                text = text.replace("joint=", "jointinparent=")
            if self.chance(0.4):
                text += f' ctrlrange="{self.real(-1, 0)} {self.real(0.1, 1)}"'
            if self.chance(0.3):
                text += f' forcerange="{self.real(-1, 0)} {self.real(0.1, 1)}"'
            if self.chance(0.3):
                text += f' group="{self.rng.randint(0, 3)}"'
            self.lines.append(text + f' name="{self.name("m")}"/>')
        self.lines.append("  </actuator>")

    def option(self):
        flags = 'contact="disable" limit="disable" frictionloss="disable"'
        for flag in ("gravity", "spring", "damper", "eulerdamp", "clampctrl", "actuation"):
            if self.chance(0.1):
                flags += f' {flag}="disable"'
        if self.chance(0.5):
            flags += ' energy="enable"'
        text = f'  <option timestep="{self.real(0.0005, 0.003)}"'
        if self.chance(0.3):
            text += f' gravity="{self.reals(3, -10, 10)}"'
        if self.chance(0.2):
            text += ' actuatorgroupdisable="1 3"'
        self.lines.append(text + f"><flag {flags}/></option>")

    def compiler(self):
        text = "  <compiler"
        if self.chance(0.2):
            text += f' eulerseq="{self.rng.choice(["xyz", "zyx", "XYZ", "zxz", "XyZ"])}"'
        if self.chance(0.2):
            text += ' angle="radian"'
        if self.chance(0.1):
            text += ' inertiafromgeom="true"'
        if self.chance(0.1):
            text += ' inertiagrouprange="0 3" boundmass="0.05" boundinertia="0.001"'
        self.lines.append(text + "/>")

    def model(self):
        self.lines.append('<mujoco model="random">')
        self.compiler()
        self.option()
        self.lines += [
            "  <default>",
            f'    <geom density="{self.real(200, 2000)}"/>',
            f'    <default class="soft"><joint damping="{self.real(0, 1)}" stiffness="{self.real(0, 3)}"/>'
            f'<geom rgba="1 0 0 1" euler="{self.reals(3, -90, 90)}"/><motor gear="2"/></default>',
            f'    <default class="hard"><joint armature="{self.real(0, 0.5)}"/><geom friction="0.3"/>'
            '<default class="harder"><geom density="5000"/></default></default>',
            "  </default>",
            "  <worldbody>",
        ]
        if self.chance(0.5):
            self.lines.append(f'    <geom type="plane" size="{self.reals(3, 0.1, 9)}" pos="0 0 -1"/>')
        if self.chance(0.3):
            self.geom("    ")
        for _ in range(self.rng.randint(1, 4)):
            self.body(1)
        self.lines.append("  </worldbody>")
        self.actuators()
        self.lines.append("</mujoco>")
        return "\n".join(self.lines)


def random_model(seed):
    """MJCF text of the model number `seed`."""
    return _Writer(seed).model()
