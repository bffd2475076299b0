"""Meshes whose hulls are hard: faces too thin to count or to have a direction."""

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten


def double_pyramid(size, gap):
    """Its top is two points that are `gap` of its size apart."""
    corners = [[1, 0, 0], [-1, 0.1, 0], [0, 1, 0], [0.1, -1, 0], [0, 0, -1], [0.02, 0.01, 1], [0.02, 0.01 + gap, 1 - gap]]
    return size * np.array(corners)


@pytest.mark.parametrize("size", [1e-4, 5e-4, 7e-4, 1e-3, 1])
@pytest.mark.parametrize("gap", np.geomspace(1e-10, 1e-4, 13))
def test_thin_faces(size, gap):
    vertices = " ".join(f"{x:.17g}" for x in double_pyramid(size, gap).ravel())
    xml = f"""<mujoco><asset><mesh name="m" vertex="{vertices}"/></asset>
      <worldbody><geom type="mesh" mesh="m" mass="1"/></worldbody></mujoco>"""
    theirs, ours = mujoco.MjModel.from_xml_string(xml), corten.Model.from_xml_string(xml)
    for field in ("mesh_graph", "mesh_polynum", "mesh_polyvertadr", "mesh_polyvertnum", "mesh_polyvert", "mesh_polymap"):
        np.testing.assert_array_equal(getattr(ours, field), getattr(theirs, field), err_msg=field)
    # a direction is as good as the face is wide, and its corners have 16 digits
    np.testing.assert_allclose(ours.mesh_polynormal, theirs.mesh_polynormal, atol=1e-5)
