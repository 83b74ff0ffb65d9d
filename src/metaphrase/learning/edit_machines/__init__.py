"""Training of edit machines on human scores."""
