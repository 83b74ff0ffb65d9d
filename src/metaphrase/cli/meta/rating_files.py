"""Agreement of judges where files say what each of them said: results of tools, filled sheets, MQM."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from metaphrase.cli.output import check_output, print_lines, print_view
from metaphrase.corpus.formats.judged.mqm_weights import GOOGLE, read_weights
from metaphrase.corpus.formats.judged.sample_key import read_key
from metaphrase.corpus.opening.ratings import read_ratings, says_who_judged
from metaphrase.errors import InputError, OptionError
from metaphrase.languages import is_wanted

_ABOUT_METRICS = ("metrics", "given", "measure", "level", "group_by", "variant", "threshold")
_ABOUT_TEXTS = (
    *("texts", "references", "human", "min_judgements", "segment_ids", "segment_order"),
    *("system_pattern", "unknown_systems", "differing_texts"),
)


def are_ratings(paths: Sequence[str]) -> bool:
    """Whether the files have single judgements; some that have and some that have not do not go together."""
    found = [says_who_judged(path) for path in paths]
    if any(found) and not all(found):
        raise OptionError(
            "MP785",
            f"{paths[found.index(False)]} does not say what each judge said, other files do.",
            hint="Give them one after the other.",
        )
    return all(found)


def refuse_metrics(options: argparse.Namespace) -> None:
    """Refuse what says nothing about people."""
    for name in _ABOUT_METRICS:
        if getattr(options, name) is not None:
            raise OptionError(
                "MP785",
                f"--judges measures people: --{name.replace('_', '-')} says nothing about them.",
                hint="Leave it out.",
            )


def show_rating_agreement(options: argparse.Namespace) -> int:
    """Read, measure, print."""
    from metaphrase.meta import rating_agreement
    from metaphrase.report import ratings_json, ratings_view

    for name in _ABOUT_TEXTS:
        if getattr(options, name) is not None:
            raise OptionError(
                "MP187",
                f"--{name.replace('_', '-')} says nothing about judges.",
                hint="Leave it out.",
            )
    refuse_metrics(options)
    key = None if options.key is None else read_key(options.key)
    weights = GOOGLE if options.mqm_weights is None else read_weights(options.mqm_weights)
    check_output(options.output, [*options.judgements, options.key])
    found = read_ratings(options.judgements, key=key, weights=weights)
    # Some files do not say which languages they are of.
    named = [
        replace(one, language_pair=one.language_pair or options.language_pair or "")
        for one in found
    ]
    wanted = [one for one in named if is_wanted(one.language_pair, options.pairs)]
    if not wanted:
        raise InputError(
            "MP784",
            f"there are no judgements of {' and '.join(options.pairs)}.",
            hint="The files have other language pairs only.",
        )
    agreements = [rating_agreement(one) for one in wanted]
    if options.format == "json":
        print_lines([ratings_json(agreements)], options.output)
    else:
        print_view(ratings_view(agreements), options.output)
    return 0
