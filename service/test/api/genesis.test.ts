import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCredentialsFile } from '@gatehouse/contract'
import type { Agent, Answer, CallOptions } from '../support/agent.ts'
import { ENGINES } from '../support/engines.ts'
import { assertRefused, problemPaths } from '../support/refused.ts'
import { world } from '../support/world.ts'

const create = (agent: Agent, options: CallOptions = {}): Promise<Answer> => agent.call('POST', '/api/genesis', options)

/** Uses up what this source may create in this minute, which is ten. */
async function createTen(agent: Agent, headers: Record<string, string> = {}): Promise<void> {
  for (let left = 9; left >= 0; left--) {
    const made = await create(agent, { headers })
    assert.equal(made.status, 201, made.text)
    assert.match(made.headers.get('ratelimit') ?? '', new RegExp(`^"minute";r=${left};t=\\d+$`))
  }
  assertRefused(await create(agent, { headers }), 'rateLimited')
}

for (const engine of ENGINES) {
  test(`[${engine}] a new guest is told its keys, its end and its profile, and gets a file that says the same`, async (t) => {
    const { agent, baseUrl, clock } = await world(t, { engine })
    const made = await create(agent)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(Object.keys(made.json), [
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
    const { credentials_file, status, ...facts } = made.json
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
    assert.deepEqual(readCredentialsFile(credentials_file.content), { ok: true, credentials: facts })
    assert.deepEqual([made.headers.get('api-version'), made.headers.get('cache-control')], ['1', 'no-store'])

    const known = await agent.call('GET', '/api/status', { key: facts.coh_management_key })
    assert.equal(known.json.tenant_id, facts.tenant_id)
    assert.deepEqual(known.json.resources, [])
    assert.equal(known.json.usage.events_lifetime.used, 0)
  })

  test(`[${engine}] with Accept: text/plain the answer is the credentials file itself`, async (t) => {
    const { agent, baseUrl } = await world(t, { engine })
    for (const [accept, isFile] of [
      ['text/plain', true],
      ['Text/Plain; charset=utf-8', true],
      ['application/json', false],
      ['*/*', false],
      ['text/plain, application/json', false],
    ] as const) {
      const made = await create(agent, { headers: { Accept: accept } })
      assert.equal(made.status, 201, made.text)
      assert.match(made.headers.get('content-type') ?? '', isFile ? /^text\/plain/ : /^application\/json/, accept)
      const read = readCredentialsFile(isFile ? made.text : made.json.credentials_file.content)
      assert.ok(read.ok)
      assert.equal(read.credentials.base_url, baseUrl)
      const status = await agent.call('GET', '/api/status', { key: read.credentials.coh_management_key })
      assert.equal(status.json.tenant_id, read.credentials.tenant_id)
    }
    assertRefused(await create(agent, { headers: { Accept: 'text/plain' }, body: { name: 'mine' } }), 'invalidRequest')
  })

  test(`[${engine}] a User-Agent with "curl" in it creates nothing, and uses nothing up`, async (t) => {
    const { agent } = await world(t, { engine })
    for (const userAgent of ['curl/8.5.0', 'CURL', 'my-agent (libcurl 7)', 'MyCurLy/1']) {
      for (const body of [undefined, {}, '{"broken', 'x'.repeat(70_000)]) {
        const answer = await create(agent, { headers: { 'User-Agent': userAgent }, ...(body && { body }) })
        assert.equal(assertRefused(answer, 'bannedUserAgent'), undefined)
        assert.equal(answer.headers.get('ratelimit'), null)
      }
    }
    await createTen(agent)
  })

  test(`[${engine}] one source creates ten guests a minute; the next hears when to come back`, async (t) => {
    const { agent, clock } = await world(t, { engine })
    clock.advance({ seconds: 18 })
    await createTen(agent)
    for (let refused = 0; refused < 3; refused++) {
      const answer = await create(agent)
      assert.deepEqual(assertRefused(answer, 'rateLimited'), { window: 'minute', limit: 10, left: 0 })
      assert.equal(answer.headers.get('retry-after'), '42')
      assert.equal(answer.headers.get('ratelimit-policy'), '"minute";q=10;w=60')
      assert.equal(answer.headers.get('ratelimit'), '"minute";r=0;t=42')
    }
    clock.advance({ seconds: 41 })
    assertRefused(await create(agent), 'rateLimited')
    clock.advance({ seconds: 1 })
    await createTen(agent)
  })

  test(`[${engine}] behind a trusted proxy each client is a source; without one X-Forwarded-For is only words`, async (t) => {
    const trusting = await world(t, { engine, env: { TRUSTED_PROXIES: '127.0.0.1/32 10.0.0.0/8' } })
    const from = (forwarded: string): Record<string, string> => ({ 'X-Forwarded-For': forwarded })
    await createTen(trusting.agent, from('203.0.113.7'))
    await createTen(trusting.agent, from('203.0.113.8'))
    for (const sameClient of ['198.51.100.1, 203.0.113.7', '203.0.113.7, 10.1.2.3', '::ffff:203.0.113.7']) {
      assertRefused(await create(trusting.agent, { headers: from(sameClient) }), 'rateLimited')
    }
    // One subscriber has a whole /64, however it is written.
    for (let host = 1; host <= 10; host++) {
      assert.equal((await create(trusting.agent, { headers: from(`2001:db8:1:2::${host}`) })).status, 201)
    }
    assertRefused(await create(trusting.agent, { headers: from('2001:0DB8:1:2:ffff::9') }), 'rateLimited')
    assert.equal((await create(trusting.agent, { headers: from('2001:db8:1:3::1') })).status, 201)

    const { agent } = await world(t, { engine })
    for (let i = 0; i < 10; i++) {
      assert.equal((await create(agent, { headers: from(`203.0.113.${i}`) })).status, 201)
    }
    for (const header of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'CF-Connecting-IP']) {
      assertRefused(await create(agent, { headers: { [header]: '203.0.113.99' } }), 'rateLimited')
    }
  })

  test(`[${engine}] the body may be absent or empty; anything in it is refused and uses nothing up`, async (t) => {
    const { agent, clock } = await world(t, { engine })
    const typed = (type: string, body: string): CallOptions => ({ body, headers: { 'Content-Type': type } })
    for (const fine of [{}, { body: {} }, typed('application/json; charset=utf-8', ' {} '), typed('text/plain', '')]) {
      assert.equal((await create(agent, fine)).status, 201)
    }
    clock.advance({ minutes: 1 })

    assert.deepEqual(problemPaths(await create(agent, { body: { name: 'mine', tier: 'pro' } })), ['name', 'tier'])
    for (const body of ['[]', 'null', '7', '"text"', 'true', '{"a":', '{}{}', "{'a':1}", '\u0000', '[1', 'NaN']) {
      assert.deepEqual(problemPaths(await create(agent, { body })), [''], body)
    }
    for (const body of ['{"__proto__":{}}', '{"constructor":1}', `${'['.repeat(5_000)}${']'.repeat(5_000)}`]) {
      assert.deepEqual(problemPaths(await create(agent, { body })), [''], body.slice(0, 40))
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'multipart/form-data',
    ]) {
      assertRefused(await create(agent, typed(type, '{}')), 'unsupportedMediaType')
    }
    assertRefused(await create(agent, { body: `{"a":"${'x'.repeat(65_536)}"}` }), 'bodyTooLarge')
    const query = await agent.call('POST', '/api/genesis?tier=pro')
    assert.deepEqual(problemPaths(query), ['tier'])
    await createTen(agent)
  })
}
