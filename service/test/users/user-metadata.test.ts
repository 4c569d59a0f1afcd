import assert from 'node:assert/strict'
import { test } from 'node:test'
import { USER_METADATA_MAX_BYTES } from '@gatehouse-auth/contract'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES, sqliteOnly } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

const METADATA = '/api/social-login/users/1/metadata'

for (const engine of ENGINES) {
  // proves C323, S049
  test(`[${engine}] metadata is replaced as a whole, and with If-Match only if it is unchanged`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const pair = await tenant.signIn(browser())
    const put = (metadata: unknown, headers: Record<string, string> = {}) =>
      agent.call('PUT', METADATA, { key: tenant.key, body: { metadata }, headers })
    const read = async () => {
      const { json, headers } = await tenant.manage('GET', METADATA)
      return { metadata: json.metadata, etag: headers.get('etag') ?? '' }
    }
    const empty = await read()
    assert.deepEqual(empty.metadata, {})
    const first = await put(
      { plan: 'pro', tags: ['a', { deep: null }] },
      { 'If-Match': empty.etag },
    )
    assert.deepEqual(
      [first.status, first.json],
      [200, { metadata: { plan: 'pro', tags: ['a', { deep: null }] } }],
    )
    const stored = await read()
    assert.equal(stored.etag, first.headers.get('etag'))

    for (const tag of [empty.etag, `W/${stored.etag}`, '"x"', '']) {
      assertApiError(await put({ plan: 'free' }, { 'If-Match': tag }), 'metadataChanged')
    }
    assert.deepEqual(await read(), stored, 'a rejected change changes nothing')
    assert.equal((await put({ plan: 'free' }, { 'If-Match': `"x", ${stored.etag}` })).status, 200)
    assert.equal((await put({ seats: 3 }, { 'If-Match': '*' })).status, 200)
    assert.equal((await put({ text: 'NUL \u0000, lone \ud800, emoji 😀' })).status, 200)
    assert.deepEqual((await read()).metadata, { text: 'NUL \u0000, lone \ud800, emoji 😀' })

    const current = await read()
    const raced = await Promise.all(
      Array.from({ length: 8 }, (_, winner) => put({ winner }, { 'If-Match': current.etag })),
    )
    assert.deepEqual(raced.map(({ status }) => status).sort(), [200, ...Array(7).fill(412)])
    const verified = await tenant.edge('verify', { access_token: pair.access_token })
    assert.deepEqual(Object.keys(verified.json.user), ['id', 'email', 'name', 'picture'])
    const { json } = await tenant.manage('GET', '/api/audit')
    assert.ok(!JSON.stringify(json).includes('winner'), 'the audit has no value')
    assert.equal(json.actions.at(-1).action, 'user.metadata_changed')
    assert.equal(json.actions.at(-1).target, 'user:1')
  })

  // proves C323
  test(`[${engine}] without If-Match, concurrent replacements of metadata all succeed, and none is missing in the audit`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    const put = (seats: number) => tenant.manage('PUT', METADATA, { metadata: { seats } })
    const replaced = await Promise.all(Array.from({ length: 8 }, (_, seats) => put(seats)))
    assert.deepEqual(
      replaced.map(({ status, json }) => [status, json.metadata?.seats]),
      Array.from({ length: 8 }, (_, seats) => [200, seats]),
    )
    const { actions } = (await tenant.manage('GET', '/api/audit')).json
    const changes = actions.filter(
      ({ action }: { action: string }) => action === 'user.metadata_changed',
    )
    assert.equal(changes.length, 8)
  })
}

test('a change of metadata that waits for the deletion of the user ends with 404, or with 412 if it has If-Match', {
  skip: sqliteOnly,
}, async (t) => {
  const here = await world(t, { engine: 'postgres' })
  const { agent, app, browser } = here
  const tenant = await agent.createTenant()
  for (const name of ['Ada Lovelace', 'Grace Hopper']) {
    await tenant.signIn(browser(), name)
  }
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  for (const [id, isConditional, code] of [
    [1, false, 'userNotFound'],
    [2, true, 'metadataChanged'],
  ] as const) {
    const path = METADATA.replace('1', String(id))
    const etag = (await tenant.manage('GET', path)).headers.get('etag') ?? ''
    const headers: Record<string, string> = isConditional ? { 'If-Match': etag } : {}
    const [deleted, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const deletion = app.ctx.stores.transaction(async ({ users, resources }) => {
      const resource = (await resources.findActive(tenant.id)) ?? assert.fail()
      await users.remove(resource, id)
      deleted.resolve()
      await released.promise
    })
    await deleted.promise
    const change = agent.call('PUT', path, {
      key: tenant.key,
      body: { metadata: { plan: 'pro' } },
      headers,
    })
    const waits = async () => (await raw(databaseOf(here), waiting)).length > 0
    await waitUntil('the change waits', waits).finally(released.resolve)
    await deletion
    assertApiError(await change, code)
  }
  const { actions } = (await tenant.manage('GET', '/api/audit')).json
  assert.ok(
    !JSON.stringify(actions).includes('metadata_changed'),
    'a change of nothing is not in the audit',
  )
})

// proves C323, S049
test('metadata larger than 2 KiB, nested deeper than 4 levels, or not an object is rejected and changes nothing', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  await tenant.signIn(browser())
  const put = (body: unknown) => tenant.manage('PUT', METADATA, body)
  const sized = (bytes: number) => ({ metadata: { x: 'é'.repeat((bytes - 8) / 2) } })
  assert.equal((await put(sized(USER_METADATA_MAX_BYTES))).status, 200)
  assert.deepEqual(problemPaths(await put(sized(USER_METADATA_MAX_BYTES + 2))), ['metadata'])
  assert.equal((await put({ metadata: { a: { b: { c: {} } } } })).status, 200)
  const before = (await tenant.manage('GET', METADATA)).json
  for (const metadata of [{ a: { b: { c: { d: {} } } } }, { a: [[[[]]]] }, [], 'x', null, 1]) {
    assert.deepEqual(problemPaths(await put({ metadata })), ['metadata'])
  }
  assertApiError(await put('{"metadata":{"__proto__":{"admin":true}}}'), 'invalidRequest')
  assertApiError(await put('{"metadata":{"a":1,"a":2}}'), 'invalidRequest')
  assertApiError(await put({ metadata: {}, other: 1 }), 'invalidRequest')
  assertApiError(await put(`{"metadata":{"x":"${'x'.repeat(70_000)}"}}`), 'bodyTooLarge')
  assert.deepEqual((await tenant.manage('GET', METADATA)).json, before)
})
