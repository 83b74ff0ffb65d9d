"""Fuzzing: damaged files, hostile requests and strange texts for everything that reads any of them.

A target is a name, a function of bytes, seeds, a dictionary and a limit of time (``target.py``); a module of
this folder is a room with the targets of one kind, and ``registry.py`` lists the rooms. A target may return,
or raise a ``MetaphraseError`` that has a code: anything else is a finding, and so are a crash and a hang.

``make fuzz TIME=60`` runs all targets with Atheris, ``make fuzz TARGET=NAME`` one; ``tests/fuzz`` replays
what was found once, without Atheris. ``core/`` has the targets that are written in C++.
"""
