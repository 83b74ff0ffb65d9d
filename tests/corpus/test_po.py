"""PO catalogues: read as polib reads them, and as gettext means them."""

from __future__ import annotations

from pathlib import Path

import polib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.malformed_units import HEADER, po
from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.units.po import placed_po, read_po, unit_id
from metaphrase.corpus.units import Unit, UnitFile


def read(tmp_path: Path, content: bytes) -> UnitFile:
    path = tmp_path / "file.po"
    path.write_bytes(content)
    found = format_of(path)
    assert found is not None
    assert found.name == "po"
    return read_po(path)


def only(tmp_path: Path, body: str) -> Unit:
    (unit,) = read(tmp_path, po(body)).units
    return unit


def test_a_message_has_comments_flags_and_a_context(tmp_path: Path) -> None:
    unit = only(
        tmp_path,
        '# for you\n#. from me\n#: a.c:1\n#, fuzzy, c-format\n#| msgid "old"\n'
        'msgctxt "menu"\nmsgid "Save"\nmsgstr "Speichern"\n',
    )
    assert (unit.id, unit.context, unit.source.text) == ("menu|Save", "menu", "Save")
    assert (unit.state, unit.flags, unit.notes) == ("fuzzy", ("c-format",), ("for you", "from me"))
    assert unit.line == 9


def test_strings_go_on_in_the_next_line_and_have_escapes(tmp_path: Path) -> None:
    unit = only(tmp_path, 'msgid ""\n"a\\n"\n  "b\\t\\"c\\"" "\\\\"\nmsgstr "\\x41\\101"\n')
    assert unit.source.text == 'a\nb\t"c"\\'
    assert unit.target is not None
    assert unit.target.text == "AA"


def test_plural_forms_are_units_of_their_own(tmp_path: Path) -> None:
    body = 'msgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d Datei"\nmsgstr[1] ""\n'
    one, many = read(tmp_path, po(body)).units
    assert (one.id, one.plural, one.source.text) == ("|%d file|0", 0, "%d file")
    assert (many.id, many.plural, many.source.text, many.target) == (
        "|%d file|1", 1, "%d files", None,
    )  # fmt: skip


def test_a_language_with_one_form_translates_the_plural(tmp_path: Path) -> None:
    header = HEADER.replace('\\n"\n\n', '\\nPlural-Forms: nplurals=1; plural=0;\\n"\n\n')
    body = 'msgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "x"\n'
    (unit,) = read(tmp_path, po(body, header=header)).units
    assert unit.source.text == "%d files"


def test_obsolete_messages_are_no_units(tmp_path: Path) -> None:
    unit = only(tmp_path, 'msgid "a"\nmsgstr "b"\n\n#~ msgid "c"\n#~ msgstr "d"\n')
    assert unit.id == "a"


def test_the_header_says_language_and_encoding(tmp_path: Path) -> None:
    header = 'msgid ""\nmsgstr "Language: de\\nContent-Type: text/plain; charset=ISO-8859-1\\n"\n\n'
    file = read(tmp_path, f'{header}msgid "a"\nmsgstr "Größe"\n'.encode("latin-1"))
    assert file.target_language == "de"
    assert file.units[0].target is not None
    assert file.units[0].target.text == "Größe"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_are_those_of_any_system(end: str, tmp_path: Path) -> None:
    content = po('msgid "a"\nmsgstr "b"\n').decode().replace("\n", end)
    assert [unit.id for unit in read(tmp_path, content.encode()).units] == ["a"]


names = st.text(max_size=4, alphabet="ab|\\e0")


@given(st.lists(st.tuples(st.none() | names, names, st.none() | st.integers(0, 2)), unique=True))
def test_messages_that_differ_have_different_ids(
    messages: list[tuple[str | None, str, int | None]],
) -> None:
    assert len({unit_id(*message) for message in messages}) == len(messages)


texts = st.text(
    st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\r"), max_size=20
)
entries = st.builds(
    lambda ctxt, plural, strings, flags, comment: (ctxt, plural, strings, flags, comment),
    st.none() | texts,
    st.none() | texts.filter(bool),
    st.lists(texts, min_size=2, max_size=2),
    st.sampled_from([[], ["fuzzy"], ["c-format"]]),
    st.sampled_from(["", "hello", "two\nlines"]),
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(texts.filter(bool), entries, min_size=1, max_size=5))
def test_what_polib_writes_reads_back(catalogue: dict[str, tuple]) -> None:  # type: ignore[type-arg]
    file = polib.POFile(wrapwidth=30)
    file.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    expected = []
    for msgid, (context, plural, strings, flags, comment) in catalogue.items():
        entry = polib.POEntry(msgid=msgid, msgctxt=context, flags=flags, tcomment=comment)
        if plural is None:
            entry.msgstr = strings[0]
        else:
            entry.msgid_plural = plural
            entry.msgstr_plural = dict(enumerate(strings))
        file.append(entry)
        for number, text in enumerate(strings if plural is not None else strings[:1]):
            number_or_none = None if plural is None else number
            expected.append((unit_id(context, msgid, number_or_none), text or None))
    _, placed = placed_po(str(file).encode(), "polib.po")
    found = [(p.unit.id, p.unit.target.text if p.unit.target else None) for p in placed]
    assert found == expected
