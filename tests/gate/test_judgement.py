"""Red and green are what the rules say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.runs import BAD, GOOD, REFERENCES, broken, judged, run
from metaphrase import Corpus, score
from metaphrase.errors import InputError, OptionError
from metaphrase.gate import FindingLimits, Rules, Section, Settings, judge
from metaphrase.gate.groups import LEVELS, Group, Level
from metaphrase.gate.snapshot import SegmentFinding

WORDS = st.sampled_from("the old bridge was closed in spring and rain fell".split())
SENTENCES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
TEXTS = st.lists(st.tuples(SENTENCES, SENTENCES, SENTENCES), min_size=1, max_size=10)
ALL_LIMITS = {
    "max_drop": 0.0,
    "alpha": 0.05,
    "max_segment_drop": 0.0,
    "max_worse_segments": 0,
}


def number(title: str, verdict: object) -> float | None:
    return next(o.measured for o in verdict.outcomes if o.title == title)  # type: ignore[attr-defined]


class TestSystem:
    def test_a_drop_within_the_limit_is_green(self) -> None:
        before, after = run(GOOD), run([BAD[0], *GOOD[1:]])
        drop = before.metrics["chrf"].system - after.metrics["chrf"].system
        assert drop > 0
        assert judged(before, after, ["chrf"], max_drop=drop + 1e-9).passed
        verdict = judged(before, after, ["chrf"], max_drop=drop - 1e-9)
        assert broken(verdict) == ["max_drop chrf"]
        assert number("max_drop chrf", verdict) == drop

    def test_of_ter_less_is_better(self) -> None:
        verdict = judged(run(BAD), run(GOOD), max_drop=0)
        assert verdict.passed
        assert number("max_drop ter", verdict) < 0  # type: ignore[operator]
        assert broken(judged(run(GOOD), run(BAD), max_drop=0)) == ["max_drop chrf", "max_drop ter"]

    def test_a_significant_drop_is_red_and_a_significant_gain_is_green(self) -> None:
        assert broken(judged(run(GOOD), run(BAD), ["chrf"], alpha=0.05)) == ["alpha chrf"]
        better = judged(run(BAD), run(GOOD), ["chrf"], alpha=0.05)
        assert better.passed
        assert number("alpha chrf", better) < 0.05  # type: ignore[operator]

    def test_a_tolerance_lets_small_drops_pass_however_significant(self) -> None:
        assert judged(run(GOOD), run(BAD), ["chrf"], alpha=0.05, tolerance=99).passed

    def test_five_changes_are_too_few_to_test_at_5_percent_and_six_are_not(self) -> None:
        for changed, tested in ((5, False), (6, True)):
            after = run([*BAD[:changed], *GOOD[changed:]])
            verdict = judged(run(GOOD), after, ["chrf"], alpha=0.05)
            assert (number("alpha chrf", verdict) is not None) == tested
            (rule,) = (one for one in verdict.outcomes if one.rule == "alpha")
            assert ("too few segments to test at 0.05" in rule.message) != tested
            assert (rule.shown[0] == "too few segments to test") != tested

    def test_a_score_must_be_good_enough_with_or_without_a_baseline(self) -> None:
        current = run(GOOD)
        score = current.metrics["chrf"].system
        for before in (None, run(BAD)):
            assert judged(before, current, ["chrf"], min_score=score).passed
            verdict = judged(before, current, ["chrf"], min_score=score + 1e-9)
            assert broken(verdict) == ["min_score chrf"]

    def test_of_ter_the_score_must_be_small_enough(self) -> None:
        current = run(GOOD)
        limit = current.metrics["ter"].system
        assert judged(None, current, ["ter"], max_score=limit).passed
        assert not judged(None, current, ["ter"], max_score=limit - 1e-9).passed


class TestSegments:
    def test_no_segment_may_lose_more(self) -> None:
        after = run([GOOD[0], BAD[1], GOOD[2], BAD[3], *GOOD[4:]])
        losses = run(GOOD).metrics["chrf"].segment - after.metrics["chrf"].segment
        verdict = judged(run(GOOD), after, ["chrf"], max_segment_drop=0)
        (outcome,) = verdict.broken
        worst_first = [str(row + 1) for row in np.argsort(-losses)[:2]]
        assert list(outcome.segments) == worst_first
        assert outcome.measured == losses.max()
        assert judged(run(GOOD), after, ["chrf"], max_segment_drop=float(losses.max())).passed

    def test_some_segments_may_get_worse(self) -> None:
        after = run([*BAD[:3], *GOOD[3:]])
        assert judged(run(GOOD), after, ["chrf"], max_worse_segments=3).passed
        assert broken(judged(run(GOOD), after, ["chrf"], max_worse_segments=2))
        assert judged(run(GOOD), after, ["chrf"], max_worse_segments=0, worse_by=99).passed

    def test_changes_are_listed_worst_first_with_their_texts(self) -> None:
        after = run([*BAD[:2], *GOOD[2:7], REFERENCES[7]], documents=["a"] * 8)
        verdict = judged(run(GOOD, documents=["a"] * 8), after, ["chrf"])
        losses = [change.scores["chrf"].loss for change in verdict.changes]
        assert losses == sorted(losses, reverse=True)
        assert {change.name for change in verdict.changes} == {"1", "2"}
        first = next(change for change in verdict.changes if change.name == "1")
        assert (first.before, first.after, first.reference) == (GOOD[0], BAD[0], REFERENCES[0])
        assert (first.document, first.line) == ("a", 1)


class TestDocuments:
    DOCUMENTS = ("help",) * 4 + ("legal/a",) * 4

    def test_a_document_has_rules_of_its_own(self) -> None:
        before = run(GOOD, documents=self.DOCUMENTS)
        after = run([*GOOD[:4], *BAD[4:]], documents=self.DOCUMENTS)
        strict = Section(every={"max_drop": 0})
        for pattern, red in (("legal/*", True), ("legal/a", True), ("help", False), ("*", True)):
            rules = Rules(section=Section(), documents={pattern: strict})
            verdict = judged(before, after, ["chrf"], rules=rules)
            assert broken(verdict) == (["max_drop chrf in legal/a"] if red else [])

    def test_the_name_goes_before_patterns_and_these_by_their_order(self) -> None:
        sections = {
            "l*": Section(every={"max_drop": 1}),
            "legal/*": Section(every={"max_drop": 2}),
            "legal/a": Section(every={"max_drop": 3}),
        }
        rules = Rules(documents=sections, domains=sections)
        for level in LEVELS:
            for name, limit in (("legal/a", 3), ("legal/b", 1)):
                limits = rules.group_limits(Group(level, name), "chrf")
                assert limits is not None
                assert limits.max_drop == limit
            assert rules.group_limits(Group(level, "help"), "chrf") is None

    def test_a_document_can_have_a_least_score(self) -> None:
        current = run([*GOOD[:4], *BAD[4:]], documents=self.DOCUMENTS)
        rules = Rules(section=Section(), documents={"*": Section(every={"min_score": 80})})
        for before in (None, current):
            assert broken(judged(before, current, ["chrf"], rules=rules)) == [
                "min_score chrf in legal/a"
            ]

    def test_rules_for_documents_need_documents(self) -> None:
        rules = Rules(documents={"help": Section(every={"max_drop": 1})})
        with pytest.raises(OptionError, match="MP914"):
            judged(run(), run(), rules=rules)

    def test_a_document_that_is_not_there_is_noted(self) -> None:
        rules = Rules(documents={"legal/b": Section(every={"max_drop": 1})})
        current = run(documents=self.DOCUMENTS)
        (note,) = judged(current, current, rules=rules).notes
        assert "legal/b" in note
        assert "Did you mean legal/a?" in note


class TestDomains:
    #: One of them has a single segment.
    DOMAINS = ("news",) * 7 + ("legal",)

    def test_a_domain_has_rules_of_its_own(self) -> None:
        before = run(GOOD, domains=self.DOMAINS)
        after = run([*GOOD[:7], BAD[7]], domains=self.DOMAINS)
        for pattern, red in (("le*", True), ("legal", True), ("news", False), ("*", True)):
            rules = Rules(section=Section(), domains={pattern: Section(every={"max_drop": 0})})
            verdict = judged(before, after, ["chrf"], rules=rules)
            assert broken(verdict) == (["max_drop chrf in domain legal"] if red else [])
        (found,) = verdict.to_dict()["changes"]
        assert (found["document"], found["domain"]) == (None, "legal")
        assert {(rule["document"], rule["domain"]) for rule in verdict.to_dict()["rules"]} == {
            (None, None),
            (None, "news"),
            (None, "legal"),
        }

    def test_every_limit_holds_for_a_domain_of_one_segment(self) -> None:
        before = run(GOOD, domains=self.DOMAINS)
        after = run([*GOOD[:7], BAD[7]], domains=self.DOMAINS)
        rules = Rules(section=Section(), domains={"legal": Section(every=ALL_LIMITS)})
        verdict = judged(before, after, ["chrf"], rules=rules)
        # One change can be significant at no level: the paired test says so, and passes.
        assert broken(verdict) == [
            f"{limit} chrf in domain legal"
            for limit in ("max_drop", "max_segment_drop", "max_worse_segments")
        ]
        assert number("alpha chrf in domain legal", verdict) is None
        (change,) = verdict.changes
        # The drop of a domain of one segment is what that segment lost.
        drop = number("max_drop chrf in domain legal", verdict)
        assert drop == pytest.approx(change.scores["chrf"].loss)

    @pytest.mark.parametrize("metric", ["chrf", "ter"])
    def test_its_score_is_that_of_the_level_of_domains(self, metric: str) -> None:
        hypotheses = [*GOOD[:4], *BAD[4:]]
        corpus = Corpus({"mine": hypotheses}, [REFERENCES], domains=self.DOMAINS)
        scores = score(corpus, [metric], levels=["domain"], check_language=False)
        rule = "min_score" if metric == "chrf" else "max_score"
        rules = Rules(section=Section(), domains={"*": Section(every={rule: 50})})
        current = run(hypotheses, metrics=[metric], domains=self.DOMAINS)
        verdict = judged(None, current, [metric], rules=rules)
        assert [outcome.group for outcome in verdict.outcomes] == [
            Group("domain", "news"),
            Group("domain", "legal"),
        ]
        assert [outcome.measured for outcome in verdict.outcomes] == pytest.approx(
            scores.systems[0].domain[metric].tolist()
        )

    def test_a_document_and_a_domain_of_one_name_are_told_apart(self) -> None:
        names = self.DOMAINS
        after = run([*GOOD[:7], BAD[7]], documents=names[::-1], domains=names)
        before = run(GOOD, documents=names[::-1], domains=names)
        strict = {"legal": Section(every={"max_drop": 0})}
        rules = Rules(section=Section(), documents=strict, domains=strict)
        verdict = judged(before, after, ["chrf"], rules=rules)
        assert [o.title for o in verdict.outcomes if o.rule == "max_drop"] == [
            "max_drop chrf in legal",
            "max_drop chrf in domain legal",
        ]
        assert broken(verdict) == ["max_drop chrf in domain legal"]

    def test_rules_for_domains_need_domains_before_and_after(self) -> None:
        rules = Rules(domains={"news": Section(every={"max_drop": 1})})
        known = run(domains=self.DOMAINS)
        for before in (None, known, run()):
            with pytest.raises(OptionError, match=r"MP914.*--domains"):
                judged(before, run(), rules=rules)
        with pytest.raises(InputError, match=r"MP914.*baseline"):
            judged(run(), known, rules=rules)
        assert judged(run(), known, max_drop=0).passed

    @pytest.mark.parametrize("level", LEVELS)
    def test_one_that_is_not_there_is_noted(self, level: Level) -> None:
        rules = Rules(**{f"{level}s": {"legall": Section(every={"max_drop": 1})}})  # type: ignore[arg-type]
        current = run(documents=self.DOMAINS, domains=self.DOMAINS)
        (note,) = judged(current, current, rules=rules).notes
        assert note.startswith(f"No {level} is called legall")
        assert "Did you mean legal?" in note

    def test_one_of_which_nothing_can_be_compared_is_noted(self) -> None:
        before = run(GOOD[:7], REFERENCES[:7], domains=self.DOMAINS[:7])
        rules = Rules(section=Section(), domains={"legal": Section(every={"max_drop": 1})})
        verdict = judged(before, run(domains=self.DOMAINS), ["chrf"], rules=rules)
        assert "Nothing of domain legal can be compared." in verdict.notes
        assert not [one for one in verdict.outcomes if one.group]


class TestFindings:
    ONE = SegmentFinding("numbers/missing", "critical", "12 is missing.")
    MINOR = SegmentFinding("space/end", "minor", "A space at the end.")
    NONE = ((),) * 8

    def with_first(self, *findings: SegmentFinding) -> tuple[tuple[SegmentFinding, ...], ...]:
        return (findings, *self.NONE[1:])

    def test_a_new_critical_finding_is_red(self) -> None:
        before, after = run(findings=self.NONE), run(findings=self.with_first(self.ONE))
        verdict = judged(before, after)
        assert broken(verdict) == ["new_critical"]
        assert verdict.broken[0].segments == ("1",)
        assert verdict.changes[0].new_findings == (self.ONE,)

    def test_an_old_one_is_not(self) -> None:
        before = run(findings=self.with_first(self.ONE))
        assert judged(before, before).passed
        twice = run(findings=self.with_first(self.ONE, self.ONE))
        assert broken(judged(before, twice)) == ["new_critical"]

    def test_all_findings_of_a_segment_without_a_past_are_new(self) -> None:
        before = run(GOOD[1:], REFERENCES[1:], findings=self.NONE[1:])
        after = run(findings=self.with_first(self.ONE))
        assert broken(judged(before, after)) == ["new_critical"]

    def test_each_severity_has_a_limit_of_its_own(self) -> None:
        before, after = run(findings=self.NONE), run(findings=self.with_first(self.MINOR))
        assert judged(before, after).passed
        strict = Rules(section=Section(), findings=FindingLimits(new_minor=0))
        assert broken(judged(before, after, rules=strict)) == ["new_minor"]

    def test_without_checks_there_is_no_such_rule(self) -> None:
        for before, after in ((run(), run(findings=self.NONE)), (run(findings=self.NONE), run())):
            assert not any(o.rule == "new_critical" for o in judged(before, after).outcomes)


class TestRefusals:
    def test_metrics_that_were_not_measured(self) -> None:
        with pytest.raises(OptionError, match="MP755"):
            judged(run(), run(), ["chrf:lowercase=yes"])

    def test_another_signature_is_shown_field_by_field(self) -> None:
        before = run(metrics=["chrf"])
        old = before.metrics["chrf"]
        object.__setattr__(old, "signature", old.signature.replace("nc:6", "nc:4"))
        with pytest.raises(InputError, match="nc was 4 and is 6") as caught:
            judged(before, run(metrics=["chrf"]), ["chrf"])
        assert caught.value.code == "MP903"

    def test_a_metric_that_the_baseline_lacks(self) -> None:
        with pytest.raises(InputError, match=r"MP904.*It has those of chrf"):
            judged(run(metrics=["chrf"]), run())

    def test_scores_that_are_not_those_of_the_statistics(self) -> None:
        before = run(metrics=["chrf"])
        before.metrics["chrf"].segment[3] += 1
        with pytest.raises(InputError, match="MP901"):
            judged(before, run(metrics=["chrf"]), ["chrf"])

    def test_without_a_baseline_nothing_is_compared_which_is_noted(self) -> None:
        verdict = judged(None, run(), max_drop=1)
        assert verdict.outcomes == ()
        assert "no baseline" in verdict.notes[0]
        assert Rules(section=Section(every={"max_drop": 1})).needs_baseline
        assert not Rules(section=Section(every={"min_score": 1})).needs_baseline
        assert not Rules().needs_baseline

    @pytest.mark.parametrize(
        "limits",
        [
            {"max_drop": 100},
            {"max_segment_drop": 1000},
            {"min_score": 101},
            {"min_score": -1},
            {"max_score": 5},
            {"worse_by": 5},
            {"tolerance": 1},
        ],
    )
    def test_limits_that_cannot_be_broken_or_make_no_sense(self, limits: dict[str, float]) -> None:
        with pytest.raises(OptionError, match="MP910"):
            judged(run(), run(), ["chrf"], **limits)

    def test_a_least_score_for_ter(self) -> None:
        with pytest.raises(OptionError, match=r"MP910.*Write max_score"):
            judged(run(), run(), ["ter"], min_score=5)


class TestRest:
    def test_a_baseline_of_which_little_is_left_is_red(self) -> None:
        before, after = run(), run(GOOD[:3], REFERENCES[:3])
        verdict = judged(before, after)
        assert broken(verdict) == ["min_common"]
        assert verdict.removed == ("4", "5", "6", "7", "8")
        lenient = Rules(section=Section(), settings=Settings(min_common=0.3))
        assert judged(before, after, rules=lenient).passed

    def test_segments_that_are_gone_can_be_counted(self) -> None:
        before, after = run(), run(GOOD[:6], REFERENCES[:6])
        for most, red in ((1, True), (2, False)):
            rules = Rules(section=Section(), settings=Settings(max_removed=most))
            verdict = judged(before, after, rules=rules)
            assert broken(verdict) == (["max_removed"] if red else [])
            assert all(outcome.segments == ("7", "8") for outcome in verdict.broken)

    def test_the_default_is_a_paired_test(self) -> None:
        assert [o.rule for o in judge(Rules(), run(), run(), ["chrf"]).outcomes] == [
            "min_common",
            "alpha",
        ]


@settings(max_examples=60)
@given(TEXTS)
def test_a_system_against_itself_is_green(texts: list[tuple[str, str, str]]) -> None:
    references, hypotheses, _ = zip(*texts, strict=True)
    current = run(hypotheses, references)
    verdict = judged(current, current, **ALL_LIMITS)
    assert verdict.passed
    assert not verdict.changes
    assert verdict.compared == len(texts)


@settings(max_examples=60)
@given(TEXTS, st.data())
def test_a_laxer_limit_never_turns_green_to_red(
    texts: list[tuple[str, str, str]], data: st.DataObject
) -> None:
    references, old, new = zip(*texts, strict=True)
    before, after = run(old, references), run(new, references)
    name = data.draw(st.sampled_from(["max_drop", "max_segment_drop", "max_worse_segments"]))
    numbers = st.integers(0, 99) if name == "max_worse_segments" else st.floats(0, 99)
    strict, lax = sorted([data.draw(numbers), data.draw(numbers)])
    if judged(before, after, ["chrf"], **{name: strict}).passed:
        assert judged(before, after, ["chrf"], **{name: lax}).passed


@settings(max_examples=40)
@given(TEXTS, st.randoms(use_true_random=False))
def test_the_order_of_segments_does_not_matter_to_drops(
    texts: list[tuple[str, str, str]], random: object
) -> None:
    references, old, new = zip(*texts, strict=True)
    rows = list(range(len(texts)))
    random.shuffle(rows)  # type: ignore[attr-defined]
    shuffled = [texts[row] for row in rows]
    one = judged(run(old, references), run(new, references), ["chrf"], max_drop=0)
    two = judged(
        run(old, references),
        run([t[2] for t in shuffled], [t[0] for t in shuffled]),
        ["chrf"],
        max_drop=0,
    )
    if len(set(references)) == len(references):
        assert number("max_drop chrf", one) == number("max_drop chrf", two)
    assert one.compared == two.compared == len(texts)
