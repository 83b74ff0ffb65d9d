/** Tabs as ARIA describes them; panels are made when they are first looked at. */

import { el, unique } from "../base/dom.ts";

export interface Tab {
  label: string;
  /** A number beside the label. */
  value?: string;
  panel: () => HTMLElement;
}

/** One panel needs no tabs. */
export function tabs(name: string, items: readonly Tab[]): HTMLElement {
  const [first] = items;
  if (first === undefined) return el("div");
  if (items.length === 1) return first.panel();
  const panel = el("div", { role: "tabpanel", id: unique("panel"), tabindex: 0 });
  const made = new Map<Tab, HTMLElement>();
  const buttons = items.map((item) =>
    el(
      "button",
      { type: "button", role: "tab", id: unique("tab"), "aria-controls": panel.id },
      item.label,
      item.value === undefined ? null : el("small", {}, ` ${item.value}`),
    ),
  );
  const choose = (at: number, focus: boolean) => {
    const item = items[at];
    const button = buttons[at];
    if (item === undefined || button === undefined) return;
    for (const one of buttons) {
      one.setAttribute("aria-selected", String(one === button));
      one.tabIndex = one === button ? 0 : -1;
    }
    let content = made.get(item);
    if (content === undefined) made.set(item, (content = item.panel()));
    panel.replaceChildren(content);
    panel.setAttribute("aria-labelledby", button.id);
    if (focus) button.focus();
  };
  buttons.forEach((button, at) => {
    button.addEventListener("click", () => choose(at, false));
    button.addEventListener("keydown", (event) => {
      const last = buttons.length - 1;
      const targets: Readonly<Record<string, number>> = {
        ArrowLeft: at === 0 ? last : at - 1,
        ArrowRight: at === last ? 0 : at + 1,
        Home: 0,
        End: last,
      };
      const next = targets[event.key];
      if (next === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      choose(next, true);
    });
  });
  choose(0, false);
  return el("div", { class: "explain-tabs" }, el("div", { role: "tablist", "aria-label": name }, ...buttons), panel);
}
