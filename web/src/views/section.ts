/** A part of the page with a heading. */

import { el } from "../base/dom.ts";

/** A view, and when it has its height. */
export interface Drawn {
  element: HTMLElement;
  ready: Promise<void>;
}

/** A section of the page that the navigation leads to. */
export function section(id: string, title: string, ...children: (Node | string)[]): HTMLElement {
  return el(
    "section",
    { id, class: "view", "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title`, tabindex: -1 }, title),
    ...children,
  );
}
