/** Notices whether everybody else had their turn between two steps of something long. */
export class Turns {
  #waiting = false
  /** How many steps began before anybody else had a turn after the step before. */
  withoutTurn = 0
  steps = 0

  step(): void {
    if (this.#waiting) this.withoutTurn += 1
    this.steps += 1
    this.#waiting = true
    setImmediate(() => {
      this.#waiting = false
    })
  }
}
