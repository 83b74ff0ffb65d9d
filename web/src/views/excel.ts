/** The report as a workbook, saved where its reader wants it. */

import { button, el } from "../base/dom.ts";
import { saveFile } from "../base/saving.ts";
import { visible } from "../base/text.ts";
import type { Dataset } from "../data/dataset.ts";
import { reportSheets } from "../data/report_sheets.ts";
import { workbook } from "../data/workbook.ts";

export async function saveWorkbook(data: Dataset): Promise<void> {
  saveFile(await workbook(await reportSheets(data)), "metaphrase-report.xlsx");
}

/** Saves on a press; what goes wrong is shown in `failure`. */
export function excelButton(data: Dataset, failure: HTMLElement): HTMLButtonElement {
  const press = async () => {
    save.disabled = true;
    failure.replaceChildren();
    await saveWorkbook(data).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      failure.replaceChildren(el("p", { class: "problem", role: "alert" }, visible(`This could not be saved: ${text}`)));
    });
    save.disabled = false;
  };
  const save = button("Save as Excel", () => void press(), { class: "small no-print" });
  return save;
}
