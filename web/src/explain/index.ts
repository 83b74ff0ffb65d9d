/** The explanation of one score. */

import type { Explanation } from "../explanation.ts";
import { visible } from "../text.ts";

export function renderExplanation(explanation: Explanation): HTMLElement {
  const root = document.createElement("section");
  root.className = "explanation";
  const table = document.createElement("table");
  for (const feature of explanation.features) {
    const row = table.insertRow();
    for (const text of [feature.name, feature.description, feature.value?.toFixed(4) ?? "–"]) {
      row.insertCell().textContent = visible(text);
    }
  }
  root.append(table);
  return root;
}
