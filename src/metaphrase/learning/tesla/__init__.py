"""Training of TESLA's weights on human rankings or scores."""
