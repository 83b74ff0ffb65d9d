"""The folder tree of mt-metrics-eval."""
