"""Every kernel against its oracle, on cases made of bytes.

The oracles and the strategies that draw cases are those of the property tests in ``tests/``; Hypothesis reads
its choices from bytes if it is asked to (``fuzz_one_input``), so that a fuzzer which keeps what reaches new
code can take the place of its random choices. Bytes that are no case, or not all of one, are no finding.

``TARGETS`` has a function for each kernel; it raises if kernel and oracle differ. ``python -m fuzz`` runs
them beside all others; ``python -m fuzz.kernels`` alone, on random bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path

from fuzz.target import Target

TESTS = Path(__file__).parents[2] / "tests"

#: For each kernel, by its place in ``src/core``, the statement that is tried.
STATEMENTS = {
    "alignment/cobalt": "matching.test_word_alignment_properties:test_cobalt_equals_the_oracle",
    "alignment/mwa": "matching.test_word_alignment_properties:test_mwa_equals_the_oracle",
    "alignment/common_runs": "matching.test_word_alignment_properties"
    ":test_runs_in_texts_that_repeat_themselves_are_those_of_the_oracle",
    "alignment/phrase_links": "matching.test_word_alignment_properties"
    ":test_phrases_are_linked_and_scored_as_by_the_oracle",
    "alignment/soft_matches": "matching.test_soft_matches:test_the_definitions_agree",
    "alignment/spelling_vectors": "matching.test_spelling_vectors"
    ":test_the_definition_agrees_to_the_last_bit",
    "analysis/compound_splitter": "analysis.builtin.test_compounds:test_no_split_has_a_larger_mean",
    "analysis/labeller": "analysis.builtin.test_labeller:test_no_path_of_any_sentence_is_better",
    "analysis/parser": "analysis.builtin.test_parser"
    ":test_small_sentences_agree_with_trying_all_trees",
    "analysis/tagger": "fuzz.kernels.statements:the_core_tags_any_words_as_the_oracle",
    "bags/ngram_bags": "matching.test_ngram_bags:test_both_solvers_agree_with_the_linear_program",
    "bags/staged_ngrams": "matching.test_staged_ngrams:test_it_equals_stages_by_hand_and_highs",
    "bags/transport": "matching.test_transport:test_the_value_is_the_optimum_of_the_linear_program",
    "counts/bleu": "metrics.test_count_scores:test_bleus_counts_equal_sacrebleus",
    "counts/common_subsequence": "matching.test_common_subsequence:test_the_table_agrees",
    "counts/edit_rate": "matching.test_edit_rate:test_edits_of_any_words_are_sacrebleus",
    "counts/information": "matching.test_ngram_information"
    ":test_matches_and_information_are_those_of_dictionaries",
    "counts/ngram_items": "matching.test_ngram_items:test_matches_are_those_of_counters",
    "covering": "matching.test_covering:test_the_optimum_is_that_of_the_whole_program",
    "covering/similarities": "matching.test_covering"
    ":test_similarities_are_integrated_over_thresholds",
    "edits/arcs": "matching.test_edit_machine_properties:test_arcs_are_those_of_all_sequences",
    "edits/path": "matching.test_edit_machine_properties"
    ":test_the_best_sequence_is_legal_and_scores_the_maximum",
    "edits/substitutions": "matching.test_substitutions"
    ":test_substitutions_and_dependencies_are_the_oracle_s",
    "edits/sums": "matching.test_edit_machine_properties"
    ":test_sums_and_counts_are_those_of_all_sequences",
    "language_models/kneser_ney": "learning.language_models.test_kneser_ney"
    ":test_every_ngram_has_the_probability_of_the_definition",
    "lexicon/word_similarity": "matching.test_word_similarity"
    ":test_any_words_have_the_similarity_of_their_best_senses",
    "meta/agreement": "statistics.test_coefficients:test_pairs_are_counted_exactly",
    "meta/calibration": "fuzz.kernels.statements:calibration",
    "meta/permutation": "statistics.test_permutation_significance"
    ":test_system_accuracy_is_that_of_mean_scores",
    "meta/poisson_bootstrap": "statistics.test_poisson_bootstrap"
    ":test_any_cut_in_any_order_gives_the_same_sums",
    "meta/resampling": "statistics.test_resampling_significance"
    ":test_sums_equal_the_slow_definition",
    "meteor/alignment": "matching.test_meteor"
    ":test_the_kernel_chooses_what_the_plain_search_chooses",
    "meteor/text": "analysis.metric_text.test_meteor_text"
    ":test_tokens_are_those_of_the_rules_one_after_the_other",
    "phrase_maps": "matching.test_phrase_maps:test_maps_and_sums_are_those_of_the_definition",
    "phrase_maps/fewest_blocks_map": "matching.test_fewest_blocks_map"
    ":test_the_map_is_that_of_exhaustive_search",
    "phrase_maps/lexicographic_map": "matching.test_lexicographic_map"
    ":test_the_map_is_what_fixing_pairs_one_by_one_gives",
    "phrases/diagonal_aligner": "learning.phrases.test_word_alignment"
    ":test_links_are_the_most_probable_of_the_model",
    "phrases/extraction": "learning.phrases.test_extraction"
    ":test_phrase_pairs_are_those_of_the_definition",
    "phrases/pivot_paraphrases": "learning.phrases.test_extraction"
    ":test_pivoting_is_that_of_the_formula",
    "phrases/symmetrise": "learning.phrases.test_word_alignment"
    ":test_symmetrisation_is_that_of_the_oracle",
    "pivots/bags": "fuzz.kernels.statements:pairs_share_what_the_definition_says",
    "pivots/ngrams": "fuzz.kernels.statements:networks_have_the_counts_of_all_their_readings",
    "pivots/segmentation": "fuzz.kernels.statements:cuts_are_the_most_probable_ones",
    "relations": "analysis.test_relations_properties:test_the_core_agrees_with_the_definition",
}


@cache
def _statement(place: str) -> Callable[[bytes], object]:
    for folder in (TESTS.parent, TESTS):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    module, _, name = place.partition(":")
    found = import_module(module if module.startswith("fuzz.") else f"tests.{module}")
    check: Callable[[bytes], object] = getattr(found, name).hypothesis.fuzz_one_input
    return check


def check(place: str, data: bytes) -> None:
    """Try a statement on the case that some bytes stand for."""
    _statement(place)(data)


TARGETS: dict[str, Callable[[bytes], None]] = {
    name: partial(check, place) for name, place in STATEMENTS.items()
}


def targets() -> Iterator[Target]:
    """The same for ``python -m fuzz``; oracles are slow, and coverage sees nothing of kernels."""
    for name, run in TARGETS.items():
        yield Target(
            name=f"kernel/{name}",
            run=run,
            seeds=lambda: [bytes(64)],
            seconds=60.0,
            guided=False,
            make=lambda chance: chance.randbytes(chance.choice((64, 512, 4096))),
        )
