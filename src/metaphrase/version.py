"""The version of the package, which numbers are kept with."""

__version__ = "1.0.0"
