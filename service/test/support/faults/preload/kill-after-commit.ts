// SIGUSR2: ends the process with SIGKILL between a commit and everything that follows it. The next transaction that has
// a statement like FAULT_KILL_AFTER is committed, and nobody is told.
import { watchStatements } from './statements.ts'

const wanted = new RegExp(process.env.FAULT_KILL_AFTER ?? '(?!)')
let isArmed = false
let isIn = false

process.on('SIGUSR2', () => {
  isArmed = true
  process.stdout.write('the next one kills\n')
})

watchStatements({
  after(sql) {
    if (isArmed && wanted.test(sql)) isIn = true
    if (sql === 'commit' && isIn) process.kill(process.pid, 'SIGKILL')
  },
})
