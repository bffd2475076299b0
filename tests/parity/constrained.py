"""Small random models full of constraints, one for each seed: every kind of row with parameters from everywhere,
the edges included. Shapes are spheres and planes, whose contacts leave nothing to the collision search."""

import random


class _Writer:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.scalars, self.bodies, self.sites, self.geoms, self.tendons = [], [], [], [], []
        self.joints = 0

    def chance(self, p):
        return self.rng.random() < p

    def reals(self, n, lo=-1.0, hi=1.0):
        return " ".join(f"{self.rng.uniform(lo, hi):.6g}" for _ in range(n))

    def one_of(self, *choices):
        return self.rng.choice(choices)

    # ---- parameters of constraints

    def solref(self):
        """Both modes, shorter than two steps, and signs that mean nothing."""
        return self.one_of(
            f"{self.reals(1, 0.005, 0.1)} {self.reals(1, 0.2, 2)}",
            f"{self.reals(1, 1e-4, 3e-3)} 1",
            f"{self.reals(1, -3000, -10)} {self.reals(1, -100, -1)}",
            f"{self.reals(1, -3000, -10)} 0",
            "0.02 1",
            self.one_of("0.05 -1", "-100 1", "0.01 0.5"),
        )

    def solimp(self):
        """All five numbers, with bounds that coincide, are reversed or lie outside, no width, midpoints and powers at
        their ends."""
        bounds = self.one_of(f"{self.reals(1, 0.1, 0.9)} {self.reals(1, 0.9, 0.99)}", "0.9 0.9", "0.95 0.6", "0 1", "1 1", "0.3 0.999999")
        width = self.one_of(self.reals(1, 1e-3, 0.3), "0", "1e-16", "0.001", "5")
        middle = self.one_of(self.reals(1, 0.1, 0.9), "0", "1", "0.5")
        power = self.one_of("1", "2", "3", self.reals(1, 1, 6), "0.5")
        return f"{bounds} {width} {middle} {power}"

    def soft(self, kind=""):
        text = ""
        if self.chance(0.7):
            text += f' solref{kind}="{self.solref()}"'
        if self.chance(0.7):
            text += f' solimp{kind}="{self.solimp()}"'
        return text

    # ---- the tree

    def geom(self):
        name = f"g{len(self.geoms)}"
        self.geoms.append(name)
        text = f'<geom name="{name}" size="{self.reals(1, 0.1, 0.3)}" pos="{self.reals(3, -0.2, 0.2)}" condim="{self.one_of(1, 3, 4, 6)}"{self.soft()}'
        text += f' friction="{self.one_of(self.reals(3, 0, 1.5), "0 0 0", "1 0 0", "5 2 1")}"'
        if self.chance(0.3):
            text += f' margin="{self.reals(1, 0, 0.1)}"'
        if self.chance(0.2):
            text += f' gap="{self.reals(1, 0, 0.05)}"'
        if self.chance(0.2):
            text += f' priority="{self.one_of(0, 1, 2)}" solmix="{self.reals(1, 0, 3)}"'
        if self.chance(0.15):
            text += f' surfacevel="{self.reals(self.one_of(3, 6))}"'
        if self.chance(0.15):
            text += f' adhesion="{self.reals(1, 0, 20)}"'
        return text + "/>"

    def joint(self, kind, axis):
        name = f"j{self.joints}"
        self.joints += 1
        text = f'<joint name="{name}" type="{kind}" pos="{self.reals(3, -0.1, 0.1)}"'
        if kind != "ball":
            text += f' axis="{axis}"'
            self.scalars.append(name)
        if self.chance(0.4):
            text += f' frictionloss="{self.one_of(self.reals(1, 0, 5), "1e-6", "1000")}"{self.soft("friction")}'
        if self.chance(0.5):
            # some are violated from the start, some on both sides at once
            low, high = sorted(self.rng.uniform(-0.5, 0.5) for _ in range(2))
            text += f' limited="true" range="{0 if kind == "ball" else f"{low:.5g}"} {high if kind != "ball" else abs(high) + 0.1:.5g}"{self.soft("limit")}'
            if self.chance(0.5):
                text += f' margin="{self.reals(1, 0, 0.7)}"'
        if self.chance(0.3):
            text += f' armature="{self.reals(1, 0.01, 1)}"'
        return text + "/>"

    def body(self, depth):
        name = f"b{len(self.bodies)}"
        self.bodies.append(name)
        site = f"s{len(self.sites)}"
        self.sites.append(site)
        text = f'<body name="{name}" pos="{self.reals(2, -0.4, 0.4)} {self.reals(1, 0, 0.4)}" euler="{self.reals(3)}">'
        if depth == 0 and self.chance(0.5):
            text += "<freejoint/>"
        else:
            axes = ["1 0 0", "0 1 0", "0 0 1"]
            self.rng.shuffle(axes)
            last = self.one_of("hinge", "slide", "ball")  # nothing turns behind a ball
            for kind in [self.one_of("hinge", "slide") for _ in range(self.one_of(0, 0, 1, 2))] + [last]:
                text += self.joint("slide" if last == "ball" and kind == "hinge" else kind, axes.pop())
        text += self.geom() + f'<site name="{site}" pos="{self.reals(3, -0.3, 0.3)}" euler="{self.reals(3)}"/>'
        while depth < 3 and self.chance(0.4):
            text += self.body(depth + 1)
        return text + "</body>"

    # ---- constraints beside the tree

    def tendon(self):
        name = f"t{len(self.tendons)}"
        self.tendons.append(name)
        spatial = len(self.sites) > 1 and (not self.scalars or self.chance(0.5))
        low, high = sorted(self.rng.uniform(0 if spatial else -0.5, 1) for _ in range(2))
        text = f'<{"spatial" if spatial else "fixed"} name="{name}" limited="{self.one_of("true", "false")}" range="{low:.5g} {high:.5g}"{self.soft("limit")}'
        if self.chance(0.5):
            text += f' frictionloss="{self.reals(1, 0, 3)}"{self.soft("friction")}'
        if self.chance(0.4):
            text += f' margin="{self.reals(1, 0, 0.5)}"'
        if spatial:
            inner = "".join(f'<site site="{s}"/>' for s in self.rng.sample(self.sites, 2))
        else:
            inner = "".join(f'<joint joint="{j}" coef="{self.reals(1)}"/>' for j in self.rng.sample(self.scalars, min(len(self.scalars), 2)))
        return text + f'>{inner}</{"spatial" if spatial else "fixed"}>'

    def pair_of(self, names):
        return self.rng.sample(names, 2) if len(names) > 1 else [names[0], None]

    def equality(self):
        kinds = ["connect", "weld", "connect sites", "weld sites"] + ["joint"] * bool(self.scalars) + ["tendon"] * bool(self.tendons)
        kind = self.rng.choice(kinds)
        end = f'{self.soft()} active="{self.one_of("true", "true", "false")}"/>'
        if kind in ("joint", "tendon"):
            one, two = self.pair_of(self.scalars if kind == "joint" else self.tendons)
            other = f' {kind}2="{two}"' if two and self.chance(0.7) else ""
            return f'<{kind} {kind}1="{one}"{other} polycoef="{self.reals(5)}"' + end
        if "sites" in kind and len(self.sites) > 1:
            one, two = self.pair_of(self.sites)
            scale = f' torquescale="{self.one_of(self.reals(1, 0.1, 3), "0")}"' if "weld" in kind else ""
            return f'<{kind.split()[0]} site1="{one}" site2="{two}"{scale}' + end
        one, two = self.pair_of(self.bodies)
        other = f' body2="{two}"' if two and self.chance(0.8) else ""
        if "connect" in kind:
            return f'<connect body1="{one}"{other} anchor="{self.reals(3, -0.3, 0.3)}"' + end
        pose = f' relpose="{self.reals(3, -0.3, 0.3)} {self.reals(4)}"' if self.chance(0.6) else ""
        pose += f' anchor="{self.reals(3, -0.3, 0.3)}" torquescale="{self.one_of(self.reals(1, 0.1, 3), "1", "0")}"'
        return f'<weld body1="{one}"{other}{pose}' + end

    def pair(self):
        one, two = self.pair_of([*self.geoms, "floor"])
        text = f'<pair geom1="{one}" geom2="{two}" condim="{self.one_of(1, 3, 4, 6)}"{self.soft()} friction="{self.reals(5, 0, 1)}" margin="{self.reals(1, 0, 0.2)}"'
        if self.chance(0.5):
            text += f' solreffriction="{self.solref()}"'
        return text + "/>"

    def option(self):
        flags = "".join(f' {name}="{value}"' for name, value, p in (
            ("refsafe", "disable", 0.3), ("override", "enable", 0.25), ("diagexact", "enable", 0.25), ("gravity", "disable", 0.2), ("warmstart", "disable", 0.3),
        ) if self.chance(p))
        text = f'<option timestep="{self.one_of("0.002", "0.01")}" impratio="{self.one_of("1", "1", "0.1", "7", "100")}"'
        text += f' o_margin="{self.reals(1, 0, 0.1)}" o_solref="{self.solref()}" o_solimp="{self.solimp()}" o_friction="{self.reals(5, 0, 1.5)}"'
        return text + f"><flag{flags}/></option>"

    def model(self):
        world = '<geom name="floor" type="plane" size="5 5 1"' + self.geom().split('"', 2)[2].split("size=", 1)[1].split('"', 2)[2]
        self.geoms.clear()
        world += "".join(self.body(0) for _ in range(self.one_of(1, 2, 3)))
        tendons = "".join(self.tendon() for _ in range(self.one_of(0, 1, 2))) if len(self.sites) > 1 or self.scalars else ""
        equalities = "".join(self.equality() for _ in range(self.one_of(0, 1, 2, 3)))
        pairs = "".join(self.pair() for _ in range(self.one_of(0, 0, 1, 2)))
        return (f"<mujoco>{self.option()}<compiler angle=\"radian\"/><worldbody>{world}</worldbody><tendon>{tendons}</tendon>"
                f"<equality>{equalities}</equality><contact>{pairs}</contact></mujoco>")


def constrained_model(seed):
    """MJCF text."""
    return _Writer(seed).model()
