"""Models that the tests of more than one folder load."""

import pathlib


def gymnasium_models():
    """Those of the gymnasium package, if it is there."""
    try:
        import gymnasium
    except ImportError:
        return []
    return sorted((pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets").glob("*.xml"))
