"""Doors to other tools: sacreBLEU, ``evaluate``, lm-evaluation-harness, mbrs, pandas and Arrow.

Each of them is imported when it is asked for, and none is needed by the rest of the package.
"""
