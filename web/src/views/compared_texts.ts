/** A text beside another one, with the words that only it has marked. */

import { el } from "../base/dom.ts";
import { visible } from "../base/text.ts";
import { difference, type Piece } from "../data/text_difference.ts";
import { annotated, hasNotes, type Notes } from "./annotated_text.ts";
import { longText, SHORT } from "./long_text.ts";

/**
 * A hypothesis marks what it adds, a reference what is missing; texts too long to compare have no marks. `notes` are
 * its tags and what was found in it.
 */
export function comparedText(
  text: string,
  other: string,
  tag: "ins" | "del",
  lang: string,
  notes: Notes = {},
): HTMLElement {
  const compared = text === "" ? null : difference(text, other, lang);
  if (!compared) return notedText(text, lang, notes);
  return passage(text, lang, compared[0], tag, notes);
}

/** One of two versions of a text, with all that changed marked, also in case, spaces and tags. */
export function changedText(text: string, other: string, tag: "ins" | "del", lang: string, notes: Notes): HTMLElement {
  const compared = text === "" ? null : difference(text, other, lang, true);
  return compared ? passage(text, lang, compared[0], tag, notes) : notedText(text, lang, notes);
}

/** A text that is compared with nothing. */
export function notedText(text: string, lang: string, notes: Notes): HTMLElement {
  if (!hasNotes(notes) || text.length > SHORT) return longText(text, lang);
  return passage(text, lang, [], "ins", notes);
}

function passage(
  text: string,
  lang: string,
  pieces: readonly Piece[],
  tag: "ins" | "del",
  notes: Notes,
): HTMLElement {
  const children = hasNotes(notes)
    ? [text === "" && el("span", { class: "muted" }, "(empty) "), ...annotated(text, pieces, tag, notes)]
    : pieces.map((piece) =>
        piece.common || piece.space ? visible(piece.text) : el(tag, {}, visible(piece.text)),
      );
  return el("p", { class: "passage", dir: "auto", lang: lang && lang !== "xx" ? lang : null }, ...children);
}

export function titledText(title: string, text: HTMLElement): HTMLElement {
  return el("div", { class: "given" }, el("h3", {}, title), text);
}

/** What the marks mean. */
export function marksKey(where: string, missingFrom: string): HTMLElement {
  return el(
    "p",
    { class: "muted key" },
    el("ins", {}, "marked"),
    ` in ${where}: not in the reference. `,
    el("del", {}, "marked"),
    ` in the reference: not in ${missingFrom}.`,
  );
}
