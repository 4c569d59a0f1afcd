import { Unavailable } from '../../domain/api-error.ts'
import { isLostWrite } from '../database-errors.ts'
import type { Durability } from './durability.ts'
import { type SqliteFile, withBusyRetry } from './file.ts'

/** Larger groups gain nothing, and their first member waits for the last. */
const MEMBERS_MAX = 128
const SAVEPOINT = 'member'

interface Member {
  readonly durable: PromiseWithResolvers<void>
  /** undefined: the member waits until it is durable. */
  readonly committed: PromiseWithResolvers<void> | undefined
}

interface CommitGroupOptions {
  readonly durability: Durability
  readonly lostWrite: (error: unknown) => void
  readonly busyMs: number
}

/** A commit that a power failure may undo until it is durable. */
export interface EarlyCommit {
  readonly committed: Promise<void>
  readonly durable: Promise<void>
}

/**
 * Writers that share one commit, and wait together until it is durable (docs/decisions/0064).
 *
 * A member is a savepoint in the group's transaction, so it can be rolled back without affecting the others. All of them
 * fail only if the commit fails, and then none of them has written anything. A savepoint costs a copy of every page that is
 * written after it: the first member does without, because rolling back the transaction affects no other, and so does a
 * member that decides before it writes (`open`, `join`).
 */
export class CommitGroup {
  readonly #file: SqliteFile
  readonly #durability: Durability
  readonly #lostWrite: (error: unknown) => void
  readonly #busyMs: number
  #waiting: Member[] = []
  #hasSavepoint = false

  constructor(file: SqliteFile, { durability, lostWrite, busyMs }: CommitGroupOptions) {
    this.#file = file
    this.#durability = durability
    this.#lostWrite = lostWrite
    this.#busyMs = busyMs
  }

  get isFull(): boolean {
    return this.#waiting.length >= MEMBERS_MAX
  }

  /** The first member begins the transaction, and may wait for that of another process. */
  async open(): Promise<void> {
    // A plain `begin` takes the write lock at the first write, and then fails at once if another process has it (decision 5).
    if (!this.isOpen()) {
      await withBusyRetry(this.#file, 'begin immediate', [], this.#busyMs)
    }
  }

  /** Starts a member that can be rolled back. */
  async begin(): Promise<void> {
    await this.open()
    this.#hasSavepoint = this.#waiting.length > 0
    if (this.#hasSavepoint) {
      this.#file.run(`savepoint ${SAVEPOINT}`, [])
    }
  }

  /** Finishes a member without a savepoint, as `finish` does for the others. */
  join(): Promise<void> {
    return this.#waitForCommit()
  }

  /** A member without a savepoint has failed between two writes: the whole group fails. */
  rollBackAll(): void {
    if (this.#file.inTransaction) {
      this.#file.run('rollback', [])
    }
    this.isOpen()
  }

  /** Finishes a member. Resolves when its writes are durable; rejects if the commit fails. */
  finish(): Promise<void> {
    if (this.#hasSavepoint) {
      this.#file.run(`release ${SAVEPOINT}`, [])
    }
    return this.#waitForCommit()
  }

  /** Finishes a member whose response may be sent before its writes are durable. */
  finishEarly(): EarlyCommit {
    if (this.#hasSavepoint) {
      this.#file.run(`release ${SAVEPOINT}`, [])
    }
    return this.joinEarly()
  }

  /** Finishes a member without a savepoint, as `finishEarly` does for the others. */
  joinEarly(): EarlyCommit {
    const committed = Promise.withResolvers<void>()
    const durable = this.#waitForCommit(committed)
    // A caller may ignore `durable`: its rejection must not end the process.
    durable.catch(() => {})
    return { committed: committed.promise, durable }
  }

  /**
   * For what a statement has read now: resolves when all of it is durable; undefined if it is. Rejects if that was
   * written by members whose commit fails.
   */
  seen(): Promise<void> | undefined {
    if (this.#waiting.length === 0) {
      return this.#durability.seen()
    }
    return this.#waitForCommit()
  }

  /** Rolls the member back. After a full disk or an I/O error, SQLite has already rolled back the transaction. */
  rollBack(): void {
    if (!this.isOpen()) {
      return
    }
    if (!this.#hasSavepoint) {
      this.#file.run('rollback', [])
    } else {
      this.#file.run(`rollback to ${SAVEPOINT}`, [])
      this.#file.run(`release ${SAVEPOINT}`, [])
    }
  }

  commit(): void {
    if (!this.isOpen()) {
      return
    }
    try {
      this.#file.run('commit', [])
    } catch (error) {
      if (isLostWrite(error)) {
        this.#lostWrite(error)
      }
      if (this.#file.inTransaction) {
        this.#file.run('rollback', [])
      }
      this.#rejectWaiting(error)
      return
    }

    const members = this.#takeWaiting()
    for (const { committed } of members) {
      committed?.resolve()
    }
    void this.#settleWhenDurable(members)
  }

  /** Never rejects. Syncs at once if a member waits until it is durable. */
  async #settleWhenDurable(members: readonly Member[]): Promise<void> {
    const isAwaited = members.some(({ committed }) => committed === undefined)
    try {
      await this.#durability.committed(isAwaited ? 'now' : 'soon')
    } catch (error) {
      for (const { durable } of members) {
        durable.reject(error)
      }
      return
    }
    for (const { durable } of members) {
      durable.resolve()
    }
  }

  /** Whether the transaction is open. If an error has ended it, finished members that wait for the commit are rejected. */
  isOpen(): boolean {
    if (this.#file.inTransaction) {
      return true
    }
    if (this.#waiting.length > 0) {
      this.#rejectWaiting(new Unavailable('an error rolled back the transaction'))
    }
    return false
  }

  #waitForCommit(committed?: PromiseWithResolvers<void>): Promise<void> {
    const durable = Promise.withResolvers<void>()
    this.#waiting.push({ durable, committed })
    return durable.promise
  }

  #rejectWaiting(error: unknown): void {
    for (const { durable, committed } of this.#takeWaiting()) {
      durable.reject(error)
      committed?.reject(error)
    }
  }

  #takeWaiting(): readonly Member[] {
    const members = this.#waiting
    if (members.length > 0) {
      this.#waiting = []
    }
    return members
  }
}
