import { hash } from 'node:crypto'
import type { Warn } from '../../database.ts'
import type { DatabaseLocation } from '../../database-location.ts'
import { checkSchema, movedTables, rejectUnknownTables } from './schema.ts'
import { type MovedTable, MoveRefused, type Row, type Source, type Target } from './sides.ts'
import { sqliteSource, sqliteTarget } from './sqlite.ts'

export interface Move {
  readonly from: DatabaseLocation
  readonly to: DatabaseLocation
  /** Checks everything and reads every row, but writes nothing. */
  readonly dryRun: boolean
  readonly now: number
  /** Awaited after each batch. A row counts when it was copied, and again when it was verified. */
  progress(done: number, total: number): unknown
  readonly warn: Warn
}

interface Moved {
  /** The tables that have rows. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[]
  /** What became of the source; null after a dry run. */
  readonly source: string | null
}

/**
 * Copies every row, id and position from one database to an empty one on the other engine, reads the copy back and compares
 * it, and then retires the source. Until the copy is complete, an error or a kill leaves the source as it was and the
 * target empty.
 */
export async function moveDatabase(move: Move): Promise<Moved> {
  const tables = await movedTables()
  const source = await openSource(move)
  try {
    checkSchema(source, await source.schema(), tables)
    await source.begin(tables)
    const target = await openTarget(move)
    try {
      await checkTarget(target, tables)
      const copied = await copyAll(move, source, target, tables)
      if (move.dryRun) {
        return { tables: copied, source: null }
      }
      await target.commit()
      return { tables: copied, source: await source.retire() }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

// pg is imported only if needed, as in storage/open.ts. The connections lead to the server itself: a pooler in transaction
// mode has no session that holds a lock.

async function openSource({ from, now, warn }: Move): Promise<Source> {
  if (from.engine === 'sqlite') {
    return sqliteSource(from.file, now)
  }
  const { postgresSource } = await import('./postgres.ts')
  return postgresSource(from, now, warn)
}

async function openTarget({ to, now, warn }: Move): Promise<Target> {
  if (to.engine === 'sqlite') {
    return sqliteTarget(to.file, now)
  }
  const { postgresTarget } = await import('./postgres.ts')
  return postgresTarget(to, warn)
}

async function checkTarget(target: Target, tables: readonly MovedTable[]): Promise<void> {
  const found = await target.schema()
  if (await target.isBlank()) {
    return rejectUnknownTables(target, found, tables)
  }
  checkSchema(target, found, tables)
  await rejectRows(target, tables)
}

async function rejectRows(target: Target, tables: readonly MovedTable[]): Promise<void> {
  for (const table of tables) {
    const count = await target.count(table)
    if (count === 0) {
      continue
    }
    throw new MoveRefused(
      `${target.name} has rows already (${count} in ${table.name}), and a move overwrites nothing. Name an empty database. Nothing was moved.`,
    )
  }
}

async function copyAll(
  { dryRun, progress }: Move,
  source: Source,
  target: Target,
  tables: readonly MovedTable[],
): Promise<Moved['tables']> {
  const rows = new Map<MovedTable, number>()
  for (const table of tables) {
    rows.set(table, await source.count(table))
  }
  const total = sum(rows.values()) * (dryRun ? 1 : 2)
  let done = 0
  const count = async (more: number): Promise<void> => {
    done += more
    await progress(done, total)
  }

  if (!dryRun) {
    await target.begin(tables)
    // Checks again, now that no other session can add any.
    checkSchema(target, await target.schema(), tables)
    await rejectRows(target, tables)
  }
  for (const table of tables) {
    const sent = new Checksum()
    for await (const batch of source.rows(table)) {
      if (!dryRun) {
        await target.insert(table, batch)
      }
      sent.add(batch)
      await count(batch.length)
    }
    if (!dryRun) {
      await verify(source, target, table, sent, count)
    }
  }
  if (!dryRun) {
    await copyIdFloor(source, target)
  }
  return [...rows]
    .filter(([, number]) => number > 0)
    .map(([{ name }, number]) => ({ name, rows: number }))
}

async function verify(
  source: Source,
  target: Target,
  table: MovedTable,
  sent: Checksum,
  count: (more: number) => Promise<void>,
): Promise<void> {
  const stored = new Checksum()
  for await (const batch of target.rows(table)) {
    stored.add(batch)
    await count(batch.length)
  }
  if (!stored.equals(sent)) {
    throw new MoveRefused(
      `The rows of ${table.name} read back from the target differ: ${sent.rows} were copied, ${stored.rows} read. Nothing was moved. Please report this.`,
    )
  }
  if (!table.hasSequence) {
    return
  }
  const position = await source.position(table)
  await target.setPosition(table, position)
  if ((await target.position(table)) !== position) {
    throw new MoveRefused(`The next id of ${table.name} was not stored.`)
  }
}

/** The rest of `lineage` belongs to one server. */
async function copyIdFloor(source: Source, target: Target): Promise<void> {
  const floor = await source.idFloor()
  if (floor === 0) {
    return
  }
  await target.raiseIdFloor(floor)
  if ((await target.idFloor()) < floor) {
    throw new MoveRefused('The lowest id of users and events was not stored.')
  }
}

const sum = (numbers: Iterable<number>): number =>
  [...numbers].reduce((all, number) => all + number, 0)

/**
 * The number of rows and the sum of their hashes. Equal for the same rows in any order and from either engine, so that
 * rows that were read back from the target can be compared with those of the source.
 */
class Checksum {
  rows = 0
  #sum = 0n

  add(rows: readonly Row[]): void {
    this.rows += rows.length
    for (const row of rows) {
      const digest = hash('sha256', row.map(canonical).join(''), 'buffer')
      this.#sum = BigInt.asUintN(64, this.#sum + digest.readBigUInt64BE())
    }
  }

  equals(other: Checksum): boolean {
    return this.rows === other.rows && this.#sum === other.#sum
  }
}

/** Type and length in front, so that no two different rows have one representation. */
function canonical(value: Row[number]): string {
  if (value === null) {
    return 'n'
  }
  if (typeof value === 'number') {
    return `i${value};`
  }
  if (typeof value === 'string') {
    return `s${value.length}:${value}`
  }
  return `b${value.length}:${Buffer.from(value).toString('hex')}`
}
