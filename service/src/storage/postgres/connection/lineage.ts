import { Unavailable } from '../../../domain/api-error.ts'
import type { DatabaseLineage, Warn } from '../../database.ts'

/** A row of gatehouse_fence_v1 (service/content/functions.postgres.sql). */
export interface FenceRow {
  readonly system_id: string
  readonly timeline: number
  readonly mark: string
  /** Not null: this call started the new lineage. */
  readonly former_timeline: number | null
  readonly lost_first: number | null
  readonly lost_last: number | null
  readonly id_floor: number | null
}

/** A former primary that came back with its own data: what it would accept is lost when it rejoins the others. */
class FormerPrimary extends Unavailable {
  constructor(timeline: number, known: number) {
    super(`this PostgreSQL server is on timeline ${timeline}, but this process has used timeline ${known}`)
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

  /** Calls `changed` when the database was replaced while this process runs. */
  onChange(changed: () => void): void {
    this.#listeners.push(changed)
  }

  /** Throws if this connection leads to a former primary. */
  accept(connection: object, found: FenceRow): void {
    const known = this.#current
    if (known !== null && known.system_id === found.system_id && found.timeline < known.timeline)
      throw new FormerPrimary(found.timeline, known.timeline)
    this.#marks.set(connection, found.mark)
    // Another connection may have noticed it first; only this row says what may be lost.
    if (found.former_timeline !== null) this.#warn(takenOver(found))
    if (found.mark === known?.mark) return
    this.#current = found
    if (known === null) return
    this.#warn(
      `PostgreSQL continues on timeline ${found.timeline}, after ${known.timeline}: closing older connections, reading everything again`,
    )
    for (const changed of this.#listeners) changed()
  }

  /** Whether this connection was opened before the database was replaced. */
  isFormer(connection: object): boolean {
    const mark = this.#marks.get(connection)
    return mark !== undefined && mark !== this.#current?.mark
  }
}

const takenOver = ({ timeline, former_timeline, lost_first, lost_last, id_floor }: FenceRow): string =>
  `PostgreSQL is on timeline ${timeline}, its data was on ${former_timeline}: a standby was promoted or a backup restored. ` +
  `The last changes may be lost. Access tokens of sessions ${lost_first} to ${lost_last} are refused for an hour, ` +
  `and users and events get ids above ${id_floor}.`
