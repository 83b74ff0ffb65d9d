"""What a release is checked by before it leaves the house; docs/releasing.md says when."""
