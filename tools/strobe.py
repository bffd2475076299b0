"""Draw moments of a simulation side by side as an SVG: python tools/strobe.py MODEL OUT.svg

Shapes are projected along the y axis; the farther ones are drawn first. docs/images/humanoid.svg is made with the
defaults: the model falls from where it stands.
"""

import sys

import corten
import numpy as np

MOMENTS = (0.0, 0.3, 0.45, 0.6, 0.8, 1.1, 1.6)  # s
SPACING = 1.15  # m between moments
SCALE = 110  # pixels per m
FRONT, BACK = np.array([226, 106, 44]), np.array([132, 74, 58])  # rust, near and far
GROUND = "#8a8f98"


def corners(pos, mat, size):
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return pos + (signs * size) @ mat.T


def turn(a, b, c):
    """Positive when a, b, c go around to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def hull(points):
    """Convex hull in the plane (monotone chain)."""
    points = sorted(map(tuple, points))

    def half(points):
        out = []
        for p in points:
            while len(out) > 1 and turn(out[-2], out[-1], p) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]

    return half(points) + half(points[::-1])


def shapes(model, data, x):
    """(depth, svg) of every geom that is not a plane."""
    place = lambda p: (SCALE * (p[0] + x), -SCALE * p[2])
    depths = data.geom_xpos[:, 1]
    near, far = depths.min(), depths.max()
    for i, kind in enumerate(model.geom_type):
        pos, mat, size = data.geom_xpos[i], data.geom_xmat[i].reshape(3, 3), model.geom_size[i]
        blend = (pos[1] - near) / (far - near + 1e-9)
        color = "rgb({:.0f},{:.0f},{:.0f})".format(*(FRONT + (BACK - FRONT) * blend))
        if kind in (corten.GeomType.CAPSULE, corten.GeomType.CYLINDER):
            (x1, y1), (x2, y2) = (place(pos + s * size[1] * mat[:, 2]) for s in (-1, 1))
            text = (
                f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" '
                f'stroke-width="{2 * SCALE * size[0]:.1f}" stroke-linecap="round"/>'
            )
        elif kind == corten.GeomType.SPHERE:
            cx, cy = place(pos)
            text = f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{SCALE * size[0]:.1f}" fill="{color}"/>'
        elif kind in (corten.GeomType.BOX, corten.GeomType.ELLIPSOID):
            outline = " ".join(f"{a:.1f},{b:.1f}" for a, b in hull([place(p) for p in corners(pos, mat, size)]))
            text = f'<polygon points="{outline}" fill="{color}" stroke="{color}" stroke-linejoin="round"/>'
        else:
            continue
        yield pos[1], text


def main(path="models/humanoid.xml", out="docs/images/humanoid.svg"):
    model = corten.Model.from_xml_path(path)
    data = corten.Data(model)
    drawn = []
    for i, moment in enumerate(MOMENTS):
        while data.time < moment - 1e-9:
            corten.step(model, data)
        corten.forward(model, data)
        figure = [text for _, text in sorted(shapes(model, data, i * SPACING), key=lambda shape: -shape[0])]
        label = f'<text x="{SCALE * i * SPACING:.0f}" y="30" text-anchor="middle">{data.time:.2f} s</text>'
        drawn.append("\n".join(["<g>", *figure, label, "</g>"]))
    width, left = SCALE * SPACING * len(MOMENTS) + 60, -SCALE * SPACING * 0.6
    top = -SCALE * 1.9
    with open(out, "w") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {width:.0f} {40 - top:.0f}" '
            f'font-family="sans-serif" font-size="13" fill="{GROUND}">\n'
            f"<title>Moments of a simulation of {path}</title>\n"
            f'<line x1="{left:.0f}" y1="1" x2="{left + width:.0f}" y2="1" stroke="{GROUND}" stroke-width="2"/>\n'
            + "\n".join(drawn)
            + "\n</svg>\n"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
