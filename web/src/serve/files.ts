/** A place to drop files into, or to choose them with the keyboard. */

import { bdi, button, el, on, unique } from "../base/dom.ts";
import { count } from "../base/numbers.ts";
import { visible } from "../base/text.ts";

export function size(bytes: number): string {
  if (bytes < 1000) return `${count(bytes)} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Endings that the server takes off a file to name its system. */
const ENDINGS = /(?:\.(?:gz|txt|tsv|jsonl|conllu|xlf|xliff|tmx|po|csv|xlsx|properties|json))+$/;

/** Whether a file is one of units with sources and ids, by its name. */
export function isLocalisation(file: string): boolean {
  return /\.(?:xlf|xliff|tmx|po|csv|xlsx|properties|json)(?:\.gz)?$/i.test(file);
}

/** What a file's system is called, and the rest of the file's name. */
export function split(file: string): { name: string; ending: string } {
  const ending = ENDINGS.exec(file)?.[0] ?? "";
  return ending.length < file.length
    ? { name: file.slice(0, file.length - ending.length), ending }
    : { name: file, ending: "" };
}

/** Places of names that are empty or that another one has, too. */
export function clashes(names: readonly string[]): Set<number> {
  const trimmed = names.map((name) => name.trim());
  return new Set(
    trimmed.flatMap((name, place) =>
      name === "" || trimmed.some((other, at) => at !== place && other === name) ? [place] : [],
    ),
  );
}

/** A file and the name under which it is sent. */
export interface Chosen {
  readonly file: File;
  readonly name: string;
}

/** One file, several, or several of which each gets a name. */
export type Kind = "one" | "several" | "named";

export class FileField {
  readonly element: HTMLElement;
  readonly #kind: Kind;
  readonly #label: string;
  readonly #list = el("ul", { class: "files" });
  readonly #said = el("p", { class: "problem", role: "status", id: unique("clash") });
  readonly #changed: () => void;
  #files: { file: File; name: string; ending: string }[] = [];

  constructor(label: string, about: string, kind: Kind, changed: () => void) {
    this.#kind = kind;
    this.#label = label;
    this.#changed = changed;
    const about_ = unique("about");
    const input = el("input", { type: "file", multiple: kind !== "one", id: unique("files"), "aria-describedby": about_ });
    on(input, {
      change: () => {
        this.#add([...(input.files ?? [])]);
        input.value = "";
      },
    });
    this.element = el(
      "div",
      { class: "drop", role: "group", "aria-label": label },
      el("label", { for: input.id, class: "strong" }, label),
      el("p", { class: "muted", id: about_ }, about),
      input,
      this.#list,
      kind === "named" && this.#said,
    );
    on(this.element, {
      dragover: (event) => {
        event.preventDefault();
        this.element.classList.add("over");
      },
      dragleave: () => this.element.classList.remove("over"),
      drop: (event) => {
        event.preventDefault();
        this.element.classList.remove("over");
        this.#add([...(event.dataTransfer?.files ?? [])]);
      },
    });
  }

  get files(): readonly Chosen[] {
    // A slash would be taken for a folder.
    return this.#files.map(({ file, name, ending }) => ({
      file,
      name: this.#kind === "named" ? name.trim().replace(/[/\\]/g, "_") + ending : file.name,
    }));
  }

  /** Whether each file has a name of its own, where names matter. */
  get toldApart(): boolean {
    return this.#kind !== "named" || this.#clashes().size === 0;
  }

  #clashes(): Set<number> {
    return clashes(this.#files.map(({ name }) => name));
  }

  /** Files of one name are all kept: in two folders they are two systems. */
  #add(files: File[]): void {
    if (files.length === 0) return;
    const added = files.map((file) => ({ file, ...split(file.name) }));
    this.#files = this.#kind === "one" ? added.slice(0, 1) : [...this.#files, ...added];
    this.#draw();
  }

  #draw(): void {
    this.#list.replaceChildren(
      ...this.#files.map((chosen) =>
        el(
          "li",
          {},
          this.#kind === "named" && this.#nameInput(chosen),
          bdi(chosen.file.name),
          el("span", { class: "muted" }, ` ${size(chosen.file.size)} `),
          button(
            "Remove",
            () => {
              this.#files = this.#files.filter((kept) => kept !== chosen);
              this.#draw();
              this.element.querySelector("input")?.focus();
            },
            { class: "small", "aria-label": `Remove ${visible(chosen.file.name)} from ${this.#label}` },
          ),
        ),
      ),
    );
    this.#judge();
  }

  #nameInput(chosen: { file: File; name: string }): HTMLInputElement {
    const input = el("input", {
      type: "text",
      maxlength: 120,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": `Name of the system in ${visible(chosen.file.name)}`,
      "aria-describedby": this.#said.id,
    });
    input.value = chosen.name;
    return on(input, {
      input: () => {
        chosen.name = input.value;
        this.#judge();
      },
    });
  }

  /** Marks names that are no names or not the only ones. */
  #judge(): void {
    if (this.#kind === "named") {
      const wrong = this.#clashes();
      this.#list.querySelectorAll("input").forEach((input, place) => {
        input.setAttribute("aria-invalid", String(wrong.has(place)));
      });
      this.#said.textContent = wrong.size > 0 ? "Give each system its own name." : "";
    }
    this.#changed();
  }
}
