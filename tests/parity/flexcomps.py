"""Random deformables: flexcomps of every type, dimension and kind of dofs, with files made here."""

import itertools
import struct

import numpy as np

TYPES = ("grid1", "circle", "grid2", "square", "disc", "grid3", "box2", "cylinder2", "ellipsoid2", "box3", "cylinder3", "ellipsoid3",
         "direct1", "direct2", "direct3", "mesh2", "mesh3", "gmsh2", "gmsh3")
CELL = ((0, 3, 1, 7), (0, 1, 4, 7), (1, 3, 2, 7), (1, 2, 6, 7), (1, 5, 4, 7), (1, 6, 5, 7))
LARGEST = 350  # points


def numbers(values):
    return " ".join(repr(float(v)) for v in np.ravel(values))


def ids(values):
    return " ".join(str(int(v)) for v in np.ravel(values))


# ---- shapes


def lattice(rng, dim, most=5):
    """A jittered grid: points, and the elements between them."""
    count = [int(rng.integers(2, most + 1)) if k < dim else 1 for k in range(3)]
    index = {c: i for i, c in enumerate(itertools.product(*map(range, count)))}
    points = np.array([np.array(c) * 0.1 for c in index]) + rng.uniform(-0.01, 0.01, (len(index), 3)) * (np.arange(3) < max(dim, 2))
    elements = []
    for i, j, k in itertools.product(*(range(max(n - 1, 1)) for n in count)):
        if dim == 1:
            elements.append((index[i, j, k], index[i + 1, j, k]))
        elif dim == 2:
            a, b, c, d = index[i, j, k], index[i + 1, j, k], index[i + 1, j + 1, k], index[i, j + 1, k]
            elements += [(a, b, c), (a, c, d)]
        else:
            corner = [index[i + x, j + y, k + z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
            elements += [tuple(corner[v] for v in tet) for tet in CELL]
    return points, np.array(elements)


def ball(rng, rings=4, sides=6):
    """A closed surface around the origin: points and triangles that face outward."""
    points, faces = [(0, 0, -1)], []
    for r in range(1, rings):
        for s in range(sides):
            a, b = np.pi * r / rings, 2 * np.pi * s / sides
            points.append((np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), -np.cos(a)))
    points.append((0, 0, 1))

    def at(r, s):
        return 1 + (r - 1) * sides + s % sides
    for s in range(sides):
        faces.append((0, at(1, s + 1), at(1, s)))
        for r in range(1, rings - 1):
            faces += [(at(r, s), at(r, s + 1), at(r + 1, s + 1)), (at(r, s), at(r + 1, s + 1), at(r + 1, s))]
        faces.append((at(rings - 1, s), at(rings - 1, s + 1), len(points) - 1))
    return np.array(points) * rng.uniform(0.08, 0.15, 3), np.array(faces)


# ---- files


def obj(points, faces):
    lines = [f"v {numbers(p)}" for p in points] + [f"f {ids(f + 1)}" for f in faces]
    return "\n".join(lines).encode()


def gmsh(points, elements, version="4.1", binary=False):
    """The bytes of a GMSH file."""
    dim, n, m = elements.shape[1] - 1, len(points), len(elements)
    kind, tags = {1: 1, 2: 2, 3: 4}[dim], elements + 1
    head = f"$MeshFormat\n{version} {int(binary)} 8\n".encode() + (struct.pack("<i", 1) + b"\n" if binary else b"") + b"$EndMeshFormat\n"
    if version == "4.1" and binary:
        nodes = struct.pack("<4Q3iQ", 1, n, 1, n, dim, 1, 0, n) + np.arange(1, n + 1, dtype="<u8").tobytes() + points.astype("<f8").tobytes()
        rows = np.column_stack([np.arange(1, m + 1), tags]).astype("<u8")
        parts = struct.pack("<4Q3iQ", 1, m, 1, m, dim, 1, kind, m) + rows.tobytes()
    elif version == "4.1":
        nodes = (f"1 {n} 1 {n}\n{dim} 1 0 {n}\n" + "".join(f"{i + 1}\n" for i in range(n)) + "".join(f"{numbers(p)}\n" for p in points)).encode()
        parts = (f"1 {m} 1 {m}\n{dim} 1 {kind} {m}\n" + "".join(f"{i + 1} {ids(t)}\n" for i, t in enumerate(tags))).encode()
    elif binary:
        nodes = f"{n}\n".encode() + b"".join(struct.pack("<i3d", i + 1, *p) for i, p in enumerate(points))
        parts = f"{m}\n".encode() + b"".join(struct.pack(f"<6i{dim + 1}i", kind, 1, 2, i + 1, 0, 1, *t) for i, t in enumerate(tags))
    else:
        nodes = (f"{n}\n" + "".join(f"{i + 1} {numbers(p)}\n" for i, p in enumerate(points))).encode()
        parts = (f"{m}\n" + "".join(f"{i + 1} {kind} 2 0 1 {ids(t)}\n" for i, t in enumerate(tags))).encode()
    return head + b"$Nodes\n" + nodes + b"\n$EndNodes\n$Elements\n" + parts + b"\n$EndElements\n"


# ---- what is said of them


def counts(rng, kind, dim):
    """Points along each axis: sizes 2 to 12, as long as they are not too many."""
    while True:
        count = rng.integers(2, 13, 3)
        if kind in ("grid1", "circle"):
            return [max(int(count[0]), 4 if kind == "circle" else 2), 1, 1]
        if kind in ("grid2", "square", "disc"):
            return [int(count[0]), int(count[1]), 1]
        if np.prod(count) <= LARGEST:
            return [int(c) for c in count]


def given(rng, kind, dim, assets):
    """Attributes of a shape that is not generated, and its number of points before unused ones are dropped."""
    if kind.startswith("mesh") or (kind == "gmsh2" and rng.random() < 0.5):
        points, elements = ball(rng, int(rng.integers(3, 6)), int(rng.integers(3, 8)))
    else:
        points, elements = lattice(rng, dim)
    if kind.startswith("mesh"):
        assets["shape.obj"] = obj(points, elements)
        return f'type="mesh" dim="{dim}" file="shape.obj"' + (' origin="0 0 0"' if dim == 3 else ""), None
    if kind.startswith("gmsh"):
        assets["shape.msh"] = gmsh(points, elements, str(rng.choice(["2.2", "4.1"])), bool(rng.integers(2)))
        return f'type="gmsh" dim="{dim}" file="shape.msh"', None
    # points nobody uses, and numbers in any order
    spare = rng.uniform(-1, 1, (int(rng.integers(0, 3)), 3))
    order = rng.permutation(len(points) + len(spare))
    mixed = np.empty((len(order), 3))
    mixed[order] = np.vstack([points, spare])
    text = f'type="direct" dim="{dim}" point="{numbers(mixed)}" element="{ids(order[rng.permutation(elements)])}"'
    return text, len(points)


def pins(rng, dof, count, generated, dim, cells, kind):
    order = {"trilinear": 1, "quadratic": 2}.get(dof)
    if order:
        side = [order * c + 1 for c in cells]
        if dim > 1 and rng.random() < 0.5:
            low = [int(rng.integers(0, n)) for n in side[:dim]]
            return f'<pin gridrange="{ids(low)} {ids([min(a + 1, n - 1) for a, n in zip(low, side)])}"/>'
        return f'<pin id="{ids(rng.integers(0, np.prod(side), 2))}"/>'
    if kind in ("grid2", "grid3") and rng.random() < 0.6:
        low = [int(rng.integers(0, n)) for n in count[:dim]]
        if rng.random() < 0.5:
            return f'<pin grid="{ids(low)}"/>'
        return f'<pin gridrange="{ids(low)} {ids([n - 1 for n in count[:dim]])}"/>'
    return f'<pin id="{ids(rng.integers(0, 2, 2))}"/>' if rng.random() < 0.5 else '<pin range="0 1"/>'


def elasticity(rng, dim, dof, equality, kind):
    """Material that the oracle accepts."""
    cage = dof in ("trilinear", "quadratic")
    damping = ' damping="0.01"' if rng.random() < 0.5 else ""
    plain = f'young="{numbers(rng.uniform(1e3, 1e5))}" poisson="{numbers(rng.uniform(0, 0.45))}"{damping}'
    yields = f' yield="{numbers(rng.uniform(0.001, 0.1))}"' if rng.random() < 0.3 else ""
    if dim == 1:
        section = ' section="box" sectionsize=".004 .008"' if rng.random() < 0.3 and kind == "grid1" else ""
        return f"<elasticity {plain}{section}/>", section
    # lengths or strains that are held leave bending alone
    if equality != "false":
        if dim == 2 and rng.random() < 0.5:
            return f'<elasticity {plain} thickness=".01" elastic2d="bend"/>', ""
        return "", ""
    if dim == 2:
        if not cage and yields and rng.random() < 0.5:
            yields = yields[:-1] + ' .02"'
        what = rng.choice(["bend", "stretch", "both"] if not cage or rng.random() < 0.6 else ["none"])
        return f'<elasticity {plain}{yields if what != "none" else ""} thickness="{numbers(rng.uniform(1e-3, 1e-2))}" elastic2d="{what}"/>', ""
    return f"<elasticity {plain}{yields}/>", ""


def flexcomp(rng, name="soft", kind=None):
    """One flexcomp with what it needs around it: element, assets, and whether the integrator must be discrete."""
    kind = kind or str(rng.choice(TYPES))
    dim = {"circle": 1, "square": 2, "disc": 2}.get(kind) or int(kind[-1])
    assets, cells = {}, [int(c) for c in rng.integers(1, 4, 3)]
    generated = not kind.startswith(("direct", "mesh", "gmsh"))
    solid = kind in ("grid3", "box3", "cylinder3", "ellipsoid3", "direct3", "mesh2", "mesh3", "gmsh3")
    dofs = ["full"] * 3 + (["trilinear", "quadratic"] * 2 if solid or kind in ("box2", "cylinder2", "ellipsoid2") else [])
    dofs += ["radial"] if kind[-1] == "3" and kind[:-1] in ("box", "cylinder", "ellipsoid") else []
    dofs += ["2d"] if dim == 2 else []
    dof = str(rng.choice(dofs))
    cage = dof in ("trilinear", "quadratic")
    if dof == "quadratic":
        cells = [min(c, 2) for c in cells]
    count = counts(rng, kind, dim) if generated else None
    shape = f'type="{kind.rstrip("123")}" dim="{dim}" count="{ids(count)}" spacing="{numbers(rng.uniform(0.03, 0.1, 3))}"' if generated else given(rng, kind, dim, assets)[0]
    equality = str(rng.choice(["false", "true"] + (["strain"] * 2 if cage else [])))
    inner = f'<edge equality="{equality}" solref="{numbers(rng.uniform(0.01, 0.1))} 1"/>' if equality != "false" else ""
    section = ""
    if rng.random() < 0.7 or (cage and equality == "false"):
        text, section = elasticity(rng, dim, dof, equality, kind)
        inner += text
    elif equality == "false" and not cage:
        inner += f'<edge {"stiffness" if dim == 1 else "damping"}="{numbers(rng.uniform(0.1, 5))}" damping="{numbers(rng.uniform(0.01, 0.1))}"/>' if dim == 1 else '<edge damping="0.1"/>'
    pinned = rng.random() < 0.5
    if pinned:
        inner += pins(rng, dof, count, generated, dim, cells, kind)
    if rng.random() < 0.4:
        inner += (f'<contact selfcollide="{rng.choice(["none", "narrow", "bvh", "sap", "auto"])}" condim="{rng.choice([1, 3, 4, 6])}" '
                  f'friction="{numbers(rng.uniform(0.1, 1))}" margin="0.001" gap="0.002" activelayers="{rng.integers(1, 4)}" priority="1" contype="3"/>')
    attrs = f'name="{name}" {shape} dof="{dof}" mass="{numbers(rng.uniform(0.1, 2))}" pos="{numbers(rng.uniform(-1, 1, 3))}"'
    attrs += f' euler="{numbers(rng.uniform(-90, 90, 3))}"' if rng.random() < 0.5 else ""
    attrs += f' cellcount="{ids(cells)}"' if cage else ""
    attrs += f' radius="{numbers(rng.uniform(0.001, 0.01))}"' if not section and rng.random() < 0.7 else ""
    attrs += f' scale="{numbers(rng.uniform(0.5, 2, 3))}"' if not generated and rng.random() < 0.5 else ""
    attrs += ' material="cloth"' if rng.random() < 0.3 else ""
    attrs += f' inertiabox="{numbers(rng.uniform(0.001, 0.01))}"' if rng.random() < 0.3 else ""
    attrs += ' rigid="true"' if rng.random() < 0.04 and equality != "strain" else ""
    return f"<flexcomp {attrs}>{inner}</flexcomp>", assets, pinned


def random_flex_model(seed, kind=None):
    """A model with one or two flexcomps, and its files."""
    rng = np.random.default_rng(seed)
    text, assets, pinned = flexcomp(rng, kind=kind)
    body = f'<body name="holder" pos="{numbers(rng.uniform(-1, 1, 3))}" euler="10 20 30">{{}}<geom size=".05" contype="0" conaffinity="0"/>{text}</body>'
    free = 'dof="radial"' in text or (pinned and rng.random() < 0.5)
    place = rng.integers(0, 3)
    if 'dof="radial"' in text or place == 0:
        tree = body.format("<freejoint/>" if free else "")
    elif place == 1:
        tree = f'<frame pos=".1 .2 .3" euler="30 0 0">{text}</frame>'
    else:
        tree = text
    if rng.random() < 0.3:
        tree += flexcomp(np.random.default_rng(seed + 1000000), "second", "grid2")[0]
    tree += '<body name="after" pos="3 0 0"><freejoint/><geom size=".1"/></body>'
    default = '<default><joint armature="0.001"/></default>' if rng.random() < 0.2 else ""
    edges = "<edge stiffness" in tree or "<edge damping" in tree
    option = '<option integrator="Euler"/>' if edges else '<option integrator="discrete"/>'
    return f'<mujoco>{option}{default}<asset><material name="cloth" rgba="1 0 0 1"/></asset><worldbody>{tree}</worldbody></mujoco>', assets
