// SIGUSR2: the next commit fails the way SQLite fails when fsync does (SQLITE_IOERR_FSYNC). The statement itself is
// rolled back, as SQLite would have done.
import { watchStatements } from './statements.ts'

const SQLITE_IOERR_FSYNC = 1034
let isBroken = false
process.on('SIGUSR2', () => {
  isBroken = true
  process.stdout.write('fsync fails\n')
})

watchStatements({
  before(sql, db) {
    if (!isBroken || sql !== 'commit') return
    db.exec('rollback')
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: SQLITE_IOERR_FSYNC })
  },
})
