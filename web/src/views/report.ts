/** The views of one report, put together. */

import { keepAddress } from "../state/address.ts";
import { Dataset } from "../data/dataset.ts";
import { bdi, el } from "../base/dom.ts";
import { counted, withDigits } from "../base/numbers.ts";
import type { Overview } from "../data/overview.ts";
import type { Source } from "../data/source.ts";
import { fromFragment, Store, type View, viewsOf, within } from "../state/state.ts";
import { SegmentList } from "./segment_list.ts";
import { documentsView } from "./documents.ts";
import { distributionsView } from "./distributions.ts";
import { excelButton } from "./excel.ts";
import { changesView } from "./changes.ts";
import { findingsView } from "./findings.ts";
import { findingChoices } from "./segment_filters.ts";
import { profileView } from "./profile.ts";
import { keysDialog } from "./keys_dialog.ts";
import { navigation, reveal } from "./view_links.ts";
import { scatterView } from "./scatter.ts";
import { SegmentDialog } from "./segment_dialog.ts";
import { systemsView } from "./systems.ts";

function listed(kind: string, texts: readonly string[]): HTMLElement | null {
  return texts.length > 0 ? el("ul", { class: kind }, ...texts.map((text) => el("li", {}, bdi(text)))) : null;
}

function heading(data: Dataset): HTMLElement {
  const { overview } = data;
  const facts = [
    counted(overview.systems.length, "system"),
    counted(overview.metrics.length, "metric"),
    `${counted(overview.segments, "segment")}${overview.documents ? ` in ${counted(overview.documents.length, "document")}` : ""}`,
    counted(overview.references, "reference"),
    `language ${overview.lang}`,
    `metaphrase ${overview.metaphrase}`,
  ];
  const failure = el("div");
  return el(
    "header",
    { class: "report-head" },
    el(
      "div",
      { class: "title-line" },
      el("h1", {}, bdi(overview.title || "Translation quality report")),
      // A server has it among its other formats.
      data.local && excelButton(data, failure),
    ),
    failure,
    overview.verdict ? el("p", { class: "verdict" }, bdi(overview.verdict, { dir: "ltr" })) : null,
    overview.changes ? el("p", { class: "verdict" }, bdi(overview.changes.summary, { dir: "ltr" })) : null,
    el("p", { class: "muted" }, bdi(facts.join(" · "))),
    listed("warnings", overview.warnings ?? []),
    listed("notes muted", overview.notes),
  );
}

/** A list whose rows can be opened one after the other. */
interface Stepped {
  step(by: number, segment: number, system: number): { segment: number; system: number } | null;
}

/** Whether a key is part of what somebody types. */
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
  const store = new Store(fromFragment(location.hash), (state) => within(state, limits(overview)));
  const open = (segment: number, system: number, metric?: number) =>
    store.update({ explainSystem: system, segment, ...(metric === undefined ? {} : { explainMetric: metric }) });
  // An open segment steps along the list that it was opened from.
  let stepped: Stepped;
  const list = new SegmentList(data, store, (segment, system) => {
    const { choice, metric } = store.state;
    stepped = list;
    open(segment, system, choice !== "all" ? metric : undefined);
  });
  stepped = list;
  const changes = changesView(data, store, (segment, system, metric) => {
    if (changes) stepped = changes;
    open(segment, system, metric);
  });
  const dialog = segmentDialog(data, store, list, () => stepped, open);
  const views = viewsOf(overview);
  const keys = keysDialog(views);
  const findings = findingsView(data, store);
  const documents = documentsView(data, store, "document");
  const domains = documentsView(data, store, "domain");
  const profile = profileView(data, store);
  const distributions = distributionsView(data, store);
  root.replaceChildren(
    heading(data),
    navigation(views, store, () => keys.showModal(), stop),
    el(
      "main",
      { class: "report-views" },
      systemsView(data, store),
      documents?.element,
      domains?.element,
      changes?.element,
      findings,
      profile?.element,
      distributions.element,
      scatterView(data, store, open),
      list.element,
    ),
    dialog.element,
    keys,
  );
  dialog.start();
  if (store.state.view !== "systems") {
    const { view } = store.state;
    const above = [documents, domains, changes, profile, distributions].map((one) => one?.ready);
    void Promise.all(above).then(() => reveal(view, false));
  }
  keepAddress(store, stop);
  listenToKeys(views, store, list, dialog, keys, stop);
}

function limits(overview: Overview): Parameters<typeof within>[1] {
  return {
    systems: overview.systems.length,
    metrics: overview.metrics.length,
    segments: overview.segments,
    documents: overview.documents?.length ?? 0,
    domains: overview.domains?.length ?? 0,
    human: overview.human?.segments ?? false,
    partly: overview.explained === "some",
    views: viewsOf(overview),
    ...(overview.findings ? { findings: (findingChoices(overview) ?? []).map(([wanted]) => wanted) } : {}),
  };
}

/** The open segment, which steps along the list and gives the cursor back to where it was opened from. */
function segmentDialog(
  data: Dataset,
  store: Store,
  list: SegmentList,
  stepped: () => Stepped,
  open: (segment: number, system: number) => void,
): SegmentDialog {
  let opener: Element | null = null;
  const step = (by: number) => {
    const { segment, explainSystem } = store.state;
    const next = stepped().step(by, segment, explainSystem);
    if (next) open(next.segment, next.system);
  };
  const closed = () => {
    // A link to a segment was followed from nowhere in the page: its row is the nearest place.
    if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
    else list.focus();
  };
  const dialog = new SegmentDialog(data, store, step, closed);
  store.watch(["segment"], ({ segment }) => {
    if (segment >= 0 && !dialog.element.open) opener = document.activeElement;
  });
  return dialog;
}

function listenToKeys(
  views: readonly View[],
  store: Store,
  list: SegmentList,
  dialog: SegmentDialog,
  keys: HTMLDialogElement,
  stop: AbortSignal,
): void {
  const press = (event: KeyboardEvent) => {
    if (typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?" && !keys.open) keys.showModal();
    else if (dialog.element.open || keys.open) return;
    else if (event.key === "/") list.search();
    else {
      const view = /^[1-9]$/.test(event.key) ? views[Number(event.key) - 1] : undefined;
      if (!view) return;
      store.update({ view });
      reveal(view, true);
    }
    event.preventDefault();
  };
  addEventListener("keydown", press, { signal: stop });
}
