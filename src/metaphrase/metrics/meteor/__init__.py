"""METEOR 1.5."""

from metaphrase.metrics.meteor.metric import Meteor

__all__ = ["Meteor"]
