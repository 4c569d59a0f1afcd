import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { TestContext } from 'node:test'

const PROGRAM = path.join(import.meta.dirname, 'take-memory.ts')

interface CommitEvents {
  readonly heldMb: number
  readonly rounds: number
}

/** Another program on the same machine that takes much of its memory and never lets it rest. */
export class MemoryHog {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #pendingEvents: CommitEvents

  private constructor(child: ChildProcess, ended: Promise<unknown>, first: CommitEvents) {
    this.#child = child
    this.#ended = ended
    this.#pendingEvents = first
    child.on('message', (pendingEvents: CommitEvents) => {
      this.#pendingEvents = pendingEvents
    })
  }

  /** Once it holds what it was told to take. */
  static async start(t: Pick<TestContext, 'after'>, megabytes: number): Promise<MemoryHog> {
    const child = fork(PROGRAM, [String(Math.floor(megabytes))], { execArgv: [], env: {} })
    const ended = once(child, 'exit')
    t.after(async () => {
      child.kill('SIGKILL')
      await ended
    })
    const heard = once(child, 'message').then(([pendingEvents]) => pendingEvents as CommitEvents)
    const first = await Promise.race([heard, ended.then(() => assert.fail('it ended before it had its memory'))])
    return new MemoryHog(child, ended, first)
  }

  /** What it holds, in megabytes. It gives way when the machine has hardly any left, so this only falls. */
  get heldMb(): number {
    return this.#pendingEvents.heldMb
  }

  /** How often it has written to all of it. */
  get rounds(): number {
    return this.#pendingEvents.rounds
  }

  get isThere(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}
