"""The version of the package, which numbers are kept with."""

__version__ = "0.1.0"
