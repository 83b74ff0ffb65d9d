"""Elementary functions; see src/core/base/bind_elementary.cpp. Call them through metaphrase.statistics."""

from metaphrase.arrays import FloatArray

def exp(values: FloatArray) -> FloatArray:
    """E to the power of each value."""

def log(values: FloatArray) -> FloatArray:
    """The natural logarithm of each value."""

def log2(values: FloatArray) -> FloatArray:
    """The logarithm to base 2 of each value."""

def power(values: FloatArray, exponent: float) -> FloatArray:
    """Each value to the same power."""
