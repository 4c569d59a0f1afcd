import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type Endpoint } from '@gatehouse/contract'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const MANAGED = (ENDPOINTS as readonly Endpoint[]).filter(({ auth }) => auth === 'management')

const CHANGE_PROVISIONING = new Set(['removeSocialLogin', 'provisionSocialLogin', 'provisionResources'])

const pathOf = ({ path, example }: Endpoint): string =>
  path.replace(/:([A-Za-z]+)/g, (_, name: string) => example.params?.[name] ?? '1')

test('every management endpoint refuses a paused, an unprovisioned and an invalid request with a documented code', {
  skip: slow,
}, async (t) => {
  const { agent, app } = await world(t)
  const [plain, empty, paused] = [
    await agent.createTenant(),
    await agent.createTenant(null),
    await agent.createTenant(),
  ]
  await app.ctx.stores.tenants.pause(paused.id, 'lifetime_events', app.ctx.now())
  for (const endpoint of MANAGED.filter(({ id }) => !CHANGE_PROVISIONING.has(id))) {
    const { method, body, example, errors, development, bodyMaxBytes = 65_536 } = endpoint
    const path = pathOf(endpoint)
    const sent = body === undefined ? {} : { body: example.body ?? {} }
    // A valid request of a test changes the tenants here.
    const responses = development
      ? []
      : [
          await agent.call(method, `${path}?unknown=1`, { key: plain.key, ...sent }),
          await agent.call(method, path, { key: empty.key, ...sent }),
          await agent.call(method, path, { key: paused.key, ...sent }),
        ]
    if (body !== undefined) {
      const headers = { 'Content-Type': 'text/plain' }
      responses.push(await agent.call(method, path, { key: plain.key, body: '{}', headers }))
      responses.push(await agent.call(method, path, { key: plain.key, body: `"${'x'.repeat(bodyMaxBytes)}"` }))
    }
    for (const { status, json } of responses) {
      assert.ok(status < 300 || errors.includes(json.error.code), `${endpoint.id}: ${status} ${json?.error?.code}`)
    }
  }
})
