import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCredentialsFile } from '@gatehouse-auth/contract'
import type { CallOptions } from '../support/actors/agent.ts'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { createGuest, createTenGuests } from '../support/actors/guest-creation.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C001, C076
  test(`[${engine}] creating a guest returns its keys, expiry and runtime profile, and a credentials file with the same values`, async (t) => {
    const { agent, baseUrl, clock } = await world(t, { engine })
    const response = await createGuest(agent)
    assert.equal(response.status, 201, response.text)
    assert.deepEqual(Object.keys(response.json), [
      'tenant_id',
      'coh_management_key',
      'coh_application_key',
      'status',
      'expires_at',
      'tenant_lifecycle',
      'runtime_profile',
      'base_url',
      'credentials_file',
    ])
    const { credentials_file, status, ...facts } = response.json
    assert.match(facts.tenant_id, /^(?=.{1,40}$)[a-z0-9]+(-[a-z0-9]+)+$/)
    assert.match(facts.coh_management_key, /^svc_man_[0-9A-Za-z]{42}$/)
    assert.match(facts.coh_application_key, /^svc_app_[0-9A-Za-z]{42}$/)
    assert.deepEqual(
      [status, facts.tenant_lifecycle, facts.runtime_profile, facts.base_url, facts.expires_at],
      [
        'ephemeral',
        'ephemeral',
        engine === 'sqlite' ? 'v1-1' : 'v1-2',
        baseUrl,
        new Date(clock.now() + 72 * 3_600_000).toISOString(),
      ],
    )
    assert.deepEqual(Object.keys(credentials_file), ['filename', 'content'])
    assert.equal(credentials_file.filename, '.service')
    assert.deepEqual(readCredentialsFile(credentials_file.content), {
      ok: true,
      credentials: facts,
    })
    assert.deepEqual(
      [response.headers.get('api-version'), response.headers.get('cache-control')],
      ['1', 'no-store'],
    )

    const known = await agent.call('GET', '/api/status', { key: facts.coh_management_key })
    assert.equal(known.json.tenant_id, facts.tenant_id)
    assert.deepEqual(known.json.resources, [])
    assert.equal(known.json.usage.events_lifetime.used, 0)
  })

  test(`[${engine}] one client address creates at most ten guests a minute; more get 429 with Retry-After`, async (t) => {
    const { agent, clock } = await world(t, { engine })
    clock.advance({ seconds: 18 })
    await createTenGuests(agent)
    for (let repeat = 0; repeat < 3; repeat++) {
      const response = await createGuest(agent)
      assert.deepEqual(assertApiError(response, 'rateLimited'), {
        window: 'minute',
        limit: 10,
        left: 0,
      })
      assert.equal(response.headers.get('retry-after'), '42')
      assert.equal(response.headers.get('ratelimit-policy'), '"minute";q=10;w=60')
      assert.equal(response.headers.get('ratelimit'), '"minute";r=0;t=42')
    }
    clock.advance({ seconds: 41 })
    assertApiError(await createGuest(agent), 'rateLimited')
    clock.advance({ seconds: 1 })
    await createTenGuests(agent)
  })
}

test('with Accept: text/plain the response is the credentials file', async (t) => {
  const { agent, baseUrl } = await world(t)
  for (const [accept, isFile] of [
    ['text/plain', true],
    ['Text/Plain; charset=utf-8', true],
    ['application/json', false],
    ['*/*', false],
    ['text/plain, application/json', false],
  ] as const) {
    const response = await createGuest(agent, { headers: { Accept: accept } })
    assert.equal(response.status, 201, response.text)
    assert.match(
      response.headers.get('content-type') ?? '',
      isFile ? /^text\/plain/ : /^application\/json/,
      accept,
    )
    const read = readCredentialsFile(
      isFile ? response.text : response.json.credentials_file.content,
    )
    assert.ok(read.ok)
    assert.equal(read.credentials.base_url, baseUrl)
    const status = await agent.call('GET', '/api/status', {
      key: read.credentials.coh_management_key,
    })
    assert.equal(status.json.tenant_id, read.credentials.tenant_id)
  }
  assertApiError(
    await createGuest(agent, { headers: { Accept: 'text/plain' }, body: { name: 'mine' } }),
    'invalidRequest',
  )
})

// proves C127
test('genesis accepts no body or an empty object; anything else is rejected and does not count against the limit', async (t) => {
  const { agent, clock } = await world(t)
  const typed = (type: string, body: string): CallOptions => ({
    body,
    headers: { 'Content-Type': type },
  })
  for (const options of [
    {},
    { body: {} },
    typed('application/json; charset=utf-8', ' {} '),
    typed('text/plain', ''),
  ]) {
    assert.equal((await createGuest(agent, options)).status, 201)
  }
  clock.advance({ minutes: 1 })

  assert.deepEqual(
    problemPaths(await createGuest(agent, { body: { name: 'mine', tier: 'pro' } })),
    ['name', 'tier'],
  )
  for (const body of [
    '[]',
    'null',
    '7',
    '"text"',
    'true',
    '{"a":',
    '{}{}',
    "{'a':1}",
    '\u0000',
    '[1',
    'NaN',
  ]) {
    assert.deepEqual(problemPaths(await createGuest(agent, { body })), [''], body)
  }
  for (const body of [
    '{"__proto__":{}}',
    '{"constructor":1}',
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  ]) {
    assert.deepEqual(problemPaths(await createGuest(agent, { body })), [''], body.slice(0, 40))
  }
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'multipart/form-data',
  ]) {
    assertApiError(await createGuest(agent, typed(type, '{}')), 'unsupportedMediaType')
  }
  assertApiError(
    await createGuest(agent, { body: `{"a":"${'x'.repeat(65_536)}"}` }),
    'bodyTooLarge',
  )
  const query = await agent.call('POST', '/api/genesis?tier=pro')
  assert.deepEqual(problemPaths(query), ['tier'])
  await createTenGuests(agent)
})
