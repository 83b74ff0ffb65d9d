/** The token of a server that asks for one: from the address, kept by this tab, or typed. */

import { el, labelled, on } from "../base/dom.ts";
import { sendToken, ServerError } from "../data/source.ts";
import { jobs } from "./api.ts";
import { problemBox } from "./problem.ts";

const REFUSED = "MP837";
const KEPT = "metaphrase-token";
const ENTRY = "token=";

/** The token that a fragment holds, null if none, and the fragment without it. */
export function split(fragment: string): { token: string | null; rest: string } {
  const entries = fragment.replace(/^#/, "").split("&");
  const rest = entries.filter((entry) => !entry.startsWith(ENTRY)).join("&");
  const found = entries.find((entry) => entry.startsWith(ENTRY))?.slice(ENTRY.length);
  if (found === undefined) return { token: null, rest };
  try {
    return { token: decodeURIComponent(found), rest };
  } catch {
    return { token: found, rest };
  }
}

/** Where a browser keeps nothing, the token is asked for again. */
function kept(token?: string): string {
  try {
    if (token !== undefined) sessionStorage.setItem(KEPT, token);
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return token ?? "";
  }
}

/** Whether the server minds the token; whatever else is wrong, the views will say. */
async function refused(): Promise<boolean> {
  try {
    await jobs();
    return false;
  } catch (error) {
    return error instanceof ServerError && error.problem.code === REFUSED;
  }
}

/** Resolves when the server answers this page, which may need a token that somebody types. */
export async function admitted(page: HTMLElement): Promise<void> {
  const { token, rest } = split(location.hash);
  if (token !== null) {
    // It must stay neither in the history nor in an address that is passed on.
    history.replaceState(history.state, "", rest ? `#${rest}` : location.pathname + location.search);
    kept(token);
  }
  sendToken(token ?? kept());
  if (!(await refused())) return;
  const wrong = token !== null || kept() !== "";
  await new Promise<void>((resolve) => page.replaceChildren(form(resolve, wrong)));
}

const wrongToken = () => problemBox({ code: REFUSED, message: "This is not the token of the server." });

function form(done: () => void, wrong: boolean): HTMLElement {
  const input = el("input", { type: "password", autocomplete: "current-password", required: true });
  const errors = el("div", {}, wrong && wrongToken());
  const send = async () => {
    sendToken(input.value.trim());
    if (!(await refused())) {
      kept(input.value.trim());
      done();
      return;
    }
    errors.replaceChildren(wrongToken());
    input.select();
  };
  const made = el(
    "form",
    { class: "stack", "aria-labelledby": "token-title" },
    el("h1", { id: "token-title" }, "This server asks for a token"),
    el("p", {}, "Whoever runs it can tell you. This tab remembers it until it is closed."),
    el("div", { class: "controls" }, labelled("Token", input), el("button", { type: "submit", class: "primary" }, "Continue")),
    errors,
  );
  on(made, {
    submit: (event) => {
      event.preventDefault();
      void send();
    },
  });
  return el("main", { class: "stack home" }, made);
}
