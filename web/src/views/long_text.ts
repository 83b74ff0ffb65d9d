/** Texts of any length: long ones are cut, and grow part by part when somebody wants all. */

import { button, el } from "../base/dom.ts";
import { count } from "../base/numbers.ts";
import { cut, parts, visible } from "../base/text.ts";

export const SHORT = 3000;
const PART = 20_000;

/** The text in its own direction. Parts of a long one are laid out only when they come into sight. */
export function longText(text: string, lang: string): HTMLElement {
  const language = lang && lang !== "xx" ? lang : null;
  if (text === "") return el("p", { class: "passage muted" }, "(empty)");
  if (text.length <= SHORT) return el("p", { class: "passage", dir: "auto", lang: language }, visible(text));
  const box = el("div", { class: "passage long", lang: language });
  const all = parts(text, PART);
  const begin = cut(text, SHORT);
  const said = el("p", { class: "muted" });
  box.append(el("p", { dir: "auto" }, visible(begin), "…"));
  const grow = () => {
    box.replaceChildren();
    let next = 0;
    const more = () => {
      const until = performance.now() + 8;
      while (next < all.length && performance.now() < until) {
        box.append(el("p", { class: "part", dir: "auto" }, visible(all[next] ?? "")));
        next += 1;
      }
      said.textContent = next < all.length ? `${Math.round((100 * next) / all.length)} % …` : "";
      if (next < all.length && box.isConnected) requestAnimationFrame(more);
    };
    more();
  };
  const press = button(`Show all ${count(text.length)} characters`, () => {
    press.remove();
    grow();
  });
  return el("div", { class: "stack" }, box, press, said);
}
