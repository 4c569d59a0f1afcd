// SIGUSR2: the disk is full, or has room again, for every SQLite connection of this process that can write.
import type { DatabaseSync } from 'node:sqlite'
import { watchStatements } from './statements.ts'

const connections = new Set<DatabaseSync>()
let isFull = false

watchStatements({
  before(sql, db) {
    if (sql.startsWith('begin')) connections.add(db)
  },
})

process.on('SIGUSR2', () => {
  isFull = !isFull
  for (const db of connections) if (db.isOpen) db.exec(`pragma max_page_count = ${isFull ? 1 : 1_000_000}`)
  process.stdout.write(isFull ? 'the disk is full\n' : 'the disk has room\n')
})
