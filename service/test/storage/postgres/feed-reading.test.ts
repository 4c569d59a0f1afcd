import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { loadRevocations, readRevocations } from '../../../src/storage/postgres/feed/reading.ts'
import { freshPostgres, sqliteOnly } from '../../support/postgres/engines.ts'
import { NOW, openTestStorage } from '../../support/postgres/storage.ts'

const LATER = NOW + 10_000_000_000_000

const revoke = (client: Client, from: number, to = from): Promise<unknown> =>
  client.query(
    `insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
      select 'session', 'swift-fox', subject, 1, $3 from generate_series($1::int, $2::int) as subject`,
    [from, to, LATER],
  )

async function connections(t: TestContext, count: number): Promise<Client[]> {
  const url = await freshPostgres()
  await (
    await openTestStorage(t, 'postgres', { database: { engine: 'postgres', url } })
  ).storage.close()
  const clients = Array.from({ length: count }, () => new Client(url))
  for (const client of clients) {
    await client.connect()
    t.after(() => client.end())
  }
  return clients
}

describe('reading revocations on PostgreSQL', { skip: sqliteOnly }, () => {
  test('while another transaction stays open, each revocation is read once, and its own after it commits', async (t) => {
    const [reader, writer, slow] = (await connections(t, 3)) as [Client, Client, Client]
    let { snapshot } = await loadRevocations(reader, NOW, () => {})
    const next = async (): Promise<number[]> => {
      const reading = await readRevocations(reader, snapshot, NOW)
      snapshot = reading.snapshot
      return reading.revocations.map((each) => Number('sessionId' in each ? each.sessionId : 0))
    }
    await slow.query('begin')
    await revoke(slow, 1)
    await revoke(writer, 2, 4)
    assert.deepEqual((await next()).sort(), [2, 3, 4])
    assert.deepEqual(await next(), [])
    await revoke(writer, 5)
    assert.deepEqual(await next(), [5])
    await slow.query('commit')
    assert.deepEqual(await next(), [1])
    assert.deepEqual(await next(), [])
  })
})
