import type { Bench } from '../bench.ts'
import type { LoginSetup } from '../contenders/login-setups.ts'
import type { LoginSteps } from '../load/login-steps.ts'
import { WrongResponse } from '../load/rounds.ts'
import { preciseCpuMs } from '../processes/usage.ts'
import type { Row } from '../report/row.ts'

export const LOGIN_REQUEST = 'login, by request: '
const LOGINS_PER_ROUND = 100

/**
 * The CPU time of each request of a login. All logins of a round send their first request, then all send their second, and
 * so on, one at a time: between two readings of the contender's CPU time there is only one kind of request. What the user
 * does at the provider costs the contender nothing.
 */
export async function loginRequests(bench: Bench, setups: readonly LoginSetup[]): Promise<Row[]> {
  const { rounds } = bench.options
  bench.log(`login, by request: ${rounds} rounds of ${LOGINS_PER_ROUND} logins`)
  const measured = setups.map((setup) => ({ setup, cpuUs: new Map<string, number[]>() }))
  for (let round = 0; round < rounds; round++) {
    for (const { setup, cpuUs } of measured) {
      for (const [kind, us] of await oneRound(setup)) {
        cpuUs.set(kind, [...(cpuUs.get(kind) ?? []), us])
      }
    }
  }
  return measured.flatMap(({ setup: { contender, durability }, cpuUs }) =>
    [...cpuUs].map(([kind, values]) => ({
      benchmark: 'login' as const,
      workload: LOGIN_REQUEST + kind,
      contender,
      ...(durability === undefined ? {} : { durability }),
      figures: { cpuUs: values },
    })),
  )
}

/** Microseconds of CPU time by kind of request. */
async function oneRound({ contender, login, pids }: LoginSetup): Promise<Map<string, number>> {
  const all = Array.from({ length: LOGINS_PER_ROUND }, () => login(0))
  const cpuUs = new Map<string, number>()
  for (;;) {
    const before = preciseCpuMs(pids())
    const kind = await nextRequest(all, contender)
    if (kind === null) {
      return cpuUs
    }
    cpuUs.set(kind, ((preciseCpuMs(pids()) - before) * 1_000) / all.length)
  }
}

/** Sends the next request of every login; null when all are complete. */
async function nextRequest(all: readonly LoginSteps[], contender: string): Promise<string | null> {
  let kind: string | null = null
  for (const login of all) {
    const step = await login.next()
    if (step.done !== true) {
      kind = step.value
    } else if (step.value !== null) {
      throw new WrongResponse(`${contender}: ${step.value}`)
    }
  }
  return kind
}
