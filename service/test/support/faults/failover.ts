import type { TestContext } from 'node:test'
import type { Pair } from '../actors/agent.ts'
import { type PgPair, startPair } from '../postgres/pg-pair.ts'
import type { Settings } from '../process/service-process.ts'
import { type FaultProxy, faultProxy } from './fault-proxy.ts'
import { createFixture, type Fixture } from './fixture.ts'

export interface FailoverFixture extends Fixture {
  readonly pair: PgPair
  /** A name that leads to one of the two servers, as DNS or a virtual address does. */
  readonly proxy: FaultProxy
}

interface FailoverOptions {
  readonly synchronous: boolean
  /** How the instances name the database. `hosts`: both servers in DATABASE_URL. `name`: one name, which the test moves. */
  readonly connect: 'hosts' | 'name'
  readonly settings?: Settings
}

/** Two instances of the service on a primary with a standby. */
export async function failoverFixture(
  t: TestContext,
  { synchronous, connect, settings = {} }: FailoverOptions,
): Promise<FailoverFixture> {
  const pair = await startPair({ synchronous })
  t.after(() => pair.stop())
  const proxy = await faultProxy(t, pair.primary.url)
  const list = [pair.primary, pair.standby].map(({ port }) => `127.0.0.1:${port}`).join()
  const database = connect === 'hosts' ? `postgres://postgres@${list}/postgres` : proxy.url
  // The last one is for the queries of the test itself.
  const databases = [database, database, proxy.url]
  return {
    ...(await createFixture(t, 'postgres', { databases, instances: 2, settings })),
    pair,
    proxy,
  }
}

/** Leads the name to the current primary, and closes connections to the former one. */
export function followPrimary({ pair, proxy }: FailoverFixture): void {
  proxy.leadTo(pair.primary.url)
  proxy.dropConnections()
}

/** Reads the claims of an access token without checking it. */
export function claimsOf({ access_token }: Pair): {
  readonly sid: number
  readonly id: number
  readonly gen: number
} {
  return JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString('utf8'))
}
