/** The page that `metaphrase report` writes. */

import { showReport } from "./views/report.ts";
import { el, problem } from "./base/dom.ts";
import { EmbeddedSource } from "./data/source.ts";
import "./style/base.css";
import "./style/report.css";

async function start(): Promise<void> {
  let root = document.getElementById("app");
  if (!root) {
    root = el("div", { id: "app" });
    document.body.prepend(root);
  }
  try {
    await showReport(root, new EmbeddedSource(document), new AbortController().signal);
  } catch (error) {
    root.replaceChildren(problem(error));
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => void start());
else void start();
