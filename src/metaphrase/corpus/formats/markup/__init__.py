"""Texts in markup: NIST's SGML and WMT's XML."""
