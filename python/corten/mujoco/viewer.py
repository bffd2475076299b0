"""The viewer: not there yet. The module can be imported, its functions raise."""

from ._drawing import not_drawn

Handle = not_drawn("viewer.Handle")


def launch(*args, **kwargs):
    """Raises: corten has no viewer yet."""
    not_drawn("viewer.launch")()


def launch_passive(*args, **kwargs):
    """Raises: corten has no viewer yet."""
    not_drawn("viewer.launch_passive")()


def launch_from_path(*args, **kwargs):
    """Raises: corten has no viewer yet."""
    not_drawn("viewer.launch_from_path")()


def launch_repl(*args, **kwargs):
    """Raises: corten has no viewer yet."""
    not_drawn("viewer.launch_repl")()
