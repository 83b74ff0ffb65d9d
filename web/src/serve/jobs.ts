/** Evaluations of earlier, and the one that is running. */

import { showReport } from "../views/report.ts";
import { bdi, button, el } from "../base/dom.ts";
import { count } from "../base/numbers.ts";
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

const GONE = "Its texts and scores are gone for good then.";

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
          el("tr", {}, ...["Title", "State", "Begun"].map((name) => el("th", { scope: "col" }, name)), el("td", {})),
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

/** Saves an export by way of a link to a blob. */
async function save(id: string, format: string): Promise<void> {
  const answer = await api.exported(id, format);
  const named = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
  const address = URL.createObjectURL(await answer.blob());
  const link = el("a", { href: address, download: named ?? `metaphrase-${id}.${format}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** One evaluation: progress while it runs, then its report or what went wrong. */
export async function showJob(root: HTMLElement, id: string, stop: AbortSignal, leave: () => void): Promise<void> {
  const errors = el("div");
  const fail = (error: unknown) => errors.replaceChildren(problemBox(toProblem(error)));
  const bar = el("progress", { "aria-label": "Progress", max: 1 });
  const stage = el("p", { role: "status" }, "Asking …");
  const cancel = button("Cancel", () => void api.remove(id).catch(fail));
  const drop = async () => {
    if (await confirmed(`Delete this evaluation? ${GONE}`, "Delete")) await api.remove(id).then(leave, fail);
  };
  const exports = el(
    "div",
    { class: "controls" },
    el("span", { class: "muted" }, "Export"),
    ...(["html", "json", "tsv"] as const).map((format) =>
      button(format.toUpperCase(), () => void save(id, format).catch(fail), {
        class: "small",
        "aria-label": `Export as ${format.toUpperCase()}`,
      }),
    ),
    el("span", { class: "apart" }),
    button("Delete", () => void drop(), { class: "small", "aria-label": "Delete this evaluation" }),
  );
  exports.hidden = true;
  const back = el("a", { href: "#" }, "New evaluation");
  const progress = el(
    "section",
    { class: "stack progress", "aria-label": "Progress" },
    stage,
    bar,
    el("div", {}, cancel),
  );
  const report = el("div", { class: "report" });
  root.replaceChildren(el("nav", { class: "job-bar no-print", "aria-label": "Evaluation" }, back, exports), errors, progress, report);
  try {
    const job = await ended(id, stop, ({ state, done, total, stage: step }) => {
      if (total) {
        bar.max = total;
        bar.value = done ?? 0;
      } else bar.removeAttribute("value");
      const part = total ? ` (${count(done ?? 0)} of ${count(total)})` : "";
      const text = state === "queued" ? "Waiting for its turn …" : `${step || "Running"}${part}`;
      if (stage.textContent !== text) stage.replaceChildren(bdi(text));
    });
    if (!job) return;
    progress.remove();
    exports.hidden = job.state !== "done";
    if (job.state === "done") await showReport(report, new HttpSource(id), stop);
    else if (job.error) errors.replaceChildren(problemBox(job.error));
    else
      errors.replaceChildren(
        el(
          "p",
          { role: "status" },
          job.state === "cancelled" ? "This evaluation was cancelled." : "This evaluation failed.",
        ),
      );
  } catch (error) {
    progress.remove();
    fail(error);
  }
}
