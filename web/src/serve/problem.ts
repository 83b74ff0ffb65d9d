/** An error as the command line gives it: code, place, message, and what to do. */

import { bdi, el } from "../base/dom.ts";
import { type Problem, ServerError } from "../data/source.ts";

export function toProblem(error: unknown): Problem {
  if (error instanceof ServerError) return error.problem;
  return { code: "page", message: error instanceof Error ? error.message : String(error) };
}

export function problemBox(problem: Problem): HTMLElement {
  const place = problem.path ? `${problem.path}${problem.line ? `:${problem.line}` : ""}` : "";
  return el(
    "div",
    { class: "problem-box", role: "alert" },
    el(
      "p",
      {},
      el("strong", { class: "code" }, bdi(problem.code)),
      place ? el("span", { class: "code" }, " ", bdi(place)) : null,
    ),
    el("p", {}, bdi(problem.message)),
    problem.hint ? el("p", { class: "hint" }, bdi(problem.hint)) : null,
  );
}
