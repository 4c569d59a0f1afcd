import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { Kysely } from 'kysely'
import { isBusy } from '../../database-errors.ts'
import { flush } from '../../flush.ts'
import { migrate } from '../../migrate.ts'
import { sqliteDialect } from '../../sqlite/dialect.ts'
import { SqliteDriver } from '../../sqlite/driver.ts'
import { openExclusively, openToWrite, type SqliteFile } from '../../sqlite/file.ts'
import { describeFileError } from '../../sqlite/file-errors.ts'
import type { Tables } from '../../tables/tables.ts'
import { sqliteTables } from './schema.ts'
import {
  BATCH_ROWS,
  type FoundSchema,
  type MovedTable,
  MoveRefused,
  type Row,
  type Side,
  type Source,
  type Target,
} from './sides.ts'

export function sqliteSource(file: string, now: number): Source {
  const opened = lock(file)
  return {
    engine: 'sqlite',
    name: file,
    ...readsOf(opened),
    // Locked since it was opened.
    async begin() {},
    async retire() {
      const moved = `${file}.moved-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}`
      opened.run('rollback', [])
      opened.run('pragma query_only = off', [])
      // Writes the log into the file and removes it: a renamed file could not be read with the log of its old name.
      opened.run('pragma journal_mode = delete', [])
      rmSync(`${file}-shm`, { force: true })
      // While it is locked: a service that starts now finds no database, and refuses to create one beside keys.json.
      renameSync(file, moved)
      return `The SQLite file is now ${moved}. Delete it when you no longer need it.`
    },
    async close() {
      opened.close()
    },
  }
}

function lock(file: string): SqliteFile {
  if (!existsSync(file)) {
    throw new MoveRefused(`There is no database ${file}. Set DATA_DIR. Nothing was moved.`)
  }
  try {
    return openExclusively(file)
  } catch (error) {
    if (isBusy(error)) {
      throw new MoveRefused(
        `A process is using ${file}. Stop the service, then try again. Nothing was moved.`,
      )
    }
    const reason = describeFileError(error, file)
    if (reason === null) {
      throw error
    }
    throw new MoveRefused(`Nothing was moved: ${reason}`)
  }
}

/** Written beside its final name, which it gets when it is complete and on the disk. */
export function sqliteTarget(file: string, now: number): Target {
  const unfinished = `${file}.unfinished`
  if (existsSync(file) || existsSync(`${file}-wal`)) {
    throw new MoveRefused(
      `${file} exists, and a move overwrites nothing. Move it away, then try again.`,
    )
  }
  let opened: SqliteFile | null = null
  const current = (): SqliteFile => {
    if (opened === null) {
      throw new Error('the target has not begun')
    }
    return opened
  }
  const removeUnfinished = (): void => {
    for (const suffix of ['', '-wal', '-shm']) {
      rmSync(`${unfinished}${suffix}`, { force: true })
    }
  }
  return {
    engine: 'sqlite',
    name: file,
    schema: async () =>
      opened === null ? { migrations: [], tables: new Map() } : readsOf(opened).schema(),
    count: (table) => readsOf(current()).count(table),
    rows: (table) => readsOf(current()).rows(table),
    idFloor: () => readsOf(current()).idFloor(),
    position: (table) => readsOf(current()).position(table),
    isBlank: async () => true,
    async begin() {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      // An earlier move may have been killed.
      removeUnfinished()
      opened = openToWrite(unfinished)
      await migrate(
        new Kysely<Tables>({ dialect: sqliteDialect(new SqliteDriver(opened)) }),
        'sqlite',
      )
      opened.run('begin immediate', [])
    },
    async insert({ name, columns }: MovedTable, rows: readonly Row[]) {
      const sql = `insert into ${name} (${columns.join()}) values (${columns.map(() => '?').join()})`
      for (const row of rows) {
        current().run(sql, row)
      }
    },
    async setPosition({ name }: MovedTable, position: number) {
      current().run('delete from sqlite_sequence where name = ?', [name])
      current().run('insert into sqlite_sequence (name, seq) values (?, ?)', [name, position])
    },
    async raiseIdFloor(floor: number) {
      current().run(
        `insert into lineage (id, system_id, timeline, mark, since_ms, id_floor) values (1, '', 0, '', ?, ?)`,
        [now, floor],
      )
    },
    async commit() {
      current().run('commit', [])
      // The last connection writes the log into the file and removes it.
      current().close()
      opened = null
      flush(unfinished)
      giveName(unfinished, file)
      flush(path.dirname(file))
    },
    async close() {
      opened?.close()
      removeUnfinished()
    },
  }
}

/** A link, unlike a rename, fails if a service that was started meanwhile has created the file. */
function giveName(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new MoveRefused(
        `${file} was created during the move. Stop the service. Nothing was moved.`,
      )
    }
    // The file system has no hard links.
    renameSync(unfinished, file)
  }
}

/** Reads of a SQLite database, as a source and to verify a target. */
function readsOf(
  file: SqliteFile,
): Pick<Side, 'schema' | 'count' | 'rows' | 'position' | 'idFloor'> {
  const oneNumber = (sql: string, parameters: readonly unknown[]): number => {
    const [row] = file.run(sql, parameters).rows as { value: number }[]
    return row?.value ?? 0
  }
  return {
    async schema(): Promise<FoundSchema> {
      const tables = new Map(sqliteTables(file).map(({ name, columns }) => [name, columns]))
      const { rows } = tables.has('migrations')
        ? file.run('select name from migrations', [])
        : { rows: [] }
      return { tables, migrations: (rows as { name: string }[]).map(({ name }) => name) }
    },
    count: async ({ name }) => oneNumber(`select count(*) as value from ${name}`, []),
    async *rows({ name, columns }: MovedTable): AsyncGenerator<readonly Row[]> {
      yield* file.batches(`select ${columns.join()} from ${name}`, BATCH_ROWS) as Iterable<Row[]>
    },
    idFloor: async () => oneNumber('select id_floor as value from lineage', []),
    position: async ({ name }) =>
      oneNumber('select seq as value from sqlite_sequence where name = ?', [name]),
  }
}
