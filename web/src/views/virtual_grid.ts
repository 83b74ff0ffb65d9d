/** A grid of very many rows of one height, of which only those in sight exist. */

import { el, on, unique } from "../base/dom.ts";
import { aroundPrint } from "./drawing_time.ts";

/** Rows that go onto paper: some pages, not a book. */
export const PRINTED = 200;

/** Browsers lay out no element much higher than this many pixels. */
const HIGHEST = 15_000_000;

export interface GridRows {
  count: number;
  columns: number;
  cells: (place: number) => HTMLElement[];
}

export class VirtualGrid {
  readonly element: HTMLElement;
  readonly #head = el("div", { class: "grid-head", role: "rowgroup" });
  readonly #body = el("div", { class: "grid-body", role: "rowgroup" });
  readonly #drawn = new Map<number, HTMLElement>();
  readonly #id = unique("grid");
  readonly #open: (place: number) => void;
  readonly #arrange: (room: number) => void;
  #rows: GridRows = { count: 0, columns: 0, cells: () => [] };
  #active = 0;
  #frame = 0;
  #height = 36;
  #stale = false;
  #printing = false;

  /** Before rows are drawn for another width, `arrange` is told how many rem there are; paper counts as narrow. */
  constructor(name: string, open: (place: number) => void, arrange: (room: number) => void) {
    this.#open = open;
    this.#arrange = arrange;
    // What scrolls is what has the focus, so that there is one stop for the Tab key and keys scroll it.
    this.element = el(
      "div",
      { class: "grid", role: "grid", "aria-label": name, tabindex: 0, "aria-readonly": "true" },
      el("div", { class: "grid-rows", role: "presentation" }, this.#head, this.#body),
    );
    on(this.element, {
      scroll: () => this.#schedule(),
      keydown: (event) => {
        if (event.target === this.element) this.#key(event);
      },
    });
    on(this.#body, {
      click: (event) => {
        const row = (event.target as Element).closest("[data-place]");
        if (!row) return;
        this.activate(Number(row.getAttribute("data-place")));
        this.#open(this.#active);
      },
    });
    new ResizeObserver(() => this.#redraw()).observe(this.element);
    aroundPrint((printing) => {
      if (printing === this.#printing) return;
      this.#printing = printing;
      this.#redraw();
    });
  }

  get active(): number {
    return this.#active;
  }

  /** New rows; the first is active. */
  show(head: HTMLElement, rows: GridRows): void {
    this.#head.replaceChildren(head);
    this.#rows = rows;
    this.#active = 0;
    this.element.setAttribute("aria-rowcount", String(rows.count + 1));
    this.element.setAttribute("aria-colcount", String(rows.columns));
    this.element.scrollTop = 0;
    this.#redraw();
  }

  /** Draws what is in sight once more, after its data came. */
  refresh(): void {
    this.#stale = true;
    this.#schedule();
  }

  activate(place: number): void {
    this.#active = Math.max(0, Math.min(this.#rows.count - 1, place));
    const top = this.#active * this.#height;
    const offset = this.#offset();
    const room = this.#room();
    if (top < offset) this.#scrollTo(top);
    else if (top + this.#height > offset + room) this.#scrollTo(top + this.#height - room);
    this.#draw();
  }

  /** Everything anew, as the style sheet and the width of the page say now. */
  #redraw(): void {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#arrange(this.#printing ? 0 : this.element.clientWidth / rem);
    this.#height = parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) * rem || 36;
    this.#body.style.height = `${Math.min(HIGHEST, this.#rows.count * this.#height)}px`;
    this.#stale = true;
    this.#draw();
  }

  /** How much more there is to scroll than the scroll bar has: 1 for up to some hundred thousand rows. */
  #ratio(): number {
    const room = this.#room();
    const total = this.#rows.count * this.#height;
    return total > HIGHEST ? (total - room) / (HIGHEST - room) : 1;
  }

  /** Height of what is seen of the rows: the head stays above them. */
  #room(): number {
    return Math.max(0, this.element.clientHeight - this.#head.offsetHeight);
  }

  #offset(): number {
    return this.element.scrollTop * this.#ratio();
  }

  #scrollTo(offset: number): void {
    this.element.scrollTop = offset / this.#ratio();
  }

  #schedule(): void {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #row(place: number): HTMLElement {
    return el(
      "div",
      {
        class: place % 2 ? "grid-row odd" : "grid-row",
        role: "row",
        id: `${this.#id}-${place}`,
        "data-place": place,
        "aria-rowindex": place + 2,
      },
      ...this.#rows.cells(place),
    );
  }

  /** Rows that stay in sight stay as they are, so that a step of scrolling makes only a few. */
  #draw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const offset = this.#offset();
    const room = this.#room() || 600;
    const first = this.#printing ? 0 : Math.max(0, Math.floor(offset / this.#height) - 4);
    const last = this.#printing ? PRINTED : Math.ceil((offset + room) / this.#height) + 4;
    const end = Math.min(this.#rows.count, last);
    const shift = this.element.scrollTop - offset;
    for (const [place, row] of this.#drawn) {
      if (!this.#stale && place >= first && place < end) continue;
      row.remove();
      this.#drawn.delete(place);
    }
    this.#stale = false;
    // From the last to the first, so that the page has them in the order of the list.
    for (let place = end - 1; place >= first; place--) {
      let row = this.#drawn.get(place);
      if (!row) {
        row = this.#row(place);
        this.#drawn.set(place, row);
        this.#body.insertBefore(row, this.#drawn.get(place + 1) ?? null);
      }
      row.style.transform = `translateY(${place * this.#height + shift}px)`;
      row.setAttribute("aria-selected", String(place === this.#active));
    }
    if (this.#drawn.has(this.#active))
      this.element.setAttribute("aria-activedescendant", `${this.#id}-${this.#active}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || this.#rows.count === 0) return;
    const page = Math.max(1, Math.floor(this.#room() / this.#height) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[event.key];
    if (step !== undefined) this.activate(this.#active + step);
    else if (event.key === "Enter") this.#open(this.#active);
    else return;
    event.preventDefault();
  }
}
