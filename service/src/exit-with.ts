/** Ends a start that cannot succeed. */
export function exitWith(lines: readonly string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(1)
}
