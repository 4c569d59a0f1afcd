import { Unavailable } from '../../domain/unavailable.ts'
import { isLostWrite } from '../database-errors.ts'
import { withBusyRetry } from './busy-retry.ts'
import type { SqliteFile } from './file.ts'

/** How many may share one commit. More gain nothing, and make the first wait for the last. */
const MEMBERS_MAX = 128
const MEMBER = 'member'

/**
 * Writers that share one commit. A commit is one wait for the disk, and the wait is most of its price; so whoever is
 * done while others are still coming waits for them, and one commit makes all of it durable (docs/decisions/0033).
 *
 * Each member is a savepoint in the group's transaction: what it does can be undone without the others noticing. Only
 * when the commit itself fails do all of them fail, and then nothing of any of them has happened.
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

  /** Becomes a member. The first begins the transaction, and may have to wait for another process's. */
  async enter(): Promise<void> {
    // Plain `begin` takes the write lock late, and then fails at once when another process has it (decision 6).
    if (!this.isOpen()) await withBusyRetry(this.#file, 'begin immediate', [])
    this.#file.run(`savepoint ${MEMBER}`, [])
  }

  /** Is done. Resolves when what it did is durable, and rejects when that could not be. */
  leave(): Promise<void> {
    this.#file.run(`release ${MEMBER}`, [])
    const member = Promise.withResolvers<void>()
    this.#waiting.push(member)
    return member.promise
  }

  /** Undoes what the member did. A full disk or an I/O error has already undone the whole transaction. */
  abandon(): void {
    if (!this.isOpen()) return
    if (this.#waiting.length === 0) {
      this.#file.run('rollback', [])
    } else {
      this.#file.run(`rollback to ${MEMBER}`, [])
      this.#file.run(`release ${MEMBER}`, [])
    }
  }

  commit(): void {
    if (!this.isOpen()) return
    try {
      this.#file.run('commit', [])
      for (const member of this.#ended()) member.resolve()
    } catch (error) {
      if (isLostWrite(error)) this.#lostWrite(error)
      if (this.#file.inTransaction) this.#file.run('rollback', [])
      for (const member of this.#ended()) member.reject(error)
    }
  }

  /** Is there a transaction? An error may have ended it, and then those who thought that they were done are not. */
  isOpen(): boolean {
    if (this.#file.inTransaction) return true
    for (const member of this.#ended()) member.reject(new Unavailable('an I/O error undid the transaction'))
    return false
  }

  #ended(): readonly PromiseWithResolvers<void>[] {
    const members = this.#waiting
    if (members.length > 0) this.#waiting = []
    return members
  }
}
