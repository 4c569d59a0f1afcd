import type { Bench } from '../bench.ts'
import { closeAll, type Entry } from '../contenders/entry.ts'
import { VERIFY } from '../contenders/verify-entries.ts'
import type { Row } from '../report/row.ts'
import { measured } from './measured.ts'

/** Whose token is this, and is it good? */
export async function verify(bench: Bench): Promise<Row[]> {
  const entries: Entry[] = []
  try {
    for (const contender of bench.options.contenders) entries.push(...(await VERIFY[contender](bench)))
    return await measured(bench, 'verify', entries)
  } finally {
    await closeAll(entries)
  }
}
