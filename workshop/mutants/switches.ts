/** What replaces a constant. */
export const CONSTANT_VALUES: readonly number[] = [0, 2 ** 40]

/**
 * The functions that code with mutants calls (mutations.ts). `active` returns the id of the mutant that is switched on.
 * `reach` is called with an id wherever its mutant makes a difference.
 */
export function switches(active: () => number, reach: (id: number) => void) {
  /** Whether the mutant is switched on. */
  const $mutant = (id: number): boolean => {
    reach(id)
    return id === active()
  }
  return {
    $mutant,
    /** Turns an operand that is `when` into the opposite: what is left if the operand is left out. */
    $unless: (id: number, when: boolean, value: unknown): unknown =>
      Boolean(value) === when && $mutant(id) ? !when : value,
    /** An ordering whose boundary the mutant moves, which only equal values notice. */
    $order(id: number, operator: string, left: number, right: number): boolean {
      const result = operator.startsWith('<') ? left < right : left > right
      return left >= right && left <= right ? operator.endsWith('=') !== $mutant(id) : result
    },
    /** A constant, or its replacement: `id` is the first of as many mutants as there are replacements. */
    $number(id: number, value: unknown): unknown {
      if (typeof value !== 'number') {
        return value
      }
      for (const offset of CONSTANT_VALUES.keys()) {
        reach(id + offset)
      }
      return active() < id ? value : (CONSTANT_VALUES[active() - id] ?? value)
    },
  }
}
