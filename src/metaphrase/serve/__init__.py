"""``metaphrase serve``: evaluations over HTTP, for whoever uses this machine.

A request passes :mod:`guard` (is it meant for this server?), :mod:`api` (what does it ask?) and
:mod:`evaluation_request` (are these files to be scored?); :mod:`evaluations` queues it, keeps it in
:mod:`store` and has it done by :mod:`processes`, each of which runs :mod:`worker`, where alone texts are
read and scored.
"""
