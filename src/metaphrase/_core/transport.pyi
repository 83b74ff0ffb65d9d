"""Compiled part; see src/core/bind_transport.cpp."""
