/** One record of RFC 4180. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** Prevents CSV injection: a spreadsheet runs a cell that starts with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
