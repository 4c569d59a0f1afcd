import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { ALL_GENERATIONS } from '../../src/domain/revocation/revocation.ts'
import { figure, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import { withinTwoSeconds } from '../support/process/wait-until.ts'

const HELD_MS = 5_000

// A follower that remembers "the last id I saw" never sees the first of these: its id is lower, and it comes later.
test('F12: of two revocations that commit in the other order than they began, every instance sees both', {
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
  const deadEverywhere = async (accessToken: string): Promise<boolean> => {
    const verdicts = await Promise.all(cluster.instances.map(({ agent }) => app.at(agent).isValid(accessToken)))
    return verdicts.every((valid) => !valid)
  }

  await slow.query('begin')
  await revoke(slow, early.access_token)
  await revoke(quick, late.access_token)
  await withinTwoSeconds('the later one is known', () => deadEverywhere(late.access_token))
  await sleep(HELD_MS)
  assert.equal(await app.isValid(early.access_token), true, 'it has not been committed')
  await slow.query('commit')
  const committed = performance.now()
  await withinTwoSeconds('the earlier one is known too', () => deadEverywhere(early.access_token))
  const took = performance.now() - committed
  figure(
    t,
    `F12: the transaction with the lower id committed ${seconds(HELD_MS)} later, and was known at both instances after ${seconds(took)}`,
  )
})

/** The session that an access token is of. */
const sessionIn = (accessToken: string): number =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid
