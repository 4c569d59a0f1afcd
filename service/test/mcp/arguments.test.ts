import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertToolError, ERAS, RawMcpClient } from '../support/actors/mcp.ts'
import { world } from '../support/world.ts'

test('an argument that a tool does not have is named, with those it has', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  for (const era of ERAS) {
    const args = { confirmed: true, project_root: '/home/me', tenantId: 'x' }
    const text = await assertToolError(wire.call('create_tenant', args, {}, era), 'invalidRequest')
    assert.match(text, /This tool has no fields project_root, tenantId\. It takes: confirmed\./)
    assert.doesNotMatch(text, /home/)
  }
})

test('a secret sent as the name of an argument is not repeated, and of many names five are shown', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  const { key } = await agent.createTenant()
  for (const name of [key, `Bearer ${key}`, 'x'.repeat(200)]) {
    const text = await assertToolError(
      wire.call('create_tenant', { confirmed: true, [name]: 1 }),
      'invalidRequest',
    )
    assert.ok(!text.includes(name), text)
    assert.match(text, /It takes: confirmed\./)
  }
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`field${at}`, at]))
  const text = await assertToolError(
    wire.call('create_tenant', { confirmed: true, ...many }),
    'invalidRequest',
  )
  assert.match(text, /no fields field0, field1, field2, field3, field4 and 395 more\./)
})
