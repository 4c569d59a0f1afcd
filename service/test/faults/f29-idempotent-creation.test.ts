import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { connectAgent } from '../support/faults/app.ts'
import { figure, fullOrShort } from '../support/faults/figures.ts'
import { createFixture } from '../support/faults/fixture.ts'
import { isConnectionLost } from '../support/ledger/observed-responses.ts'
import { raw } from '../support/postgres/storage.ts'

const ROUNDS = fullOrShort(20, 2)
const CONCURRENT = 50

test(`F29: ${CONCURRENT} concurrent creations with one idempotency key at two instances, one of which is killed, create one tenant with one pair of keys`, {
  timeout: 240_000,
}, async (t) => {
  const { cluster } = await createFixture(t, 'postgres')
  const { tokens } = await connectAgent(cluster)
  let responses = 0
  for (let round = 0; round < ROUNDS; round++) {
    const args = { confirmed: true, idempotency_key: `the-same-key-${round}` }
    const create = async (at: number): Promise<string | null> => {
      const { agent } = cluster.instances[at % 2] ?? assert.fail()
      const wire = new RawMcpClient(agent)
      const options = { token: tokens.access_token }
      const response = await wire
        .request('tools/call', { name: 'create_tenant', arguments: args }, options)
        .catch((error: unknown) => {
          if (isConnectionLost(error)) {
            return null
          }
          throw error
        })
      if (response === null || response.status === 503) {
        return null
      }
      assert.equal(response.status, 200, response.text)
      return response.json.result.content[0].text
    }
    const tenants = async (): Promise<number> =>
      Number((await raw(cluster.database, 'select count(*) as n from tenants'))[0]?.n)
    const before = await tenants()
    const victim = cluster.instances[round % 2] ?? assert.fail()
    const creating = Array.from({ length: CONCURRENT }, (_, at) => create(at))
    await sleep(Math.random() * 400)
    await victim.end('SIGKILL')
    const texts = (await Promise.all(creating)).filter((text) => text !== null)
    await victim.restart()
    texts.push(
      (await create(0)) ?? assert.fail('a retry got no response'),
      (await create(1)) ?? assert.fail(),
    )
    responses += texts.length

    assert.equal(new Set(texts).size, 1, 'I5: every response has the same tenant and keys')
    assert.equal((await tenants()) - before, 1, 'I5: one tenant for one key')
    const { credentials_file } = JSON.parse(texts[0] ?? '')
    const key = /^coh_management_key=(.*)$/m.exec(credentials_file.content)?.[1] ?? ''
    assert.equal(
      (await cluster.any().agent.call('GET', '/api/status', { key })).status,
      200,
      'the keys work',
    )
  }
  assert.deepEqual(cluster.seen.violations, [])
  figure(
    t,
    `F29: ${ROUNDS} rounds of ${CONCURRENT} creations with one key and a kill: ${responses} responses, ${ROUNDS} tenants, 0 duplicated (${cluster.seen})`,
  )
})
