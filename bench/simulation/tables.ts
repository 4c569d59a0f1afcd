/** One line of a Markdown table; numbers to two digits that mean something. */
export const row = (...cells: readonly (string | number)[]): string =>
  `| ${cells.map((cell) => (typeof cell === 'number' ? rounded(cell) : cell)).join(' | ')} |`

export const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(...head), `|${head.map(() => '---').join('|')}|`, ...rows].join('\n')

function rounded(value: number): string {
  if (value === 0) return '0'
  const digits = Math.max(0, 1 - Math.floor(Math.log10(Math.abs(value))))
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.abs(value))) - 1)
  return digits > 0 ? value.toFixed(digits) : (Math.round(value / step) * step).toLocaleString('en')
}
