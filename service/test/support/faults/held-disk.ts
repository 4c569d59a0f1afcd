import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'

type Done = (error: NodeJS.ErrnoException | null) => void

/** A disk that stores nothing while it is held: every fdatasync of this process waits, or fails. */
export class HeldDisk {
  #isHeld = false
  #waiting: (() => void)[] = []
  #error: NodeJS.ErrnoException | null = null
  /** How many syncs have begun. */
  syncs = 0

  constructor(t: TestContext) {
    const { fdatasync } = fs
    t.mock.method(fs, 'fdatasync', (descriptor: number, done: Done) => {
      this.syncs += 1
      const sync = (): void => {
        if (this.#error === null) {
          fdatasync(descriptor, done)
        } else {
          done(this.#error)
        }
      }
      if (this.#isHeld) {
        this.#waiting.push(sync)
      } else {
        sync()
      }
    })
    syncBuiltinESMExports()
    t.after(() => {
      this.release()
      t.mock.restoreAll()
      syncBuiltinESMExports()
    })
  }

  hold(): void {
    this.#isHeld = true
  }

  /** Lets waiting and later syncs continue. */
  release(): void {
    this.#isHeld = false
    this.#error = null
    for (const sync of this.#waiting.splice(0)) {
      sync()
    }
  }

  /** Lets the oldest waiting sync continue. */
  releaseOne(): void {
    this.#waiting.shift()?.()
  }

  /** Makes waiting and later syncs fail. */
  fail(): void {
    this.#isHeld = false
    this.#error = Object.assign(new Error('EIO: i/o error, fdatasync'), {
      code: 'EIO',
      syscall: 'fdatasync',
    })
    for (const sync of this.#waiting.splice(0)) {
      sync()
    }
  }
}

/** Whether the promise is still pending after the event loop has run everything that can run. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const settle = (): void => {
    settled = true
  }
  promise.then(settle, settle)
  for (let turns = 0; turns < 20; turns += 1) {
    await new Promise<void>((next) => setImmediate(next))
  }
  return !settled
}
