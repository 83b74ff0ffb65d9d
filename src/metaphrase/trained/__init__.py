"""Trained models as metrics read them; :mod:`metaphrase.learning` makes them."""
