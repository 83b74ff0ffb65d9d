/** The keys of the page. */

import { button, el } from "../base/dom.ts";

const KEYS: readonly (readonly [string[], string])[] = [
  [["/"], "search the segments"],
  [["↑", "↓", "Page Up", "Page Down", "Home", "End"], "move in the list of segments"],
  [["Enter"], "open the segment, or list those of a cell"],
  [["j", "k"], "next and previous row, while a segment is open"],
  [["←", "→", "↑", "↓"], "in the scatter plot: from point to point, or cell to cell (with Shift: farther)"],
  [["Escape"], "close"],
  [["?"], "show these keys"],
];

export function keysDialog(views: readonly string[]): HTMLDialogElement {
  const numbered: [string[], string] = [views.map((_, place) => String(place + 1)), `go to ${views.join(", ")}`];
  const dialog = el(
    "dialog",
    { class: "keys-dialog", "aria-labelledby": "keys-title" },
    el("h2", { id: "keys-title" }, "Keys"),
    el(
      "dl",
      {},
      ...[numbered, ...KEYS].flatMap(([keys, what]) => [
        el("dt", {}, ...keys.flatMap((key, i) => (i ? [" ", el("kbd", {}, key)] : [el("kbd", {}, key)]))),
        el("dd", {}, what),
      ]),
    ),
    button("Close", () => dialog.close()),
  );
  return dialog;
}
