"""A report's page from made-up data, in the shape that ``metaphrase.report`` writes.

It lets the page be tested by itself: with texts that no corpus has together (markup, controls, a megabyte)
and with as many rows as one likes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHUNK = 256
WORDS = (
    "the a of to in and is that for it was on are with as his they at be this from have or by one had not "
    "but what all were when we there can an your which their said if do will each about how up out them then "
    "she many some so these would other into has more her two like him see time could no make than first "
    "been its government parliament minister agreement translation report market energy climate Thursday"
).split()
NAMES = (
    "Aurora",
    "Baseline",
    "Cascade",
    "Delta",
    "Ensemble",
    "Fjord",
    "Granite",
    "Harbour",
    "Indigo",
    "Juniper",
)
HOSTILE = (
    "<script>document.title = 'owned'</script><img src=x onerror=alert(1)>",
    "left \u202eright-to-left override\u202c and \u0000 a NUL \u0007",
    "שלום עולם, this is mixed مرحبا",
    "👩‍👩‍👧‍👦 🏳️‍🌈 emoji 🇩🇪",
    "",
    "x" * 1_000_000,
)


@dataclass
class SyntheticReport:
    """Overview and blocks; ``write`` makes the page of them."""

    overview: dict[str, Any]
    blocks: dict[str, bytes] = field(default_factory=dict)

    def html(self, assets: Path) -> str:
        """The page: one file, nothing in it that is not allowed by its own policy."""
        script = (assets / "report.js").read_text(encoding="utf-8")
        style = (assets / "report.css").read_text(encoding="utf-8")

        def allowed(text: str) -> str:
            return (
                "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
            )

        policy = (
            f"default-src 'none'; script-src {allowed(script)}; style-src {allowed(style)}; img-src data:; "
            "base-uri 'none'; form-action 'none'"
        )
        data = "\n".join(
            f'<script type="application/octet-stream" data-block="{name}">{compressed(block)}</script>'
            for name, block in self.blocks.items()
        )
        overview = json.dumps(self.overview, ensure_ascii=False).replace("<", "\\u003c")
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
            '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Report</title>'
            f'<style>{style}</style></head><body><div id="app"></div>\n'
            f'<script type="application/json" id="overview">{overview}</script>\n{data}\n'
            f"<script>{script}</script></body></html>\n"
        )


def compressed(block: bytes) -> str:
    """Deflated without a header, in base64."""
    deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
    return base64.b64encode(deflate.compress(block) + deflate.flush()).decode()


def synthetic_report(
    segments: int = 60, systems: int = 4, *, hostile: bool = False, seed: int = 7
) -> SyntheticReport:
    """Systems that get worse one after the other, by three metrics and by people."""
    draw = random.Random(seed)
    references = [
        " ".join(draw.choices(WORDS, k=draw.randint(3, 30))) + "." for _ in range(segments)
    ]
    hypotheses = [
        [_noisy(text, 0.08 + 0.05 * system, draw) for text in references]
        for system in range(systems)
    ]
    if hostile:
        for place, text in enumerate(HOSTILE):
            hypotheses[place % systems][place] = text
    likeness = [
        [_likeness(text, reference) for text, reference in zip(texts, references, strict=True)]
        for texts in hypotheses
    ]
    metrics = [
        {
            "name": "bleu",
            "signature": "bleu|tok:13a|smooth:exp",
            "higherIsBetter": True,
            "bounds": [0, 100],
            "explains": False,
        },
        {
            "name": "cobalt",
            "signature": "cobalt|v:1|lex:wordnet",
            "higherIsBetter": True,
            "bounds": [0, 1],
            "explains": True,
        },
        {
            "name": "ter",
            "signature": "ter|tok:tercom",
            "higherIsBetter": False,
            "bounds": [0, None],
            "explains": True,
        },
    ]
    scores = [
        [
            [min(100.0, max(0.0, 100 * value**2 + draw.gauss(0, 4))) for value in row]
            for row in likeness
        ],
        [[min(1.0, max(0.0, value + draw.gauss(0, 0.05))) for value in row] for row in likeness],
        [[max(0.0, 1 - value + draw.gauss(0, 0.08)) for value in row] for row in likeness],
    ]
    human = [[value + draw.gauss(0, 0.15) for value in row] for row in likeness]
    documents = [f"doc-{place // 12 + 1}" for place in range(segments)]
    names = list(dict.fromkeys(documents))
    report = SyntheticReport(
        {
            "schema": 1,
            "metaphrase": "0.0.0",
            "title": "Four systems <b>compared</b>" if hostile else "News, German to English",
            "lang": "en",
            "segments": segments,
            "references": 1,
            "systems": [NAMES[i % len(NAMES)] for i in range(systems)],
            "metrics": metrics,
            "documents": names,
            "table": [
                _table(place, metric["higherIsBetter"], scores[place], draw)
                for place, metric in enumerate(metrics)
            ],
            "resampling": {
                "test": "paired bootstrap",
                "resamples": 1000,
                "seed": 12345,
                "level": 0.05,
            },
            "human": {
                "name": "direct assessment",
                "measure": "Kendall's tau of segments, Pearson's r of systems",
                "system": [sum(row) / len(row) for row in human],
                "segments": True,
                "agreement": [
                    {"metric": 0, "segment": 0.31, "system": 0.94},
                    {"metric": 1, "segment": 0.42, "system": 0.97},
                    {"metric": 2, "segment": 0.28, "system": None},
                ],
            },
            "chunk": CHUNK,
            "explained": "some",
            "notes": ["Only the most telling segments are explained."],
        }
    )
    for place, metric_scores in enumerate(scores):
        report.blocks[f"scores/{place}"] = _doubles(metric_scores)
    report.blocks["human"] = _doubles(human)
    report.blocks["documents"] = struct.pack(
        f"<{segments}I", *(names.index(name) for name in documents)
    )
    lengths = [len(text.split()) for texts in (*hypotheses, references) for text in texts]
    report.blocks["lengths"] = struct.pack(f"<{len(lengths)}I", *lengths)
    for start in range(0, segments, CHUNK):
        rows = slice(start, start + CHUNK)
        texts = {
            "sources": [f"Quelle {i + 1}: {text}" for i, text in enumerate(references)][rows],
            "references": [references[rows]],
            "hypotheses": [list(texts[rows]) for texts in hypotheses],
        }
        report.blocks[f"texts/{start // CHUNK}"] = json.dumps(texts).encode()
    explained = {
        f"1/{system}/{segment}": _explanation(
            hypotheses[system][segment], references[segment], scores[1][system][segment]
        )
        for system in range(systems)
        for segment in range(min(segments, 20))
        if len(hypotheses[system][segment]) < 10_000
    }
    explained["2/0/0"] = {"error": {"code": "MP999", "message": "no explanation for <this> one"}}
    report.blocks["explanations/0"] = json.dumps(explained).encode()
    report.blocks["explained"] = json.dumps(
        sorted([int(x) for x in key.split("/")] for key in explained)
    ).encode()
    return report


def _noisy(text: str, rate: float, draw: random.Random) -> str:
    words = []
    for word in text.split():
        chance = draw.random()
        if chance < rate / 3:
            continue
        words.append(draw.choice(WORDS) if chance < rate else word)
    return " ".join(words)


def _likeness(text: str, reference: str) -> float:
    words, others = text.split()[:100], reference.split()
    return len(set(words) & set(others)) / max(1, len(set(words) | set(others)))


def _doubles(rows: list[list[float]]) -> bytes:
    values = [value for row in rows for value in row]
    return struct.pack(f"<{len(values)}d", *values)


def _table(
    metric: int, higher: bool, scores: list[list[float]], draw: random.Random
) -> dict[str, Any]:
    means = [sum(row) / len(row) for row in scores]
    order = sorted(
        range(len(means)), key=lambda system: -means[system] if higher else means[system]
    )
    width = (max(means) - min(means) or 1) / 8
    rows = [
        {
            "system": system,
            "score": means[system],
            "low": means[system] - width * draw.uniform(0.7, 1.3),
            "high": means[system] + width * draw.uniform(0.7, 1.3),
            "cluster": place // 2 + 1,
            "rank": place + 1,
        }
        for place, system in enumerate(order)
    ]
    gaps = [[abs(a - b) for b in means] for a in means]
    p = [
        [None if a == b else max(0.0, 0.3 - gaps[a][b] / width / 5) for b in range(len(means))]
        for a in range(len(means))
    ]
    return {"metric": metric, "rows": rows, "p": p}


def _explanation(hypothesis: str, reference: str, score: float) -> dict[str, Any]:
    """Links each word to the first equal word of the reference."""

    def words(text: str) -> list[dict[str, Any]]:
        found, start = [], 0
        for form in text.split():
            start = text.index(form, start)
            end = start + len(form)
            found.append(
                {
                    "form": form,
                    "start": start,
                    "end": end,
                    "weight": 1.0,
                    "lemma": form,
                    "tag": "NN",
                }
            )
            start = end
        return found

    sides = {"hypothesis": words(hypothesis), "reference": words(reference)}
    forms = [word["form"] for word in sides["reference"]]
    links = []
    for place, word in enumerate(sides["hypothesis"]):
        if word["form"] in forms:
            target = forms.index(word["form"])
            forms[target] = "\0taken"
            links.append(_link(place, target))
    linked = {side: {i for link in links for i in link[side]} for side in sides}
    leftovers = [
        {"layer": "words", "side": side, "words": [i], "weight": 1.0}
        for side, found in sides.items()
        for i in range(len(found))
        if i not in linked[side]
    ]
    feature = {
        "name": "precision",
        "description": "weight of linked words",
        "value": 0.5,
        "details": {},
    }
    lists = ("edits", "notes", "phrases", "pivot_phrases", "pivot_matches", "improbable_words")
    return {
        "metric": "cobalt",
        "signature": "cobalt|v:1|lex:wordnet",
        "score": score,
        "hypothesis_text": hypothesis,
        "reference_text": reference,
        **sides,
        "links": links,
        "leftovers": leftovers,
        "features": [feature],
        "parts": {},
        **{name: [] for name in lists},
    }


def _link(hypothesis: int, reference: int) -> dict[str, Any]:
    empty: dict[str, Any] = {
        "stage": "",
        "context": [],
        "word_pairs": [],
        "factors": {},
        "block": 0,
    }
    sides = {"hypothesis": [hypothesis], "reference": [reference]}
    return {
        "layer": "words",
        "kind": "exact",
        **sides,
        "similarity": 1.0,
        "weight": 1.0,
        "penalty": 0.0,
        **empty,
    }
