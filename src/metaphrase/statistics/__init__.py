"""Statistics over arrays: correlation, accuracy, significance, exact sums; no texts and no metrics."""
