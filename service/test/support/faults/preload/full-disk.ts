// SIGUSR2: toggles a full disk (SQLITE_FULL) for every SQLite connection of this process that writes.
import type { DatabaseSync } from 'node:sqlite'
import { hookStatements } from './hook-statements.ts'

const connections = new Set<DatabaseSync>()
let isFull = false

hookStatements({
  before(sql, db) {
    if (sql.startsWith('begin')) {
      connections.add(db)
    }
  },
})

process.on('SIGUSR2', () => {
  isFull = !isFull
  for (const db of connections) {
    if (db.isOpen) {
      db.exec(`pragma max_page_count = ${isFull ? 1 : 1_000_000}`)
    }
  }
  process.stdout.write(isFull ? 'the disk is full\n' : 'the disk has room\n')
})
