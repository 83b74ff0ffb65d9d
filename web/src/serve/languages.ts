/** Languages by their codes: some are suggested, any can be typed. */

/** Languages of shared tasks and of large corpora. */
export const SUGGESTED: readonly string[] = (
  "en de fr es zh cs ja ru pl it pt nl uk fi sv da no is et lv lt ro bg hu el tr ar he fa hi bn gu ta km ps ko vi th " +
  "id ms sw ha zu xh kk hr sr sl sk ca eu gl ga mt"
).split(" ");

const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

export function languageName(code: string): string | null {
  try {
    return names.of(code) ?? null;
  } catch {
    return null;
  }
}

/** The code that somebody typed, or the code of the language that somebody named; null if it can be neither. */
export function languageCode(typed: string): string | null {
  const text = typed.trim();
  const named = SUGGESTED.find((code) => languageName(code)?.toLowerCase() === text.toLowerCase());
  if (named) return named;
  const [language = "", ...parts] = text.split(/[-_]/);
  if (!/^[a-z]{2,3}$/i.test(language) || parts.length > 3) return null;
  try {
    return Intl.getCanonicalLocales([language, ...parts].join("-"))[0] ?? null;
  } catch {
    return null;
  }
}
