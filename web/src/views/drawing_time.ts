/** When a view is drawn: near the screen, in idle time, or before it goes onto paper. */

import { idle } from "../base/dom.ts";

/**
 * Runs once when the element comes near the screen or the browser has nothing else to do: paper shows what nobody has
 * scrolled to, and does not wait for it to be drawn.
 */
export function whenNear(element: HTMLElement, run: () => void): void {
  let ran = false;
  const once = () => {
    if (ran) return;
    ran = true;
    watch.disconnect();
    run();
  };
  const watch = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) once();
    },
    { rootMargin: "200px" },
  );
  watch.observe(element);
  addEventListener("beforeprint", once, { once: true });
  void idle().then(once);
}

/** On paper nothing can be opened: what is closed inside of `element` is open there. */
export function openOnPaper(element: HTMLElement): void {
  let opened: HTMLDetailsElement[] = [];
  aroundPrint((printing) => {
    const closed = printing ? [...element.querySelectorAll<HTMLDetailsElement>("details:not([open])")] : [];
    for (const one of closed) one.open = true;
    for (const one of printing ? [] : opened) one.open = false;
    opened = printing ? [...opened, ...closed] : [];
  });
}

/** Runs `change` with true before the page is laid out for paper and with false afterwards. */
export function aroundPrint(change: (printing: boolean) => void): void {
  addEventListener("beforeprint", () => change(true));
  addEventListener("afterprint", () => change(false));
  matchMedia("print").addEventListener("change", (event) => change(event.matches));
}
