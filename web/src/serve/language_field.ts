/** Where the language of the translations is typed or chosen. */

import { el, labelled, on, unique } from "../base/dom.ts";
import type { Status } from "./api.ts";
import { languageCode, languageName, SUGGESTED } from "./languages.ts";

/** The language of the translations, typed or chosen, with its name beside it. */
export class LanguageField {
  readonly elements: HTMLElement[];
  readonly #input: HTMLInputElement;
  readonly #suggestions = el("datalist", { id: unique("languages") });
  readonly #status: Status;
  readonly #meant = el("span", { class: "muted", id: unique("language"), role: "status" });

  constructor(label: string, status: Status, changed: () => void) {
    this.#status = status;
    this.suggest();
    this.#input = el("input", {
      type: "text",
      list: this.#suggestions.id,
      maxlength: 35,
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      "aria-describedby": this.#meant.id,
    });
    this.#input.value = status.defaults?.lang ?? "en";
    on(this.#input, { input: changed });
    this.elements = [labelled(label, this.#input), this.#meant, this.#suggestions];
  }

  /** Offers the languages that people ask for and those that metrics know. */
  suggest(): void {
    const known = new Set([...SUGGESTED, ...(this.#status.metrics ?? []).flatMap((metric) => metric.languages ?? [])]);
    const codes = [...known].filter((code) => languageCode(code) === code);
    this.#suggestions.replaceChildren(
      ...codes.map((code) => el("option", { value: code }, languageName(code) ?? code)),
    );
  }

  /** Null while what is typed is no code. */
  get code(): string | null {
    return languageCode(this.#input.value);
  }

  draw(): void {
    this.#meant.textContent = this.code
      ? (languageName(this.code) ?? "A code without a name here; the server says whether it knows it")
      : "A code such as en, ja or pt-BR";
    this.#input.setAttribute("aria-invalid", String(this.code === null));
  }
}
