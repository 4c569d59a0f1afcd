/** Checks that a long operation yields to the event loop between its steps. */
export class EventLoopYields {
  #waiting = false
  /** How many steps began before the event loop had run since the step before. */
  missing = 0
  steps = 0

  step(): void {
    if (this.#waiting) {
      this.missing += 1
    }
    this.steps += 1
    this.#waiting = true
    setImmediate(() => {
      this.#waiting = false
    })
  }
}
