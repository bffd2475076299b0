"""Meshes of the old binary format (.msh) as Wavefront OBJ: `python -m corten.mujoco.msh2obj file.msh ...` writes file.obj."""

import dataclasses
import pathlib
import sys

import numpy as np


@dataclasses.dataclass(frozen=True)
class Msh:
    """A mesh: vertices, normals (n x 3), texture coordinates (n x 2) and faces (n x 3), any but the first perhaps empty."""

    vertex_positions: np.ndarray
    vertex_normals: np.ndarray
    vertex_texcoords: np.ndarray
    face_vertex_indices: np.ndarray

    @staticmethod
    def create(file):
        """Read a file."""
        content = pathlib.Path(file).read_bytes()
        if len(content) < 16:
            raise ValueError(f"{file}: this is no MSH file, it is too short")
        counts = np.frombuffer(content, np.int32, 4).tolist()
        parts = [(3, np.float32), (3, np.float32), (2, np.float32), (3, np.int32)]
        if min(counts) < 0 or 16 + 4 * sum(n * width for n, (width, _) in zip(counts, parts)) != len(content):
            raise ValueError(f"{file}: its size is not what its counts say")
        at, arrays = 16, []
        for count, (width, kind) in zip(counts, parts):
            arrays.append(np.frombuffer(content, kind, count * width, at).reshape(count, width))
            at += 4 * count * width
        return Msh(*arrays)


def msh_to_obj(msh_file):
    """The text of an OBJ file."""
    mesh = Msh.create(msh_file)
    lines = []
    for word, rows in (("v", mesh.vertex_positions), ("vn", mesh.vertex_normals)):
        lines += [f"{word} " + " ".join(f"{x:.9g}" for x in row) for row in rows]
    # OBJ counts texture rows from below
    lines += [f"vt {u:.9g} {1 - v:.9g}" for u, v in mesh.vertex_texcoords]
    texture, normal = len(mesh.vertex_texcoords) > 0, len(mesh.vertex_normals) > 0
    corner = {(False, False): "{0}", (True, False): "{0}/{0}", (False, True): "{0}//{0}", (True, True): "{0}/{0}/{0}"}[texture, normal]
    lines += ["f " + " ".join(corner.format(i + 1) for i in face) for face in mesh.face_vertex_indices.tolist()]
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    for name in sys.argv[1:]:
        pathlib.Path(name).with_suffix(".obj").write_text(msh_to_obj(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
