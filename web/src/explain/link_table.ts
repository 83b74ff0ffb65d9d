/** The links of a layer as a table: what the drawing shows, for readers who cannot see it and for long sentences. */

import { el } from "../base/dom.ts";
import type { Child } from "../base/dom.ts";
import type { Explanation, Link, Num } from "../data/explanation.ts";
import { fixed } from "../base/numbers.ts";
import { changes, relationText, wordPairs } from "./details.ts";
import { layerTitle, worth } from "./layers.ts";
import type { Layer } from "./layers.ts";
import { short } from "./numbers.ts";
import { each, table } from "./table.ts";
import type { Column } from "./table.ts";
import { cut, phrase, wordsOf } from "./words.ts";

interface Entry extends Column {
  cell: (link: Link) => Child;
  /** Whether the column says anything about a link; columns that never do are left out. */
  says?: (link: Link) => boolean;
}

export function linkTable(explanation: Explanation, layer: Layer): HTMLElement {
  const factors = [...new Set(layer.links.flatMap((link) => Object.keys(link.factors)))];
  const entries: Entry[] = [
    { title: "block", number: true, cell: (link) => String(link.block || ""), says: (link) => link.block > 0 },
    { title: "reference", cell: (link) => phrase(explanation.reference, link.reference) },
    { title: "hypothesis", cell: (link) => phrase(explanation.hypothesis, link.hypothesis) },
    { title: "why", cell: (link) => cut(link.kind) },
    ...factors.map((name): Entry => ({
      title: cut(name, 40),
      number: true,
      cell: (link) => fixed(link.factors[name] ?? null, 2),
    })),
    { title: "similarity", number: true, cell: (link) => fixed(link.similarity, 2) },
    { title: "penalty", number: true, cell: (link) => cost(link.penalty), says: (link) => Boolean(link.penalty) },
    { title: "worth", number: true, cell: (link) => fixed(worth(link), 2), says: (link) => Boolean(link.penalty) },
    { title: "weight", number: true, cell: (link) => short(link.weight), says: (link) => link.weight !== null },
    {
      title: "what changed around it",
      cell: (link) => el("div", { class: "explain-changes" }, ...changes(link).map((one) => el("div", {}, relationText(explanation, one)))),
      says: (link) => changes(link).length > 0,
    },
    {
      title: "word pairs",
      cell: (link) => wordPairs(explanation, link).join(", "),
      says: (link) => link.word_pairs.length > 0,
    },
    { title: "found as", cell: (link) => cut(link.stage), says: (link) => link.stage !== "" },
  ];
  const columns = entries.filter((entry) => entry.says === undefined || layer.links.some(entry.says));
  return table(
    `Links: ${cut(layerTitle(layer))}`,
    columns,
    each(layer.links, (link) => columns.map((column) => column.cell(link))),
  );
}

/** What phrases weigh and why, if weights are made of more than numbers of words. */
export function phraseTable(explanation: Explanation): HTMLElement | null {
  const names = [...new Set(explanation.phrases.flatMap((one) => Object.keys(one.factors)))];
  if (names.length === 0) return null;
  const columns: Column[] = [
    { title: "side" },
    { title: "phrase" },
    { title: "type" },
    ...names.map((name) => ({ title: cut(name, 40), number: true })),
    { title: "weight", number: true },
  ];
  const rows = explanation.phrases.map((one) => [
    cut(one.side, 20),
    phrase(wordsOf(explanation, one.side), one.words),
    cut(one.kind, 20),
    ...names.map((name) => (name in one.factors ? short(one.factors[name] ?? null) : "")),
    short(one.weight),
  ]);
  return table("Weights of phrases", columns, rows);
}

function cost(penalty: Num): Child {
  return penalty ? el("span", { class: "explain-cost" }, `−${fixed(penalty, 2)}`) : "";
}
