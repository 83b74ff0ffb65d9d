"""pFSM, pPDA and pPDA+f: edit machines."""

from metaphrase.metrics.edit_machines.metric import Pfsm, Ppda, PpdaF

__all__ = ["Pfsm", "Ppda", "PpdaF"]
