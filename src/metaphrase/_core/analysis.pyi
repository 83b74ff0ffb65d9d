"""Compiled part; see src/core/bind_analysis.cpp."""
