/** Elements made of data: text is only ever a text node, so nothing in it can become markup. */

import { visible } from "./text.ts";

export type Child = Node | string | null | undefined | false;
export type Attributes = Record<string, string | number | boolean | null | undefined>;
type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(
    ...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** An HTML element. Attributes that are false, null or undefined are left out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export function on<E extends HTMLElement>(element: E, handlers: Handlers): E {
  for (const [name, handler] of Object.entries(handlers)) {
    element.addEventListener(name, handler as EventListener);
  }
  return element;
}

/** Somebody else's text inside ours: it keeps its own direction, and what is invisible shows. */
export function bdi(text: string, attributes: Attributes = {}): HTMLElement {
  return el("bdi", { dir: "auto", ...attributes }, visible(text));
}

export function button(label: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return on(el("button", { type: "button", ...attributes }, label), { click: press });
}

/** When the browser has nothing else to do, or after two seconds. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 50);
  });
}

let labels = 0;

/** A unique id, to tie a label or a description to its element. */
export function unique(prefix: string): string {
  labels += 1;
  return `${prefix}-${labels}`;
}

/** A control with its label. */
export function labelled(label: string, control: HTMLElement): HTMLElement {
  control.id ||= unique("control");
  return el("div", { class: "field" }, el("label", { for: control.id }, label), control);
}

/** A drop-down of numbered choices. */
export function choice(
  options: readonly (readonly [number | string, string])[],
  change: (value: string) => void,
): HTMLSelectElement {
  const select = el("select", {}, ...options.map(([value, text]) => el("option", { value }, visible(text))));
  return on(select, { change: () => change(select.value) });
}

/** A table that scrolls sideways by itself where the screen is too narrow for it. */
export function scrolling(name: string, ...children: Child[]): HTMLElement {
  return el("div", { class: "scrolling", role: "region", "aria-label": name, tabindex: 0 }, ...children);
}

/** A table with its explanation above it, as wide as the page and not as the table. */
export function explained(name: string, about: readonly Child[], table: HTMLTableElement): HTMLElement {
  const id = unique("about");
  table.setAttribute("aria-describedby", id);
  table.setAttribute("aria-label", name);
  return el("div", { class: "explained" }, el("p", { class: "muted", id }, ...about), scrolling(name, table));
}

/** What went wrong while a part of the page was made, in its place. */
export function problem(error: unknown): HTMLElement {
  const text = error instanceof Error ? error.message : String(error);
  return el("p", { class: "problem", role: "alert" }, visible(`This could not be shown: ${text}`));
}
