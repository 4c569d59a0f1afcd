import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { Kysely } from 'kysely'
import { flush } from '../flush.ts'
import { migrate } from '../migrate.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'
import { SqliteDriver } from '../sqlite/driver.ts'
import { openToWrite, type SqliteFile } from '../sqlite/file.ts'
import type { Tables } from '../tables/tables.ts'
import { type MovedTable, MoveRefused, type Row, type Target } from './sides.ts'
import { readsOf } from './sqlite-side.ts'

/** Written beside its final name, which it gets when it is complete and on the disk. */
export function sqliteTarget(file: string, now: number): Target {
  const unfinished = `${file}.unfinished`
  if (existsSync(file) || existsSync(`${file}-wal`)) {
    throw new MoveRefused(`${file} exists, and a move overwrites nothing. Move it away, then try again.`)
  }
  let opened: SqliteFile | null = null
  const current = (): SqliteFile => {
    if (opened === null) throw new Error('the target has not begun')
    return opened
  }
  const removeUnfinished = (): void => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${unfinished}${suffix}`, { force: true })
  }
  return {
    engine: 'sqlite',
    name: file,
    schema: async () => (opened === null ? { migrations: [], tables: new Map() } : readsOf(opened).schema()),
    count: (table) => readsOf(current()).count(table),
    rows: (table) => readsOf(current()).rows(table),
    idFloor: () => readsOf(current()).idFloor(),
    position: (table) => readsOf(current()).position(table),
    isBlank: async () => true,
    async begin() {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      // Of a move that was killed.
      removeUnfinished()
      opened = openToWrite(unfinished)
      await migrate(new Kysely<Tables>({ dialect: sqliteDialect(new SqliteDriver(opened)) }), 'sqlite')
      opened.run('begin immediate', [])
    },
    async insert({ name, columns }: MovedTable, rows: readonly Row[]) {
      const sql = `insert into ${name} (${columns.join()}) values (${columns.map(() => '?').join()})`
      for (const row of rows) current().run(sql, row)
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
      throw new MoveRefused(`${file} was created during the move. Stop the service. Nothing was moved.`)
    }
    // The file system has no hard links.
    renameSync(unfinished, file)
  }
}
