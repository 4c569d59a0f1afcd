import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { world } from '../support/world.ts'

// proves C026
test('an application key is exchanged for an edge session token that names its tenant and expires after a minute', async (t) => {
  const { agent, clock } = await world(t)
  const tenant = await agent.createTenant(null)
  const opened = await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)
  assert.equal(opened.status, 200, opened.text)
  assert.deepEqual(Object.keys(opened.json), ['token', 'token_type', 'expires_in'])
  assert.match(opened.json.token, /^svc_es_[\w-]{43}$/)
  assert.deepEqual([opened.json.token_type, opened.json.expires_in], ['Bearer', 60])
  const another = await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`, {
    body: {},
  })
  assert.notEqual(another.json.token, opened.json.token)

  const expected = {
    tenant_id: tenant.id,
    expires_at: new Date(clock.now() + 60_000).toISOString(),
  }
  clock.advance({ seconds: 59, ms: 999 })
  const read = await agent.call('GET', '/edge/session', { key: opened.json.token })
  assert.deepEqual([read.status, read.json], [200, expected])
  clock.advance({ ms: 1 })
  assertApiError(
    await agent.call('GET', '/edge/session', { key: opened.json.token }),
    'invalidCredentials',
  )
  assert.equal((await tenant.status()).usage.events_lifetime.used, 0)
})

// proves C103
test('only an application key in the query opens an edge session', async (t) => {
  const { agent } = await world(t)
  const { key, applicationKey } = await agent.createTenant(null)
  const open = (query: string, options = {}) => agent.call('POST', `/edge/session${query}`, options)
  assertApiError(await open(''), 'missingCredentials')
  assertApiError(await open('?'), 'missingCredentials')
  assertApiError(await open('?key='), 'missingCredentials')
  assertApiError(await open('', { key: applicationKey }), 'missingCredentials')
  assertApiError(await open('', { body: { key: applicationKey } }), 'missingCredentials')
  assertApiError(await open(`?KEY=${applicationKey}`), 'missingCredentials')
  const management = await open(`?key=${key}`)
  assertApiError(management, 'wrongKeyKind')
  assert.match(
    management.json.error.message,
    /This is a management key.*send the application key \(svc_app_…\)/,
  )
  const application = await agent.call('GET', '/api/status', { key: applicationKey })
  assertApiError(application, 'wrongKeyKind')
  assert.match(
    application.json.error.message,
    /This is an application key.*take the management key \(svc_man_…\)/,
  )
  for (const wrong of [
    'x',
    applicationKey.slice(0, -1),
    applicationKey.toLowerCase(),
    `${applicationKey}A`,
    '%00',
  ]) {
    assertApiError(await open(`?key=${wrong}`), 'invalidCredentials')
  }
  assert.deepEqual(problemPaths(await open(`?key=${applicationKey}&key=${applicationKey}`)), [
    'key',
  ])
  assert.deepEqual(problemPaths(await open(`?key=${applicationKey}`, { body: '[' })), [''])
  assertApiError(
    await open(`?key=${applicationKey}`, {
      body: 'x',
      headers: { 'Content-Type': 'text/plain' },
    }),
    'unsupportedMediaType',
  )
  assert.equal(
    (await open(`?key=${applicationKey}&v=2`, { body: { mine: 1 } })).status,
    200,
    'unknown parameters and fields are ignored',
  )
})

// proves C028
test('an edge session token works only at GET /edge/session, and no other credential works there', async (t) => {
  const { agent, clock } = await world(t)
  const tenant = await agent.createTenant()
  const { token } = (await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)).json
  const read = (key?: string) =>
    agent.call('GET', '/edge/session', key === undefined ? {} : { key })
  assertApiError(await read(), 'missingCredentials')
  for (const wrong of [
    'x',
    'svc_es_',
    token.slice(0, -1),
    `${token}A`,
    token.toUpperCase(),
    tenant.key,
    tenant.applicationKey,
  ]) {
    assertApiError(await read(wrong), 'invalidCredentials')
  }
  assertApiError(
    await agent.call('GET', `/edge/session?key=${tenant.applicationKey}`),
    'missingCredentials',
  )
  assertApiError(await agent.call('GET', '/api/status', { key: token }), 'invalidCredentials')
  assert.deepEqual((await tenant.edge('verify', { access_token: token })).json, { valid: false })
  assert.equal((await read(token)).status, 200)

  clock.advance({ ms: Date.parse(tenant.created.expires_at ?? '') - clock.now() - 1 })
  const last = (await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)).json
  assert.equal((await read(last.token)).status, 200)
  clock.advance({ ms: 1 })
  assertApiError(await read(last.token), 'tenantExpired')
  assertApiError(
    await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`),
    'tenantExpired',
  )
})
