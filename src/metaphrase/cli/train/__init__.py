"""``metaphrase train``: a module for each kind of model."""

from metaphrase.cli.train.edit_machines import add_parser

__all__ = ["add_parser"]
