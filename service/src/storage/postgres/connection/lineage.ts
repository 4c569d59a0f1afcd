import { Unavailable } from '../../../domain/api-error.ts'
import { type DatabaseHistory, mayReplace } from '../../../domain/lineage.ts'
import type { DatabaseLineage, Warn } from '../../database.ts'

/** A row of gatehouse_fence_v2 (service/content/functions.postgres.sql). */
export interface FenceRow {
  readonly timeline: number
  readonly mark: string
  readonly ancestors: string
  readonly since_ms: number
  /** Not null: this call started the new lineage. */
  readonly former_timeline: number | null
  readonly lost_first: number | null
  readonly lost_last: number | null
  readonly id_floor: number | null
}

/** The rows of `lineage` as rules read them. An ancestor is `mark@position`. */
export const historyOf = (
  row: Pick<FenceRow, 'ancestors' | 'since_ms' | 'timeline'> & { readonly mark: string | null },
): DatabaseHistory => ({
  mark: row.mark,
  ancestors: row.ancestors.split(' ').map((each) => each.replace(/@.*/, '')),
  timeline: row.timeline,
  sinceMs: row.since_ms,
})

/** A former primary that came back with its own data: what it would accept is lost when it rejoins the others. */
class FormerPrimary extends Unavailable {
  constructor(timeline: number, known: number) {
    const used = timeline === known ? 'a later branch of it' : `timeline ${known}`
    super(`this PostgreSQL server is on timeline ${timeline}, but this process has used ${used}`)
  }
}

/**
 * The history of the database that this process uses, known from its connections. A connection of an earlier lineage leads
 * to a former primary that may still run, so it must not be used again.
 */
export class Lineage implements DatabaseLineage {
  readonly #warn: Warn
  readonly #marks = new WeakMap<object, string>()
  readonly #listeners: (() => void)[] = []
  #current: FenceRow | null = null
  #refusal: string | null = null

  constructor(warn: Warn) {
    this.#warn = warn
  }

  /** null: not connected yet. */
  get timeline(): number | null {
    return this.#current?.timeline ?? null
  }

  /** Empty before the first connection. */
  get mark(): string {
    return this.#current?.mark ?? ''
  }

  get history(): DatabaseHistory | null {
    return this.#current === null ? null : historyOf(this.#current)
  }

  /** Why no connection may be used now: the servers disagree about the primary. */
  get refusal(): string | null {
    return this.#refusal
  }

  refuse(reason: string | null): void {
    if (reason !== this.#refusal) {
      this.#warn(
        reason === null
          ? 'PostgreSQL has one primary again'
          : `${reason}: refusing all servers until one is the primary`,
      )
    }
    this.#refusal = reason
  }

  /** Calls `changed` when the database was replaced while this process runs. */
  onChange(changed: () => void): void {
    this.#listeners.push(changed)
  }

  /** Throws if this connection leads to a former primary. */
  accept(connection: object, found: FenceRow): void {
    const known = this.#current
    if (known !== null && !mayReplace(historyOf(known), historyOf(found))) {
      throw new FormerPrimary(found.timeline, known.timeline)
    }
    this.#marks.set(connection, found.mark)
    // Another connection may have noticed it first; only this row says what may be lost.
    if (found.former_timeline !== null) {
      this.#warn(takenOver(found))
    }
    if (found.mark === known?.mark) {
      return
    }
    this.#current = found
    if (known === null) {
      return
    }
    this.#warn(
      `PostgreSQL continues on timeline ${found.timeline}, after ${known.timeline}: closing older connections, reading everything again`,
    )
    for (const changed of this.#listeners) {
      changed()
    }
  }

  /** Whether this connection was opened before the database was replaced, or none may be used. */
  isFormer(connection: object): boolean {
    if (this.#refusal !== null) {
      return true
    }
    const mark = this.#marks.get(connection)
    return mark !== undefined && mark !== this.#current?.mark
  }
}

const takenOver = ({
  timeline,
  former_timeline,
  lost_first,
  lost_last,
  id_floor,
}: FenceRow): string =>
  `PostgreSQL is on timeline ${timeline}, its data was on ${former_timeline}: a standby was promoted or a backup restored. ` +
  `The last changes may be lost. Access tokens of sessions ${lost_first} to ${lost_last} are refused for an hour, ` +
  `and users and events get ids above ${id_floor}.`
