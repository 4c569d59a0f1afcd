// A separate process for f46-move.test.ts: moves a database, stops at a share of the rows, and waits to be killed.
import { writeSync } from 'node:fs'
import { type Move, moveDatabase } from '../../../src/storage/maintenance/move/move.ts'

const { from, to, stopAt } = JSON.parse(process.argv[2] as string) as Pick<Move, 'from' | 'to'> & {
  stopAt: number
}

await moveDatabase({
  from,
  to,
  dryRun: false,
  now: Date.now(),
  progress(done, total) {
    if (done < total * stopAt) {
      return
    }
    writeSync(1, 'stopped\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
  warn: () => {},
})
