import { randomBytes } from 'node:crypto'
import { IdTokens } from '../../../service/src/domain/tokens/id-token.ts'
import { Keyring } from '../../../service/src/domain/tokens/keyring.ts'
import type { Bench } from '../bench.ts'
import type { Row } from '../report/row.ts'

export const SIGNED = 'ID token, signed'
export const RETURNED_AGAIN = 'ID token, returned again'

const TENANTS = 100
const SESSIONS_PER_TENANT = 50

/** The CPU time of the signature and of what is around it, without HTTP and the database, in this process. */
export async function idToken(bench: Bench): Promise<Row[]> {
  const { rounds } = bench.options
  bench.log(`id-token: ${rounds} rounds of ${TENANTS * SESSIONS_PER_TENANT} tokens`)
  const keyring = new Keyring([{ kid: 1, secret: randomBytes(32) }])
  const now = 1_800_000_000_000
  const accessTokens = Array.from({ length: TENANTS * SESSIONS_PER_TENANT }, (_, index) => ({
    iss: 'https://login.example.com',
    tenant_id: `swift-fox-running-${index % TENANTS}`,
    id: index,
    email: `person-${index}@example.com`,
    name: 'Ada Lovelace',
    picture: 'https://lh3.googleusercontent.com/a/ada',
    sid: index,
    gen: 1,
    rid: index % TENANTS,
    iat: now / 1_000,
    exp: now / 1_000 + 3_600,
  }))
  const signed: number[] = []
  const again: number[] = []
  for (let round = -1; round < rounds; round++) {
    const tokens = new IdTokens(keyring)
    // The key of a tenant is derived once, and kept.
    for (const { tenant_id } of accessTokens.slice(0, TENANTS)) {
      tokens.publicKeys(tenant_id, now)
    }
    const claims = [{ role: 'authenticated' }, { plan: 'pro' }]
    const own = {
      issuer: 'https://login.example.com/edge/auth/swift-fox-running',
      audience: 'convex',
      claims,
    }
    const costs = [
      cpuUsOf(() =>
        accessTokens.map((accessToken) =>
          tokens.issue({ ...own, accessToken, signedInAt: now }, now),
        ),
      ),
      cpuUsOf(() => accessTokens.map((accessToken) => tokens.find(accessToken, own.audience, now))),
    ].map((us) => us / accessTokens.length)
    // The first round compiles.
    if (round < 0) {
      continue
    }
    signed.push(costs[0] ?? Number.NaN)
    again.push(costs[1] ?? Number.NaN)
  }
  const row = (workload: string, cpuUs: readonly number[]): Row => ({
    benchmark: 'id-token',
    workload,
    contender: 'gatehouse',
    figures: { cpuUs },
  })
  return [row(SIGNED, signed), row(RETURNED_AGAIN, again)]
}

function cpuUsOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
