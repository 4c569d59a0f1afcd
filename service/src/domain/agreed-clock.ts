/** Machines that are kept in step differ by less. To follow every measurement would only make the time tremble. */
const STEADY_MS = 1_000

/**
 * The time that all instances agree on: this machine's clock, less what it is away from the database's. Windows begin at
 * one instance and are judged at another, so by two clocks a lost race could look like a theft (decision 38).
 */
export class AgreedClock {
  readonly #machine: () => number
  #awayMs = 0

  constructor(machine: () => number) {
    this.#machine = machine
  }

  /** Milliseconds. It may step back, as any clock that is set. */
  readonly now = (): number => this.#machine() - this.#awayMs

  /** The machine's clock was measured: so many whole milliseconds ahead of the database's. True: the time is another now. */
  agree(skewMs: number): boolean {
    if (Math.abs(skewMs - this.#awayMs) <= STEADY_MS) return false
    this.#awayMs = skewMs
    return true
  }
}
