import { readFileSync } from 'node:fs'
import { type RoundOptions, round } from './round.ts'
import type { Journey, Workload } from './workload.ts'

// The load generator, in a separate process on a separate core. Arguments: the workload's module, the file with its data,
// and the port. Its parent starts each round with an IPC message.

const [, , module = '', file = '', port = ''] = process.argv
const imported = (await import(module)) as {
  workload: (data: unknown, host: string) => Workload | Journey
}
const workload = imported.workload(JSON.parse(readFileSync(file, 'utf8')), `localhost:${port}`)

process.on('message', (message: 'prepare' | RoundOptions) => {
  if (message === 'prepare') {
    if ('prepare' in workload) {
      workload.prepare?.()
    }
    process.send?.('prepared')
    return
  }
  void round(workload, message).then((result) => process.send?.(result))
})
process.send?.('ready')
