import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { TestContext } from 'node:test'

const PROGRAM = path.join(import.meta.dirname, 'take-memory.ts')

interface Told {
  readonly heldMb: number
  readonly rounds: number
}

/** Another program on the same machine that takes much of its memory and never lets it rest. */
export class HungryNeighbour {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #told: Told

  private constructor(child: ChildProcess, ended: Promise<unknown>, first: Told) {
    this.#child = child
    this.#ended = ended
    this.#told = first
    child.on('message', (told: Told) => {
      this.#told = told
    })
  }

  /** Once it holds what it was told to take. */
  static async start(t: Pick<TestContext, 'after'>, megabytes: number): Promise<HungryNeighbour> {
    const child = fork(PROGRAM, [String(Math.floor(megabytes))], { execArgv: [], env: {} })
    const ended = once(child, 'exit')
    t.after(async () => {
      child.kill('SIGKILL')
      await ended
    })
    const heard = once(child, 'message').then(([told]) => told as Told)
    const first = await Promise.race([heard, ended.then(() => assert.fail('it ended before it had its memory'))])
    return new HungryNeighbour(child, ended, first)
  }

  /** What it holds, in megabytes. It gives way when the machine has hardly any left, so this only falls. */
  get heldMb(): number {
    return this.#told.heldMb
  }

  /** How often it has written to all of it. */
  get rounds(): number {
    return this.#told.rounds
  }

  get isThere(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}
