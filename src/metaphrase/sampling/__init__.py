"""Which segments should people judge next, and what would choosing them have saved?

Segments are chosen (``sample``), made into a campaign for judges (``make_campaign``, ``campaign_files``), and
what comes back is joined with its key (``metaphrase.corpus.opening.ratings``) and cleaned (``imported``).
"""

from metaphrase.sampling.campaign import Campaign, CampaignOptions, make_campaign
from metaphrase.sampling.choosing import Budget
from metaphrase.sampling.exporting import FORMS, campaign_files
from metaphrase.sampling.importing import Imported, imported
from metaphrase.sampling.sample import Sample, Sampled, sample
from metaphrase.sampling.simulation import Outcome, Simulation, simulate
from metaphrase.sampling.ways import WAYS

__all__ = [
    "FORMS",
    "WAYS",
    "Budget",
    "Campaign",
    "CampaignOptions",
    "Imported",
    "Outcome",
    "Sample",
    "Sampled",
    "Simulation",
    "campaign_files",
    "imported",
    "make_campaign",
    "sample",
    "simulate",
]
