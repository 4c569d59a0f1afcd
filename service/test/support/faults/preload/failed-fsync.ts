// SIGUSR2: from then on the disk stores nothing: fdatasync fails with EIO.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { fdatasync } = fs
let isBroken = false
process.on('SIGUSR2', () => {
  isBroken = true
  process.stdout.write('fsync fails\n')
})

function failing(descriptor: number, done: fs.NoParamCallback): void {
  const error = Object.assign(new Error('EIO: i/o error, fdatasync'), {
    code: 'EIO',
    syscall: 'fdatasync',
  })
  if (isBroken) {
    setImmediate(done, error)
  } else {
    fdatasync(descriptor, done)
  }
}
fs.fdatasync = Object.assign(failing, { __promisify__: fdatasync.__promisify__ })
syncBuiltinESMExports()
