// SIGUSR2: the next commit fails with SQLITE_IOERR_FSYNC and is rolled back, as when fsync fails.
import { hookStatements } from './hook-statements.ts'

const SQLITE_IOERR_FSYNC = 1034
let isBroken = false
process.on('SIGUSR2', () => {
  isBroken = true
  process.stdout.write('fsync fails\n')
})

hookStatements({
  before(sql, db) {
    if (!isBroken || sql !== 'commit') return
    db.exec('rollback')
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: SQLITE_IOERR_FSYNC })
  },
})
