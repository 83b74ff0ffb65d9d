/** Both sentences as running text in which the words that lost something are marked. */

import { el } from "../base/dom.ts";
import type { Explanation } from "../data/explanation.ts";
import type { Fate } from "./layers.ts";
import { SIDES, apart, cut, wordsOf } from "./words.ts";
import type { SideName } from "./words.ts";

const STEP = 2000;

export function markedText(explanation: Explanation, fate: Record<SideName, readonly Fate[]>): HTMLElement {
  const sentences = SIDES.map((side) => sentence(explanation, side, fate[side]));
  return el("dl", { class: "explain-text" }, ...sentences.flat());
}

function sentence(explanation: Explanation, side: SideName, fate: readonly Fate[]): HTMLElement[] {
  const words = wordsOf(explanation, side);
  const line = el("dd", { dir: "auto" });
  const more = el("button", { type: "button", class: "explain-more" });
  let shown = 0;
  const show = () => {
    const end = Math.min(shown + STEP, words.length);
    more.remove();
    for (; shown < end; shown++) {
      if (shown > 0 && apart(words, shown - 1, shown)) line.append(" ");
      line.append(marked(cut(words[shown]?.form ?? "", 200), fate[shown] ?? "ignored"));
    }
    if (shown < words.length) {
      more.textContent = `Show more words (${words.length - shown} left)`;
      line.append(" ", more);
    }
  };
  more.addEventListener("click", show);
  show();
  return [el("dt", {}, side), line];
}

function marked(form: string, fate: Fate): Node | string {
  return fate === "matched" ? form : el(fate === "lost" ? "mark" : "span", { class: `explain-${fate}` }, form);
}
