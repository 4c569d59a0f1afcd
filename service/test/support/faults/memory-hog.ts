import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { TestContext } from 'node:test'

const PROGRAM = path.join(import.meta.dirname, 'memory-hog-process.ts')

/** The message that the child process sends after every round. */
interface Usage {
  readonly allocatedMb: number
  readonly rounds: number
}

/** Another process on the same machine that allocates much of its memory and keeps writing to all of it. */
export class MemoryHog {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  #usage: Usage

  private constructor(child: ChildProcess, exited: Promise<unknown>, first: Usage) {
    this.#child = child
    this.#exited = exited
    this.#usage = first
    child.on('message', (usage: Usage) => {
      this.#usage = usage
    })
  }

  /** Resolves when the process has allocated its memory. */
  static async start(t: Pick<TestContext, 'after'>, megabytes: number): Promise<MemoryHog> {
    const child = fork(PROGRAM, [String(Math.floor(megabytes))], { execArgv: [], env: {} })
    const exited = once(child, 'exit')
    t.after(async () => {
      child.kill('SIGKILL')
      await exited
    })
    const usage = once(child, 'message').then(([message]) => message as Usage)
    const first = await Promise.race([
      usage,
      exited.then(() => assert.fail('it exited before it had its memory')),
    ])
    return new MemoryHog(child, exited, first)
  }

  /** In megabytes. The process frees memory when the machine runs low, so this only falls. */
  get allocatedMb(): number {
    return this.#usage.allocatedMb
  }

  /** How often the process has written to all of its memory. */
  get rounds(): number {
    return this.#usage.rounds
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }
}
