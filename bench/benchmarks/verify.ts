import type { Bench } from '../bench.ts'
import { glewlwydMissing } from '../contenders/glewlwyd/setup.ts'
import { closeAll, type Setup } from '../contenders/setup.ts'
import { LIVE, VERIFY_SETUPS } from '../contenders/verify-setups.ts'
import type { Row } from '../report/row.ts'
import { measure } from './measure.ts'

/** Token verification. */
export async function verify(bench: Bench): Promise<Row[]> {
  const setups: Setup[] = []
  try {
    for (const contender of bench.options.contenders) setups.push(...(await VERIFY_SETUPS[contender](bench)))
    const rows = await measure(bench, 'verify', setups)
    return [...rows, ...(await glewlwydMissing(bench, 'verify', LIVE))]
  } finally {
    await closeAll(setups)
  }
}
