"""spaCy pipelines as analysers; the pipelines are made here, none is downloaded."""

import itertools

import pytest

from metaphrase.analysis import Analyser, load
from metaphrase.analysis.adapters.spacy_pipeline import SpacyAnalyser
from metaphrase.errors import InputError, OptionError, ResourceError

spacy = pytest.importorskip("spacy")

from spacy.language import Language  # noqa: E402
from spacy.tokens import Doc  # noqa: E402
from spacy.training import Example  # noqa: E402
from spacy.util import fix_random_seed  # noqa: E402

TEXTS = [
    "She reads books. He sleeps in Paris!",
    "",
    "  Paris\n sleeps \t ",
    "Naïve 😀 books",
]


@Language.component("test_tags", assigns=["token.tag"])
def add_tags(doc):
    for token in doc:
        token.tag_ = "SP" if token.is_space else f"T{len(token)}"
    return doc


@Language.component("test_chain", assigns=["token.head", "token.dep"])
def add_chain(doc):
    """Each token hangs on the one before it, white space or not."""
    for token in doc[1:]:
        token.head = token.nbor(-1)
        token.dep_ = "next"
    if len(doc):
        doc[0].dep_ = "ROOT"
    return doc


@Language.component("test_shout")
def add_lemmas_from_tags(doc):
    """Declares nothing, though it reads tags."""
    for token in doc:
        token.lemma_ = token.tag_ * 2
    return doc


@pytest.fixture(scope="module")
def trained():
    """Tagger, parser and entity recogniser on shared vectors, and the rules that follow them."""
    fix_random_seed(0)
    nlp = spacy.blank("en")
    small = {"width": 16, "depth": 1, "embed_size": 50, "window_size": 1, "maxout_pieces": 2}
    small |= {"subword_features": False, "pretrained_vectors": None}
    nlp.add_pipe("tok2vec", config={"model": {"@architectures": "spacy.HashEmbedCNN.v2", **small}})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 16, "upstream": "*"}
    parser = {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "extra_state_tokens": False,
        "hidden_width": 16,
        "maxout_pieces": 2,
        "use_upper": True,
        "tok2vec": listener,
    }
    nlp.add_pipe(
        "tagger", config={"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}}
    )
    # By default, relations seen fewer than 30 times are not learnt.
    rare = {"min_action_freq": 1}
    nlp.add_pipe("parser", config={"model": {**parser, "state_type": "parser"}, **rare})
    ruler = nlp.add_pipe("attribute_ruler")
    nlp.add_pipe("ner", config={"model": {**parser, "state_type": "ner"}})
    words = ["She", "reads", "books", ".", "Paris", "sleeps", "."]
    doc = Doc(
        nlp.vocab,
        words,
        tags=["PRP", "VBZ", "NNS", ".", "NNP", "VBZ", "."],
        heads=[1, 1, 1, 1, 5, 5, 5],
        deps=["nsubj", "ROOT", "dobj", "punct", "nsubj", "ROOT", "punct"],
        ents=["O", "O", "O", "O", "B-GPE", "O", "O"],
    )
    examples = [Example(Doc(nlp.vocab, words), doc)]
    optimiser = nlp.initialize(lambda: examples)
    for _ in range(60):
        nlp.update(examples, sgd=optimiser)
    # Last, because initialising forgets rules.
    for tag, pos in (("NNS", "NOUN"), ("VBZ", "VERB"), ("NNP", "PROPN")):
        ruler.add([[{"TAG": tag}]], {"POS": pos})
    ruler.add([[{"DEP": "punct"}]], {"POS": "PUNCT"})
    return nlp


def blank(*components):
    nlp = spacy.blank("en")
    for component in components:
        nlp.add_pipe(component)
    return SpacyAnalyser(nlp, "spacy:test")


def test_a_blank_pipeline_gives_the_base_columns():
    analyser = blank()
    assert isinstance(analyser, Analyser)
    assert analyser.columns == {"form", "start", "end"}
    with pytest.raises(OptionError, match=r"MP252.*'spacy:test' cannot compute 'tag'"):
        analyser.analyse(["a"], ["tag"])


def test_spans_count_code_points_and_white_space_is_left_out():
    batch = blank().analyse(TEXTS, [])
    assert list(batch.texts) == TEXTS
    assert batch[1].form == ()
    assert batch[2].form == ("Paris", "sleeps")
    assert batch[3].form == ("Naïve", "😀", "books")
    for row in batch:
        spans = zip(row.start, row.end, strict=True)
        assert tuple(row.text[start:end] for start, end in spans) == row.form


def test_what_hung_on_white_space_hangs_on_its_head():
    (row,) = blank("test_chain").analyse([" a  b c"], ["head", "relation"])
    # spaCy's tokens: " ", "a", " ", "b", "c"; the first, which is the root, is left out.
    assert row.form == ("a", "b", "c")
    assert row.head == (0, 1, 2)
    assert row.relation == ("ROOT", "next", "next")


def test_columns_come_from_what_components_assign(trained):
    analyser = SpacyAnalyser(trained, "spacy:test")
    assert analyser.columns == {
        *("form", "start", "end"),
        *("tag", "upos", "head", "relation", "entity"),
    }
    text = "She reads books. Paris sleeps."
    (row,) = analyser.analyse([text], analyser.columns)
    doc = trained(text)
    assert row.tag == tuple(token.tag_ for token in doc)
    assert row.upos == tuple(token.pos_ for token in doc)
    assert row.relation == tuple(token.dep_ for token in doc)
    assert row.entity == tuple(token.ent_type_ or "O" for token in doc)
    for token, head in zip(doc, row.head, strict=True):
        assert head == (0 if token.head == token else token.head.i + 1)


def test_only_the_components_that_are_needed_run(trained):
    analyser = SpacyAnalyser(trained, "spacy:test")
    assert analyser.components([]) == set()
    assert analyser.components(["tag"]) == {"tok2vec", "tagger"}
    assert analyser.components(["head"]) == {"tok2vec", "parser"}
    # The rules look at tags and relations; entities stop at the sentence boundaries of the parser.
    assert analyser.components(["upos"]) == {"tok2vec", "tagger", "parser", "attribute_ruler"}
    assert analyser.components(["entity"]) == {"tok2vec", "parser", "ner"}


def test_a_component_that_is_not_needed_does_not_run(monkeypatch):
    analyser = blank("test_tags", "test_chain")

    def fail(doc):
        raise AssertionError("must not run")

    components = [("test_tags", fail), *analyser._nlp._components[1:]]
    monkeypatch.setattr(analyser._nlp, "_components", components)
    assert analyser.analyse(["a b"], ["head"])[0].head == (0, 1)


def test_a_cell_does_not_depend_on_the_other_columns(trained):
    analyser = SpacyAnalyser(trained, "spacy:test")
    whole = list(analyser.analyse(TEXTS, analyser.columns))
    names = sorted(analyser.columns - {"form", "start", "end"})
    for size in range(len(names)):
        for some in itertools.combinations(names, size):
            for row, full in zip(analyser.analyse(TEXTS, some), whole, strict=True):
                assert row.columns == {"form", "start", "end", *some}
                assert all(row.column(name) == full.column(name) for name in row.columns)


def test_a_component_that_declares_nothing_runs_after_all_before_it():
    assert blank("test_tags", "test_shout", "test_chain").components(["head"]) == {
        "test_tags",
        "test_shout",
        "test_chain",
    }


def test_a_component_that_merges_tokens_always_runs():
    analyser = blank("entity_ruler", "merge_entities")
    analyser._nlp.get_pipe("entity_ruler").add_patterns([{"label": "GPE", "pattern": "New York"}])
    (row,) = analyser.analyse(["in New York"], [])
    assert row.form == ("in", "New York")


def test_a_lemmatiser_by_rules_needs_parts_of_speech():
    nlp = spacy.blank("en")
    nlp.add_pipe("morphologizer")
    nlp.add_pipe("test_tags")
    nlp.add_pipe("lemmatizer", config={"mode": "rule"})
    analyser = SpacyAnalyser(nlp, "spacy:test")
    assert analyser.components(["lemma"]) == {"morphologizer", "lemmatizer"}


def test_a_saved_pipeline_is_loaded_by_its_path(trained, tmp_path):
    trained.to_disk(tmp_path / "pipeline")
    analyser = load(f"spacy:{tmp_path / 'pipeline'}")
    assert analyser.name == f"spacy:{tmp_path / 'pipeline'}"
    original = SpacyAnalyser(trained, "spacy:test")
    assert list(analyser.analyse(TEXTS, analyser.columns)) == list(
        original.analyse(TEXTS, original.columns)
    )


def test_the_fingerprint_tells_pipelines_apart(trained, tmp_path):
    trained.to_disk(tmp_path / "one")
    trained.to_disk(tmp_path / "two")
    one = SpacyAnalyser.load(str(tmp_path / "one"))
    one.analyse(TEXTS, ["tag"])
    assert one.fingerprint([]) == SpacyAnalyser.load(str(tmp_path / "two")).fingerprint([])
    rules = spacy.load(tmp_path / "two")
    rules.get_pipe("attribute_ruler").add([[{"TAG": "PRP"}]], {"POS": "PRON"})
    rules.to_disk(tmp_path / "two")
    assert one.fingerprint([]) != SpacyAnalyser.load(str(tmp_path / "two")).fingerprint([])
    assert blank("test_tags").fingerprint([]) == blank("test_tags").fingerprint([])
    assert blank("test_tags").fingerprint([]) != blank("test_chain").fingerprint([])


def test_a_pipeline_that_is_not_installed_is_named():
    with pytest.raises(ResourceError, match=r"MP264.*'xx_none'.*spacy download xx_none"):
        load("spacy:xx_none")


def test_a_text_that_spacy_cannot_read_is_named():
    analyser = blank()
    with pytest.raises(InputError, match=r"MP265.*the text"):
        analyser.analyse(["a", "\ud800"], [])
    analyser._nlp.max_length = 5
    with pytest.raises(InputError, match=r"MP265.*the text.*5 characters"):
        analyser.analyse(["a long text"], [])
