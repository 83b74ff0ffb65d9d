/** The views of one report, put together. */

import { keepAddress } from "../state/address.ts";
import { Dataset } from "../data/dataset.ts";
import { bdi, el } from "../base/dom.ts";
import { counted, withDigits } from "../base/numbers.ts";
import type { Overview } from "../data/overview.ts";
import type { Source } from "../data/source.ts";
import { fromFragment, Store, VIEWS, within } from "../state/state.ts";
import { segmentBrowser } from "./segment_list.ts";
import { distributionsView } from "./distributions.ts";
import { keysDialog } from "./keys_dialog.ts";
import { navigation, reveal } from "./view_links.ts";
import { scatterView } from "./scatter.ts";
import { SegmentDialog } from "./segment_dialog.ts";
import { systemsView } from "./systems.ts";

function heading(overview: Overview): HTMLElement {
  const facts = [
    counted(overview.systems.length, "system"),
    counted(overview.metrics.length, "metric"),
    `${counted(overview.segments, "segment")}${overview.documents ? ` in ${counted(overview.documents.length, "document")}` : ""}`,
    counted(overview.references, "reference"),
    `language ${overview.lang}`,
    `metaphrase ${overview.metaphrase}`,
  ];
  return el(
    "header",
    { class: "report-head" },
    el("h1", {}, bdi(overview.title || "Translation quality report")),
    el("p", { class: "muted" }, bdi(facts.join(" · "))),
    overview.notes.length > 0 && el("ul", { class: "notes" }, ...overview.notes.map((note) => el("li", {}, bdi(note)))),
  );
}

/** Whether a key was meant for what somebody types. */
function typing(event: KeyboardEvent): boolean {
  const target = event.target;
  return (
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  );
}

/** Draws the report into `root`. Whatever the page does until `stop` is heard ends with it. */
export async function showReport(root: HTMLElement, source: Source, stop: AbortSignal): Promise<void> {
  const overview = withDigits(await source.overview());
  if (stop.aborted) return;
  const data = new Dataset(source, overview);
  const limits = {
    systems: overview.systems.length,
    metrics: overview.metrics.length,
    segments: overview.segments,
    documents: overview.documents?.length ?? 0,
    human: overview.human?.segments ?? false,
    partly: overview.explained === "some",
  };
  const store = new Store(fromFragment(location.hash), (state) => within(state, limits));

  const open = (segment: number, system: number, metric?: number) =>
    store.update({ explainSystem: system, segment, ...(metric === undefined ? {} : { explainMetric: metric }) });
  const browser = segmentBrowser(data, store, (segment, system) => {
    const { choice, sort, metric } = store.state;
    open(segment, system, choice !== "all" ? metric : sort >= 0 ? sort : undefined);
  });
  let opener: Element | null = null;
  const dialog = new SegmentDialog(
    data,
    store,
    (by) => {
      const { segment, explainSystem } = store.state;
      const next = browser.step(by, segment, explainSystem);
      if (next) open(next.segment, next.system);
    },
    () => {
      // A link to a segment was followed from nowhere in the page: its row is the nearest place.
      if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
      else browser.focus();
    },
  );
  const keys = keysDialog();
  store.watch(["segment"], ({ segment }) => {
    if (segment >= 0 && !dialog.element.open) opener = document.activeElement;
  });
  const distributions = distributionsView(data, store);
  const scatter = scatterView(data, store, open);
  root.replaceChildren(
    heading(overview),
    navigation(store, () => keys.showModal(), stop),
    el("main", { class: "report-views" }, systemsView(data, store), distributions.element, scatter, browser.element),
    dialog.element,
    keys,
  );
  dialog.start();
  if (store.state.view !== "systems") {
    const { view } = store.state;
    void distributions.ready.then(() => reveal(view, false));
  }

  keepAddress(store, stop);
  addEventListener(
    "keydown",
    (event) => {
      if (typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "?" && !keys.open) keys.showModal();
      else if (event.key === "/" && !dialog.element.open && !keys.open) browser.search();
      else if (/^[1-4]$/.test(event.key) && !dialog.element.open && !keys.open) {
        const view = VIEWS[Number(event.key) - 1] ?? "systems";
        store.update({ view });
        reveal(view, true);
      } else return;
      event.preventDefault();
    },
    { signal: stop },
  );
}
