"""Every benchmark, one after the other: ``make bench``."""

from __future__ import annotations

from importlib import import_module

for name in (
    "start_up",
    "analysis",
    "full_analysis",
    "transport",
    "celab",
    "soft_matches",
    "pretrained_encoder",
    "substitutions",
    "edit_machine",
    "edit_training",
    "bleu",
    "ter",
    "chrf",
    "nist_maxsim",
    "meteor",
    "phrase_maps",
    "pbe_documents",
    "language_models",
    "pivots",
    "end_to_end",
    "streaming",
    "scale",
    "significance",
    "shared_task",
    "repairs",
    "report",
    "serve",
    "report_page",
    "select",
):
    print(f"\n== benchmarks.{name}")
    import_module(f"benchmarks.{name}").main()
