/** Files that the browser saves. */

import { el } from "./dom.ts";

/** Saves by way of a link to a blob. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
