/** Earlier evaluations, and the one that is running. */

import { showReport } from "../views/report.ts";
import { bdi, button, el } from "../base/dom.ts";
import { count, withDigits } from "../base/numbers.ts";
import { saveFile } from "../base/saving.ts";
import { Dataset } from "../data/dataset.ts";
import { saveWorkbook } from "../views/excel.ts";
import { HttpSource } from "../data/source.ts";
import { visible } from "../base/text.ts";
import * as api from "./api.ts";
import { problemBox, toProblem } from "./problem.ts";
import { confirmed } from "./confirmation.ts";

const STATES: Record<api.JobState, string> = {
  queued: "waiting",
  running: "running",
  done: "done",
  failed: "failed",
  cancelled: "cancelled",
};

function moment(created: string | number | null | undefined): string {
  if (created === null || created === undefined) return "";
  const date = new Date(typeof created === "number" ? created * 1000 : created);
  return Number.isNaN(date.getTime())
    ? String(created)
    : date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

export function jobLink(id: string, text: string): HTMLAnchorElement {
  return el("a", { href: `#job=${encodeURIComponent(id)}` }, bdi(text));
}

const GONE = "Its texts and scores will be gone for good.";

/** The list of earlier evaluations, newest first. `redraw` gets the place of one that was deleted. */
export async function jobList(redraw: (place: number) => void): Promise<HTMLElement | null> {
  const listed = await api.jobs();
  if (listed.length === 0) return null;
  const rows = listed.map((job, place) => {
    const name = job.title || job.id;
    const done = () => redraw(place);
    const ask = async () => {
      if (await confirmed(`Delete “${name}”? ${GONE}`, "Delete")) await api.remove(job.id).then(done, done);
    };
    const drop = button("Delete", () => void ask(), { class: "small", "aria-label": `Delete ${visible(name)}` });
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, jobLink(job.id, name)),
      el("td", {}, STATES[job.state] ?? job.state),
      el("td", {}, moment(job.created)),
      el("td", {}, drop),
    );
  });
  return el(
    "section",
    { class: "stack jobs", "aria-labelledby": "jobs-title" },
    el("h2", { id: "jobs-title", tabindex: -1 }, "Earlier evaluations"),
    el(
      "div",
      { class: "scrolling", role: "region", "aria-label": "Table of earlier evaluations", tabindex: 0 },
      el(
        "table",
        { "aria-labelledby": "jobs-title" },
        el(
          "thead",
          {},
          el("tr", {}, ...["Title", "State", "Started"].map((name) => el("th", { scope: "col" }, name)), el("td", {})),
        ),
        el("tbody", {}, ...rows),
      ),
    ),
  );
}

const pause = (milliseconds: number, stop: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    stop.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Asks until the job has ended; less and less often. */
async function ended(id: string, stop: AbortSignal, seen: (job: api.Job) => void): Promise<api.Job | null> {
  for (let asked = 0; !stop.aborted; asked++) {
    const job = await api.job(id);
    if (stop.aborted) return null;
    seen(job);
    if (job.state !== "queued" && job.state !== "running") return job;
    await pause(api.patience(asked), stop);
  }
  return null;
}

/** Saves an export; the server makes all but the workbook. */
async function save(id: string, format: string): Promise<void> {
  if (format === "xlsx") {
    const source = new HttpSource(id);
    return saveWorkbook(new Dataset(source, withDigits(await source.overview())));
  }
  const answer = await api.exported(id, format);
  const named = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
  saveFile(await answer.blob(), named ?? `metaphrase-${id}.${format}`);
}

/** One evaluation: progress while it runs, then its report or what went wrong. */
export async function showJob(root: HTMLElement, id: string, stop: AbortSignal, leave: () => void): Promise<void> {
  const errors = el("div");
  const fail = (error: unknown) => errors.replaceChildren(problemBox(toProblem(error)));
  const exports = exportBar(id, leave, fail);
  const progress = new Progress(() => void api.remove(id).catch(fail));
  const report = el("div", { class: "report" });
  const back = el("a", { href: "#" }, "New evaluation");
  const bar = el("nav", { class: "job-bar no-print", "aria-label": "Evaluation" }, back, exports);
  root.replaceChildren(bar, errors, progress.element, report);
  try {
    const job = await ended(id, stop, (seen) => progress.show(seen));
    if (!job) return;
    progress.element.remove();
    exports.hidden = job.state !== "done";
    if (job.state === "done") await showReport(report, new HttpSource(id), stop);
    else if (job.error) errors.replaceChildren(problemBox(job.error));
    else {
      const end = job.state === "cancelled" ? "This evaluation was cancelled." : "This evaluation failed.";
      errors.replaceChildren(el("p", { role: "status" }, end));
    }
  } catch (error) {
    progress.element.remove();
    fail(error);
  }
}

/** What can be done with an evaluation that is done; hidden until then. */
function exportBar(id: string, leave: () => void, fail: (error: unknown) => void): HTMLElement {
  const drop = async () => {
    if (await confirmed(`Delete this evaluation? ${GONE}`, "Delete")) await api.remove(id).then(leave, fail);
  };
  const bar = el(
    "div",
    { class: "controls" },
    el("span", { class: "muted" }, "Export"),
    ...(["html", "xlsx", "json", "tsv"] as const).map((format) =>
      button(format.toUpperCase(), () => void save(id, format).catch(fail), {
        class: "small",
        "aria-label": `Export as ${format.toUpperCase()}`,
      }),
    ),
    el("span", { class: "apart" }),
    button("Delete", () => void drop(), { class: "small", "aria-label": "Delete this evaluation" }),
  );
  bar.hidden = true;
  return bar;
}

class Progress {
  readonly element: HTMLElement;
  readonly #bar = el("progress", { "aria-label": "Progress", max: 1 });
  readonly #stage = el("p", { role: "status" }, "Asking …");

  constructor(cancel: () => void) {
    this.element = el(
      "section",
      { class: "stack progress", "aria-label": "Progress" },
      this.#stage,
      this.#bar,
      el("div", {}, button("Cancel", cancel)),
    );
  }

  show({ state, done, total, stage }: api.Job): void {
    if (total) {
      this.#bar.max = total;
      this.#bar.value = done ?? 0;
    } else this.#bar.removeAttribute("value");
    const part = total ? ` (${count(done ?? 0)} of ${count(total)})` : "";
    const text = state === "queued" ? "Waiting for its turn …" : `${stage || "Running"}${part}`;
    if (this.#stage.textContent !== text) this.#stage.replaceChildren(bdi(text));
  }
}
