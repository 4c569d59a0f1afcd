import type { Bench } from '../bench.ts'
import { closeAll, type Entry } from '../contenders/entry.ts'
import { type LoginContender, startIdentity } from '../contenders/identity-client.ts'
import { LOGINS } from '../contenders/login-entries.ts'
import type { Row } from '../report/row.ts'
import { measured } from './measured.ts'

/** A browser needs no more at once; what counts is what a login costs, not how many wait. */
const CONNECTIONS = 8
/** A login runs through much more code than a verify, so that it takes longer until all of it is compiled. */
const WARM_UP_SECONDS = 8

/** From the link to the tokens, through one OpenID provider. Only the contender's own time is counted. */
export async function login(bench: Bench): Promise<Row[]> {
  const calm: Bench = {
    ...bench,
    options: { ...bench.options, connections: CONNECTIONS, warmUpSeconds: WARM_UP_SECONDS },
  }
  const entries: Entry[] = []
  const identity = await startIdentity(calm)
  try {
    for (const name of Object.keys(LOGINS) as LoginContender[]) {
      if (bench.options.contenders.includes(name)) entries.push(await LOGINS[name](calm, identity))
    }
    return await measured(calm, 'login', entries)
  } finally {
    await closeAll(entries)
    await identity.program.stop()
  }
}
