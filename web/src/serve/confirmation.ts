/** Asks before something is gone for good. */

import { bdi, button, el, on } from "../base/dom.ts";

/** Whether the reader says yes; Escape and the first button, which has the focus, say no. */
export function confirmed(question: string, yes: string): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = el("dialog", { class: "question", "aria-labelledby": "question" });
    dialog.append(
      el("p", { id: "question" }, bdi(question)),
      el(
        "div",
        { class: "answers" },
        button("Keep", () => dialog.close("no"), { autofocus: true }),
        button(yes, () => dialog.close("yes"), { class: "danger" }),
      ),
    );
    on(dialog, {
      close: () => {
        dialog.remove();
        resolve(dialog.returnValue === "yes");
      },
    });
    addEventListener("hashchange", () => dialog.close("no"), { once: true }); // what it asks about is gone
    document.body.append(dialog);
    dialog.showModal();
  });
}
