/** Workbooks that Excel and LibreOffice open (Office Open XML, ECMA-376 part 1, SpreadsheetML). */

import { count } from "../base/numbers.ts";
import { type Part, zip } from "./zip.ts";

/** Text is only ever text, whatever it begins with; null is an empty cell. */
export type Cell = string | number | null;

export interface Column {
  name: string;
  /** In characters. */
  width: number;
  /** Decimals that are shown of its numbers. */
  digits?: number | undefined;
}

export interface Sheet {
  name: string;
  columns: readonly Column[];
  /** Without the row of names. */
  length: number;
  /** Some rows at a time. */
  rows: () => AsyncIterable<readonly Cell[][]> | Iterable<readonly Cell[][]>;
}

/** What a sheet holds, and a cell (Microsoft’s “Excel specifications and limits”). */
const MOST_ROWS = 1_048_576;
const MOST_COLUMNS = 16_384;
const MOST_CHARACTERS = 32_767;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const SHEETML = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Cell styles, as `STYLES` lists them. */
const BOLD = 1;
const TWO_DIGITS = 2;
const FOUR_DIGITS = 3;

const STYLES =
  `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="0.0000"/></numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/** The letters of a column, from 0: A to Z, AA, AB and so on. */
export function letters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? letters(rest - 1) : "") + String.fromCharCode(65 + (column % 26));
}

/**
 * Text inside an element. XML cannot hold most control characters, which Excel writes as _x0007_, so that a text that
 * looks like this must have its underscore written so, too.
 */
export function escaped(text: string): string {
  const coded = (character: string) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, coded)
    .replace(/[\0-\x08\x0b-\x1f\ufffe\uffff]/g, coded)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function cellXml(value: Cell, place: string, style: number): string {
  const styled = style > 0 ? ` s="${style}"` : "";
  if (typeof value === "number") return Number.isFinite(value) ? `<c r="${place}"${styled}><v>${value}</v></c>` : "";
  if (value === null || value === "") return "";
  return `<c r="${place}"${styled} t="inlineStr"><is><t xml:space="preserve">${escaped(cut(value))}</t></is></c>`;
}

function rowXml(cells: readonly Cell[], row: number, style: (column: number) => number): string {
  const inside = cells.map((value, column) => cellXml(value, `${letters(column)}${row}`, style(column)));
  return `<row r="${row}">${inside.join("")}</row>`;
}

async function* sheetXml({ columns, length, rows }: Sheet): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  );
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join("")}</cols><sheetData>`;
  yield rowXml(columns.map(({ name }) => name), 1, () => BOLD);
  const styles = columns.map(({ digits }) => (digits === undefined ? 0 : digits > 2 ? FOUR_DIGITS : TWO_DIGITS));
  let row = 1;
  for await (const some of rows()) yield some.map((cells) => rowXml(cells, ++row, (i) => styles[i] ?? 0)).join("");
  yield `</sheetData><autoFilter ref="A1:${letters(columns.length - 1)}${length + 1}"/></worksheet>`;
}

/** Refuses what no sheet can hold. */
function check({ name, columns, length }: Sheet): void {
  const refuse = (most: number, what: string, has: number) => {
    throw new Error(
      `Excel has room for ${count(most)} ${what} in a sheet, and “${name}” would have ${count(has)}. ` +
        "Save fewer segments, or write scores as TSV with metaphrase score.",
    );
  };
  if (length + 1 > MOST_ROWS) refuse(MOST_ROWS, "rows", length + 1);
  if (columns.length > MOST_COLUMNS) refuse(MOST_COLUMNS, "columns", columns.length);
}

export function workbook(sheets: readonly Sheet[]): Promise<Blob> {
  sheets.forEach(check);
  const numbered = sheets.map((sheet, i) => ({ sheet, id: i + 1, path: `worksheets/sheet${i + 1}.xml` }));
  const override = (path: string, type: string) => `<Override PartName="/xl/${path}" ContentType="${SHEETML}.${type}+xml"/>`;
  const related = (id: number, kind: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
  const relationships = (...inside: string[]) =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${inside.join("")}</Relationships>`;
  const text = (name: string, content: string): Part => ({ name, pieces: [content] });
  const types =
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    override("workbook.xml", "sheet.main") +
    override("styles.xml", "styles") +
    numbered.map(({ path }) => override(path, "worksheet")).join("");
  const listed = numbered.map(({ sheet, id }) => `<sheet name="${escaped(sheet.name)}" sheetId="${id}" r:id="rId${id}"/>`);
  return zip(
    [
      text("[Content_Types].xml", `${HEAD}<Types xmlns="${PACKAGE}/content-types">${types}</Types>`),
      text("_rels/.rels", relationships(related(1, "officeDocument", "xl/workbook.xml"))),
      text("xl/workbook.xml", `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${listed.join("")}</sheets></workbook>`),
      text(
        "xl/_rels/workbook.xml.rels",
        relationships(
          ...numbered.map(({ id, path }) => related(id, "worksheet", path)),
          related(numbered.length + 1, "styles", "styles.xml"),
        ),
      ),
      text("xl/styles.xml", STYLES),
      ...numbered.map(({ sheet, path }) => ({ name: `xl/${path}`, pieces: sheetXml(sheet) })),
    ],
    `${SHEETML}.sheet`,
  );
}
