import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { ENDPOINTS, type Endpoint } from '@gatehouse-auth/contract'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const MANAGED = (ENDPOINTS as readonly Endpoint[]).filter(({ auth }) => auth === 'management')

const CHANGE_PROVISIONING = new Set([
  'removeSocialLogin',
  'provisionSocialLogin',
  'provisionResources',
])

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
    const target = pathOf(endpoint)
    const sent = body === undefined ? {} : { body: example.body ?? {} }
    // A valid request of a test changes the tenants here.
    const responses = development
      ? []
      : [
          await agent.call(method, `${target}?unknown=1`, { key: plain.key, ...sent }),
          await agent.call(method, target, { key: empty.key, ...sent }),
          await agent.call(method, target, { key: paused.key, ...sent }),
        ]
    if (body !== undefined) {
      const headers = { 'Content-Type': 'text/plain' }
      responses.push(await agent.call(method, target, { key: plain.key, body: '{}', headers }))
      responses.push(
        await agent.call(method, target, { key: plain.key, body: `"${'x'.repeat(bodyMaxBytes)}"` }),
      )
    }
    for (const { status, json } of responses) {
      assert.ok(
        status < 300 || errors.includes(json.error.code),
        `${endpoint.id}: ${status} ${json?.error?.code}`,
      )
    }
  }
})

/** What a paused guest may call with its management key, and the words of docs/tenants.md for it. */
const WHILE_PAUSED: Readonly<Record<string, string>> = {
  readStatus: 'status',
  requestClaim: 'claim',
  leaveFeedback: 'feedback',
  reportForDiscount: 'feedback',
  listRefusals: 'refused sign-ins',
  removeSocialLogin: 'deletion of the social login',
}

// proves C032
test('a paused guest may call exactly what the page about tenants says', async (t) => {
  const { agent, app, clock } = await world(t)
  const paused = await agent.createTenant()
  await app.ctx.stores.tenants.pause(paused.id, 'lifetime_events', app.ctx.now())
  const allowed: string[] = []
  for (const endpoint of MANAGED.filter(({ development }) => !development)) {
    clock.advance({ minutes: 1 })
    const sent = endpoint.body === undefined ? {} : { body: endpoint.example.body ?? {} }
    const { status, json } = await agent.call(endpoint.method, pathOf(endpoint), {
      key: paused.key,
      ...sent,
    })
    if (status < 300) {
      allowed.push(endpoint.id)
    } else {
      assert.equal(json.error.code, 'tenantPaused', endpoint.id)
    }
  }
  assert.deepEqual(allowed.sort(), Object.keys(WHILE_PAUSED).sort())
  const page = readFileSync(
    path.resolve(import.meta.dirname, '../../content/docs/tenants.md'),
    'utf8',
  )
  const [row = ''] = /^\| paused \|.*$/m.exec(page) ?? []
  for (const words of [...Object.values(WHILE_PAUSED), 'waiting', 'logout', 'public keys']) {
    assert.ok(row.includes(words), words)
  }
})
