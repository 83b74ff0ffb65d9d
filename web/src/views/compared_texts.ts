/** A text beside another one, with the words that only it has marked. */

import { el } from "../base/dom.ts";
import { visible } from "../base/text.ts";
import { difference } from "../data/text_difference.ts";
import { longText } from "./long_text.ts";

/** A hypothesis marks what it adds, a reference what is missing; texts too long to compare have no marks. */
export function comparedText(text: string, other: string, tag: "ins" | "del", lang: string): HTMLElement {
  const compared = text === "" ? null : difference(text, other, lang);
  if (!compared) return longText(text, lang);
  return el(
    "p",
    { class: "passage", dir: "auto", lang: lang === "xx" ? null : lang },
    ...compared[0].map((piece) =>
      piece.common || piece.space ? visible(piece.text) : el(tag, {}, visible(piece.text)),
    ),
  );
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
