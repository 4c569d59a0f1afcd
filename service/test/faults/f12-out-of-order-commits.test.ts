import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { ALL_GENERATIONS } from '../../src/domain/revocation/revocation.ts'
import { figure, fullOrShort, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import { withinTwoSeconds } from '../support/process/wait-until.ts'

/** Longer than the interval of polls, a second. */
const OPEN_MS = fullOrShort(5_000, 1_500)

// A reader that continues after the highest id it has read would miss the first: its id is lower, but it commits later.
test('F12: every instance applies two revocations that commit in the opposite order of their ids', {
  timeout: 60_000,
}, async (t) => {
  const database = await freshPostgres()
  const fixture = await createFixture(t, 'postgres', { databases: [database] })
  const { cluster, app } = fixture
  const [early, late] = [await newTokenPair(fixture), await newTokenPair(fixture)]
  const clients = [new Client(database), new Client(database)] as const
  for (const client of clients) {
    await client.connect()
    t.after(() => client.end())
  }
  const [slow, quick] = clients
  const revoke = (client: Client, accessToken: string): Promise<unknown> =>
    client.query(
      `insert into revocations (kind, tenant_id, subject_id, generation, until_ms) values ('session', $1, $2, $3, $4)`,
      [app.id, sessionIn(accessToken), ALL_GENERATIONS, Date.now() + 3_600_000],
    )
  const revokedEverywhere = async (accessToken: string): Promise<boolean> => {
    const verdicts = await Promise.all(
      cluster.instances.map(({ agent }) => app.at(agent).isValid(accessToken)),
    )
    return verdicts.every((valid) => !valid)
  }

  await slow.query('begin')
  await revoke(slow, early.access_token)
  await revoke(quick, late.access_token)
  await withinTwoSeconds('the later revocation is applied', () =>
    revokedEverywhere(late.access_token),
  )
  await sleep(OPEN_MS)
  assert.equal(await app.isValid(early.access_token), true, 'not committed yet')
  await slow.query('commit')
  const committed = performance.now()
  await withinTwoSeconds('the earlier revocation is applied', () =>
    revokedEverywhere(early.access_token),
  )
  const took = performance.now() - committed
  figure(
    t,
    `F12: the transaction with the lower id committed ${seconds(OPEN_MS)} later, and was applied at both instances after ${seconds(took)}`,
  )
})

/** The `sid` claim of an access token. */
const sessionIn = (accessToken: string): number =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid
