/** The page of `metaphrase serve`: new evaluations, earlier ones, and the report of one. */

import { el } from "./base/dom.ts";
import { metrics, type OfferedMetric, status } from "./serve/api.ts";
import { NewJobForm } from "./serve/form.ts";
import { introduction } from "./serve/introduction.ts";
import { jobList, showJob } from "./serve/jobs.ts";
import { problemBox, toProblem } from "./serve/problem.ts";
import { sentenceForm } from "./serve/sentence.ts";
import { admitted, split } from "./serve/token.ts";
import { fromFragment } from "./state/state.ts";
import "./style/base.css";
import "./style/report.css";
import "./style/serve.css";

const root = document.getElementById("app") ?? document.body.appendChild(el("div", { id: "app" }));
const page = el("div", { class: "page" });
const version = el("span", { class: "muted" });
let stop = new AbortController();
let shown: string | null = null;
/** The metrics of the server, which do not change while it runs. */
let known: Promise<OfferedMetric[]> | null = null;

const title = () => document.getElementById("new-title");

function open(id: string, place = ""): void {
  location.hash = `job=${encodeURIComponent(id)}${place}`;
}

async function home(focus: boolean): Promise<void> {
  const main = el("main", { class: "stack home" });
  page.replaceChildren(main);
  try {
    const offered = await status();
    version.textContent = offered.version;
    const list = el("div");
    // After a deletion the keyboard is at the next evaluation's button, or at the title above.
    const drawList = (deleted = -1) => {
      jobList(drawList).then(
        (made) => {
          list.replaceChildren(...(made ? [made] : []));
          if (deleted < 0) return;
          const buttons = list.querySelectorAll("button");
          (buttons[Math.min(deleted, buttons.length - 1)] ?? title())?.focus();
        },
        (error: unknown) => list.replaceChildren(problemBox(toProblem(error))),
      );
    };
    const sentence = sentenceForm(offered, (id) => open(id, "&segment=0"));
    const files = new NewJobForm(offered, open);
    main.replaceChildren(
      introduction(offered, open),
      el("div", { class: "ways" }, sentence.element, files.element),
      list,
    );
    drawList();
    known ??= metrics();
    known.then(
      (found) => {
        offered.metrics = found;
        sentence.offered();
        files.offered();
      },
      (error: unknown) => {
        known = null;
        files.offered(problemBox(toProblem(error)));
      },
    );
    if (focus) title()?.focus();
  } catch (error) {
    main.replaceChildren(problemBox(toProblem(error)));
  }
}

function route(): void {
  const { job } = fromFragment(location.hash);
  if (job === shown) return;
  const left = shown !== null; // from an evaluation, whose buttons are gone
  shown = job;
  stop.abort();
  stop = new AbortController();
  document.title = job ? "Evaluation – metaphrase" : "metaphrase";
  if (job) {
    void showJob(page, job, stop.signal, () => {
      location.hash = "";
    });
  } else void home(left);
}

root.replaceChildren(
  el(
    "nav",
    { class: "site-head no-print", "aria-label": "Site" },
    el("a", { href: "#", class: "site-name" }, "metaphrase"),
    " ",
    version,
  ),
  page,
);
async function start(): Promise<void> {
  await admitted(page);
  shown = null;
  route();
}

addEventListener("hashchange", () => (split(location.hash).token === null ? route() : void start()));
void start();
