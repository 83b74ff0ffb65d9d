/** Links to the views, of which the one in sight is marked. */

import { button, el, on } from "../base/dom.ts";
import { type Store, toFragment, type View } from "../state/state.ts";

const NAMES: Record<View, string> = {
  systems: "Systems",
  changes: "Changes",
  findings: "Findings",
  profile: "Points lost",
  distributions: "Distributions",
  scatter: "Scatter",
  segments: "Segments",
};

export interface Scrolled {
  /** Upper edge of each view, in pixels below that of the window. */
  tops: readonly number[];
  /** How far below the upper edge of the window readers look for a title. */
  line: number;
  atStart: boolean;
  atEnd: boolean;
  /** The view that was asked for last. */
  asked: number;
}

/**
 * Which view is in sight. The last ones may never come up to the line, since nothing below them can push them there:
 * at the end of the page it is the one asked for or, if the reader scrolled, the last.
 */
export function inSight({ tops, line, atStart, atEnd, asked }: Scrolled): number {
  if (atStart) return 0;
  const reached = Math.max(0, tops.filter((top) => top <= line).length - 1);
  if (!atEnd) return reached;
  return asked > reached ? asked : tops.length - 1;
}

export function reveal(view: View, focus: boolean): void {
  document.getElementById(view)?.scrollIntoView();
  if (focus) document.getElementById(`${view}-title`)?.focus({ preventScroll: true });
}

/** Where links scroll sideways, moves them until all of this one is seen. */
function uncover(link: HTMLElement): void {
  const list = link.closest("ul");
  if (!list || list.scrollWidth <= list.clientWidth) return;
  const [own, seen] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollLeft += Math.min(0, own.left - seen.left) + Math.max(0, own.right - seen.right);
}

export function navigation(
  views: readonly View[],
  store: Store,
  help: () => void,
  stop: AbortSignal,
): HTMLElement {
  const links = views.map((view) => {
    const link = el("a", { href: `#${toFragment({ ...store.state, view, segment: -1 })}` }, NAMES[view]);
    return on(link, {
      click: (event) => {
        event.preventDefault();
        store.update({ view });
        reveal(view, true);
      },
    });
  });
  const bar = el(
    "nav",
    { class: "views", "aria-label": "Views" },
    el("ul", {}, ...links.map((link) => el("li", {}, link))),
    button("Keys", help, { "aria-keyshortcuts": "?", class: "small" }),
  );

  const mark = () => {
    frame = 0;
    const page = document.documentElement;
    const current = inSight({
      tops: views.map((view) => document.getElementById(view)?.getBoundingClientRect().top ?? Infinity),
      line: bar.getBoundingClientRect().bottom + page.clientHeight / 8,
      atStart: scrollY < 1,
      atEnd: scrollY + page.clientHeight >= page.scrollHeight - 1,
      asked: views.indexOf(store.state.view),
    });
    links.forEach((link, place) => {
      if (place === current) {
        link.setAttribute("aria-current", "true");
        uncover(link);
      } else link.removeAttribute("aria-current");
    });
  };
  let frame = requestAnimationFrame(mark);
  const soon = () => {
    frame ||= requestAnimationFrame(mark);
  };
  for (const event of ["scroll", "resize"]) addEventListener(event, soon, { passive: true, signal: stop });
  store.watch(["view"], soon);
  return bar;
}
