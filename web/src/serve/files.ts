/** A place to drop files into, or to choose them with the keyboard. */

import { bdi, button, el, on, unique } from "../dom.ts";
import { count } from "../numbers.ts";

export function size(bytes: number): string {
  if (bytes < 1000) return `${count(bytes)} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export class FileField {
  readonly element: HTMLElement;
  readonly #several: boolean;
  readonly #label: string;
  readonly #list = el("ul", { class: "files" });
  readonly #changed: () => void;
  #files: File[] = [];

  constructor(label: string, about: string, several: boolean, changed: () => void) {
    this.#several = several;
    this.#label = label;
    this.#changed = changed;
    const about_ = unique("about");
    const input = el("input", { type: "file", multiple: several, id: unique("files"), "aria-describedby": about_ });
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

  get files(): readonly File[] {
    return this.#files;
  }

  #add(files: File[]): void {
    if (files.length === 0) return;
    const others = this.#several ? this.#files.filter((kept) => !files.some((file) => file.name === kept.name)) : [];
    this.#files = [...others, ...(this.#several ? files : files.slice(0, 1))];
    this.#draw();
  }

  #draw(): void {
    this.#list.replaceChildren(
      ...this.#files.map((file) =>
        el(
          "li",
          {},
          bdi(file.name),
          el("span", { class: "muted" }, ` ${size(file.size)} `),
          button(
            "Remove",
            () => {
              this.#files = this.#files.filter((kept) => kept !== file);
              this.#draw();
              this.element.querySelector("input")?.focus();
            },
            { class: "small", "aria-label": `Remove ${file.name} from ${this.#label}` },
          ),
        ),
      ),
    );
    this.#changed();
  }
}
