/** For development: every fixture on one page, or those that the address names (`?cobalt`). */

import { el } from "../base/dom.ts";
import type { Explanation } from "../data/explanation.ts";
import "../style/base.css";
import { renderExplanation } from "./index.ts";

const fixtures = import.meta.glob<Explanation>("./fixtures/*.json", { eager: true, import: "default" });
const wanted = location.search.slice(1).split("&").filter(Boolean);
const main = document.getElementById("gallery");
if (main !== null) main.style.padding = "1rem";
for (const [path, fixture] of Object.entries(fixtures)) {
  const name = path.replace(/^.*\/|\.json$/g, "");
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  main?.append(el("h1", {}, name), renderExplanation(fixture));
}
