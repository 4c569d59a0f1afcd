import { readFileSync } from 'node:fs'
import { type RoundOptions, round } from './round.ts'
import type { Journey, Work } from './work.ts'

// The load generator: a process of its own, on a core of its own. It is told what to ask by a module and a file, and
// then, over the channel to its parent, when.

const [, , module = '', file = '', port = ''] = process.argv
const { work: makeWork } = (await import(module)) as { work: (data: unknown, host: string) => Work | Journey }
const work = makeWork(JSON.parse(readFileSync(file, 'utf8')), `localhost:${port}`)

process.on('message', (message: 'prepare' | RoundOptions) => {
  if (message === 'prepare') {
    if ('prepare' in work) work.prepare?.()
    process.send?.('prepared')
    return
  }
  void round(work, message).then((result) => process.send?.(result))
})
process.send?.('ready')
