import { closeSync, fdatasync, openSync } from 'node:fs'

/**
 * The write-ahead log of an open database, to sync it outside this thread. SQLite keeps its locks on the database file and
 * on `-shm`; closing another descriptor of those would release them, of the log not.
 */
export class WriteAheadLog {
  readonly #descriptor: number
  #isOpen = true

  /** Opened at the start: the kernel reports a failed write only to descriptors that were open. */
  constructor(file: string) {
    this.#descriptor = openSync(`${file}-wal`, 'r+')
  }

  sync(done: (error: Error | null) => void): void {
    fdatasync(this.#descriptor, done)
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor)
    this.#isOpen = false
  }
}
