/** The name with the fewest changed letters. A single word may also be any word of a name: `suspend`. */
export function closestCommand(typed: string, names: readonly string[]): string {
  const [word = '', ...more] = typed.split(' ')
  const distance = (name: string): number => {
    const whole = editDistance(typed, name)
    // The rest may be arguments, as in `suspend some-id`.
    const parts = name
      .split(' ')
      .slice(1)
      .map((part) => editDistance(word, part) + 0.5)
    return Math.min(whole, ...(more.length === 0 ? [] : [editDistance(word, name) + 0.5]), ...parts)
  }
  return names.reduce((best, name) => (distance(name) < distance(best) ? name : best))
}

/** Insertions, deletions and replacements of letters (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1]
    for (let at = 1; at <= to.length; at++) {
      const replaced = (previous[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}
