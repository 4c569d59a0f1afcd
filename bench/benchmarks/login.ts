import type { Bench } from '../bench.ts'
import { type LoginContender, startIdentityProvider } from '../contenders/identity-provider.ts'
import { LOGIN_SETUPS, type LoginSetup } from '../contenders/login-setups.ts'
import { closeAll } from '../contenders/setup.ts'
import type { Row } from '../report/row.ts'
import { loginRequests } from './login-requests.ts'
import { measure } from './measure.ts'

/** Few, because the benchmark measures the CPU of a login, not its throughput. */
const CONNECTIONS = 8
/** A login runs more code than a verify, so compiling all of it takes longer. */
const WARM_UP_SECONDS = 8

/** From the login link to the tokens, through one OpenID provider. Counts only the contender's CPU. */
export async function login(bench: Bench): Promise<Row[]> {
  const loginBench: Bench = {
    ...bench,
    options: { ...bench.options, connections: CONNECTIONS, warmUpSeconds: WARM_UP_SECONDS },
  }
  const setups: LoginSetup[] = []
  const identity = await startIdentityProvider(loginBench)
  try {
    for (const name of Object.keys(LOGIN_SETUPS) as LoginContender[]) {
      if (bench.options.contenders.includes(name)) setups.push(await LOGIN_SETUPS[name](loginBench, identity))
    }
    const complete = await measure(loginBench, 'login', setups)
    return [...complete, ...(await loginRequests(loginBench, setups))]
  } finally {
    await closeAll(setups)
    await identity.program.stop()
  }
}
