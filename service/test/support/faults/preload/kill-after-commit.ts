// SIGUSR2: sends SIGKILL to the process right after the next commit of a transaction with a statement that matches
// FAULT_KILL_AFTER, before any response is sent.
import { hookStatements } from './hook-statements.ts'

const wanted = new RegExp(process.env.FAULT_KILL_AFTER ?? '(?!)')
let isArmed = false
let isMatched = false

process.on('SIGUSR2', () => {
  isArmed = true
  process.stdout.write('armed\n')
})

hookStatements({
  after(sql) {
    if (isArmed && wanted.test(sql)) {
      isMatched = true
    }
    if (sql === 'commit' && isMatched) {
      process.kill(process.pid, 'SIGKILL')
    }
  },
})
