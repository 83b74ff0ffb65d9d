/** The keys of the page. */

import { button, el } from "../base/dom.ts";

const KEYS: readonly (readonly [string[], string])[] = [
  [["1", "2", "3", "4"], "go to systems, distributions, scatter, segments"],
  [["/"], "search the segments"],
  [["↑", "↓", "Page Up", "Page Down", "Home", "End"], "move in the list of segments"],
  [["Enter"], "open the segment, or list those of a cell"],
  [["j", "k"], "next and previous row, while a segment is open"],
  [["←", "→", "↑", "↓"], "in the scatter plot: from point to point, or cell to cell (with Shift: farther)"],
  [["Escape"], "close"],
  [["?"], "show these keys"],
];

export function keysDialog(): HTMLDialogElement {
  const dialog = el(
    "dialog",
    { class: "keys-dialog", "aria-labelledby": "keys-title" },
    el("h2", { id: "keys-title" }, "Keys"),
    el(
      "dl",
      {},
      ...KEYS.flatMap(([keys, what]) => [
        el("dt", {}, ...keys.flatMap((key, i) => (i ? [" ", el("kbd", {}, key)] : [el("kbd", {}, key)]))),
        el("dd", {}, what),
      ]),
    ),
    button("Close", () => dialog.close()),
  );
  return dialog;
}
