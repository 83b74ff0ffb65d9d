/** The page that `metaphrase report` writes, and `metaphrase explain` and `probe` with `--format html`. */

import { showExplanations } from "./views/explained_segments.ts";
import { showProbe } from "./views/probed_errors.ts";
import { showReport } from "./views/report.ts";
import { el, problem } from "./base/dom.ts";
import { EmbeddedSource } from "./data/source.ts";
import "./style/base.css";
import "./style/report.css";
import "./style/probe.css";

async function start(): Promise<void> {
  let root = document.getElementById("app");
  if (!root) {
    root = el("div", { id: "app" });
    document.body.prepend(root);
  }
  try {
    const source = new EmbeddedSource(document);
    const { segmentNumbers, probe } = await source.overview();
    if (segmentNumbers) await showExplanations(root, source);
    else if (probe) await showProbe(root, source);
    else await showReport(root, source, new AbortController().signal);
  } catch (error) {
    root.replaceChildren(problem(error));
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => void start());
else void start();
