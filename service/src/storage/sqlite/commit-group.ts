import { Unavailable } from '../../domain/unavailable.ts'
import { isLostWrite } from '../database-errors.ts'
import { withBusyRetry } from './busy-retry.ts'
import type { SqliteFile } from './file.ts'

/** Larger groups gain nothing, and their first member waits for the last. */
const MEMBERS_MAX = 128
const SAVEPOINT = 'member'

/**
 * Writers that share one commit. Most of the cost of a commit is waiting for the disk, so writers that finish close
 * together wait for one commit that makes all of them durable (docs/decisions/0033).
 *
 * Each member is a savepoint in the group's transaction, so it can be rolled back without affecting the others. All of
 * them fail only if the commit fails, and then none of them has written anything.
 */
export class CommitGroup {
  readonly #file: SqliteFile
  readonly #lostWrite: (error: unknown) => void
  #waiting: PromiseWithResolvers<void>[] = []

  constructor(file: SqliteFile, lostWrite: (error: unknown) => void) {
    this.#file = file
    this.#lostWrite = lostWrite
  }

  get isFull(): boolean {
    return this.#waiting.length >= MEMBERS_MAX
  }

  /** Starts a member. The first one begins the transaction, and may wait for that of another process. */
  async begin(): Promise<void> {
    // A plain `begin` takes the write lock at the first write, and then fails at once if another process has it (decision 6).
    if (!this.isOpen()) await withBusyRetry(this.#file, 'begin immediate', [])
    this.#file.run(`savepoint ${SAVEPOINT}`, [])
  }

  /** Finishes a member. Resolves when its writes are durable; rejects if the commit fails. */
  finish(): Promise<void> {
    this.#file.run(`release ${SAVEPOINT}`, [])
    const member = Promise.withResolvers<void>()
    this.#waiting.push(member)
    return member.promise
  }

  /** Rolls the member back. After a full disk or an I/O error, SQLite has already rolled back the transaction. */
  rollBack(): void {
    if (!this.isOpen()) return
    if (this.#waiting.length === 0) {
      this.#file.run('rollback', [])
    } else {
      this.#file.run(`rollback to ${SAVEPOINT}`, [])
      this.#file.run(`release ${SAVEPOINT}`, [])
    }
  }

  commit(): void {
    if (!this.isOpen()) return
    try {
      this.#file.run('commit', [])
      for (const member of this.#takeWaiting()) member.resolve()
    } catch (error) {
      if (isLostWrite(error)) this.#lostWrite(error)
      if (this.#file.inTransaction) this.#file.run('rollback', [])
      for (const member of this.#takeWaiting()) member.reject(error)
    }
  }

  /** Whether the transaction is open. If an error has ended it, finished members that wait for the commit are rejected. */
  isOpen(): boolean {
    if (this.#file.inTransaction) return true
    for (const member of this.#takeWaiting()) member.reject(new Unavailable('an I/O error rolled back the transaction'))
    return false
  }

  #takeWaiting(): readonly PromiseWithResolvers<void>[] {
    const members = this.#waiting
    if (members.length > 0) this.#waiting = []
    return members
  }
}
