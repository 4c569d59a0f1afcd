import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type Endpoint, INVALID_REQUESTS_PER_MINUTE } from '@gatehouse-auth/contract'
import { assertApiError } from '../support/actors/api-error.ts'
import { accountOf, tokenFor } from '../support/actors/grants.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { world } from '../support/world.ts'

const PROBLEMS_MAX = 20
const BYTES_MAX = 8 * 1_024
const PROVISION = '/api/resources/social-login'
const fill = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index))
const unknownFields = (count: number) =>
  Object.fromEntries(fill(count, (index) => [`unknown_field_${index}`, 1]))

// proves C173, S035
test('an error response has at most 20 problems and 8 KB, and says how many there are', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant()
  const longUrl = (index: number): string =>
    `https://app.example.com/${String(index).padEnd(2_000, 'x')}`
  const bodies: readonly (readonly [path: string, body: unknown, total: number | null])[] = [
    ['/api/genesis', unknownFields(1_500), 1_500],
    [PROVISION, { callback_url: 'https://app.example.com/cb', ...unknownFields(1_000) }, 1_000],
    [PROVISION, { callback_urls: fill(50, (index) => index) }, 50],
    [PROVISION, { callback_urls: fill(50, () => 'no URL') }, 50],
    [PROVISION, { callback_urls: fill(50, () => longUrl(0)) }, 49],
    [`/api/genesis?${fill(500, (index) => `x${index}=1`).join('&')}`, {}, 500],
    [`/api/genesis?${'x'.repeat(8_000)}=1&${'x'.repeat(8_000)}=2`, {}, null],
    ['/api/feedback/service', { ['k'.repeat(50_000)]: 1 }, null],
  ]
  for (const [path, body, total] of bodies) {
    const response = await agent.call('POST', path, { key: tenant.key, body })
    const { problems } = assertApiError(response, 'invalidRequest')
    assert.ok(
      problems.length >= 1 && problems.length <= PROBLEMS_MAX,
      `${path}: ${problems.length} problems`,
    )
    assert.ok(
      JSON.stringify(problems).length <= BYTES_MAX,
      `${path}: ${response.text.length} characters`,
    )
    const { message } = response.json.error
    if (total === null) {
      assert.doesNotMatch(message, /are listed/)
    } else {
      assert.match(
        message,
        new RegExp(`The first ${problems.length} of ${total} problems are listed\\.$`),
        message,
      )
    }
  }
  assert.deepEqual((await tenant.manage('GET', '/api/resources')).json.resources[0].callback_urls, [
    'https://app.example.com/callback',
  ])
})

// proves S035
test('the length of a list is checked before its elements', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant(null)
  const configuration = { callback_urls: fill(1_500, (index) => index) }
  const several = { resources: ['social-login'], configurations: { 'social-login': configuration } }
  const resources = {
    resources: fill(1_500, (index) => index),
    configurations: { 'social-login': {} },
  }
  for (const [path, body, problem] of [
    [
      PROVISION,
      configuration,
      { path: 'callback_urls', problem: /^Send at most 50 callback URLs/ },
    ],
    [
      '/api/resources',
      several,
      { path: 'configurations.social-login.callback_urls', problem: /^Send at most 50/ },
    ],
    [
      '/api/resources',
      resources,
      { path: 'resources', problem: /^Send exactly one entry: "social-login"\.$/ },
    ],
  ] as const) {
    const { problems } = assertApiError(await tenant.manage('POST', path, body), 'invalidRequest')
    const [first] = problems
    assert.equal(first.path, problem.path)
    assert.match(first.problem, problem.problem)
    assert.ok(problems.length <= 2, JSON.stringify(problems))
  }
  const wire = new RawMcpClient(agent)
  const args = { confirmed: true, tenant_id: tenant.id, coh_management_key: tenant.key }
  const fewer = { callback_urls: configuration.callback_urls.slice(0, 400) }
  const call = await wire.call('provision_resource', {
    ...args,
    resource: 'social-login',
    configuration: fewer,
  })
  assert.match(
    call.text,
    /^invalidRequest: .*\n- configuration.callback_urls: Send at most 50 callback URLs/,
  )
  assert.ok(
    call.text.split('\n').length <= 3 && call.text.length < BYTES_MAX,
    call.text.slice(0, 500),
  )
  assert.deepEqual((await tenant.manage('GET', '/api/resources')).json.resources, [])
})

// proves S035
test(`more than ${INVALID_REQUESTS_PER_MINUTE} invalid requests a minute with one key are 429, and valid requests are not`, {
  skip: slow,
}, async (t) => {
  const { agent, clock } = await world(t)
  const [tenant, other] = [await agent.createTenant(), await agent.createTenant()]
  clock.advance({ seconds: 15 })
  const invalid = () => tenant.manage('GET', '/api/status?unknown=1')
  for (let sent = 0; sent < INVALID_REQUESTS_PER_MINUTE; sent++) {
    assertApiError(await invalid(), 'invalidRequest')
  }

  const managed: readonly Endpoint[] = ENDPOINTS.filter(({ auth }) => auth === 'management')
  for (const endpoint of managed) {
    const refused = await tenant.manage(endpoint.method, `${pathOf(endpoint, {})}?unknown=1`)
    const details = assertApiError(refused, 'rateLimited')
    assert.deepEqual(
      details,
      { window: 'minute', limit: INVALID_REQUESTS_PER_MINUTE, left: 0 },
      endpoint.id,
    )
    assert.ok(Number(refused.headers.get('retry-after')) <= 60)
    assert.match(refused.json.error.message, /invalid requests/)
  }
  for (const [type, body] of [
    ['text/plain', '{}'],
    ['application/json', '{'],
  ] as const) {
    const options = { key: tenant.key, body, headers: { 'Content-Type': type } }
    assertApiError(await agent.call('POST', PROVISION, options), 'rateLimited')
  }
  assert.equal((await tenant.manage('GET', '/api/status')).status, 200)
  assertApiError(await other.manage('GET', '/api/status?unknown=1'), 'invalidRequest')

  const { used } = (await tenant.status()).usage.events_this_minute
  assert.equal(used, 0, 'an invalid request counts against no allowance')
  clock.advance({ minutes: 1 })
  assertApiError(await invalid(), 'invalidRequest')
})

test('invalid requests with an OAuth token are limited too', { skip: slow }, async (t) => {
  const here = await world(t)
  const { agent } = here
  const token = await tokenFor(here, await accountOf(here))
  const send = () => agent.call('POST', '/api/mcp/bootstrap', { key: token, body: {} })
  for (let sent = 0; sent < INVALID_REQUESTS_PER_MINUTE; sent++) {
    assertApiError(await send(), 'invalidRequest')
  }
  assertApiError(await send(), 'rateLimited')
})

/** The words of the validation library, which do not say what to send. */
const LIBRARY_WORDS =
  /invalid (input|option|string|value)|expected|received|unrecognized|too (big|small)|regex|undefined/i

// proves C173
test('every problem of an invalid request says what to send', { skip: slow }, async (t) => {
  const { agent, clock } = await world(t)
  const tenant = await agent.createTenant()
  const problemsOf = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Record<string, string>> => {
    clock.advance({ minutes: 1 })
    const response = await tenant.manage(method, path, body)
    const { problems } = assertApiError(response, 'invalidRequest')
    return Object.fromEntries(
      problems.map(({ path, problem }: { path: string; problem: string }) => [path, problem]),
    )
  }
  assert.deepEqual(await problemsOf('POST', PROVISION), {
    '': 'It is missing. Send a JSON object.',
  })
  assert.deepEqual(await problemsOf('POST', PROVISION, '[]'), { '': 'Send a JSON object.' })
  assert.deepEqual(await problemsOf('POST', PROVISION, { callback_urls: [7] }), {
    'callback_urls[0]': 'Send a string.',
  })
  assert.deepEqual(await problemsOf('POST', PROVISION, { callback_urls: 'x' }), {
    callback_urls: 'Send a list.',
  })
  assert.deepEqual(await problemsOf('POST', '/api/resources', {}), {
    resources: 'It is missing. Send a list.',
    configurations: 'It is missing. Send a JSON object.',
  })
  assert.deepEqual(await problemsOf('POST', '/api/feedback/service', {}), {
    feedback: 'It is missing. Send a string.',
  })
  const events = '/api/social-login/events'
  assert.deepEqual(await problemsOf('GET', `${events}?limit=501&wait=26&event=login`), {
    limit: 'Send a whole number from 1 to 500.',
    wait: 'Send a whole number from 0 to 25.',
    event:
      'Send one of "login_started", "consent_denied", "authorize", "login_failed", "token_refreshed", "logout".',
  })
  assert.deepEqual(await problemsOf('GET', `${events}?after=-1`), {
    after: 'Send a whole number from 0 to 999999999999999.',
  })
  assert.deepEqual(await problemsOf('GET', '/api/social-login/users?limit=0'), {
    limit: 'Send a whole number from 1 to 1000.',
  })

  const wire = new RawMcpClient(agent)
  const args = { tenant_id: tenant.id, coh_management_key: tenant.key }
  const calls = [
    'create_tenant',
    'claim_tenant',
    'tenant_status',
    'provision_resource',
    'give_feedback',
  ].map((name) =>
    Promise.all(
      [{}, { ...args, confirmed: 'yes', feedback: 7, resource: 1 }].map((bad) =>
        wire.call(name, bad),
      ),
    ),
  )
  for (const { isError, text } of (await Promise.all(calls)).flat()) {
    if (isError) {
      assert.doesNotMatch(text, LIBRARY_WORDS)
    }
  }
  for (const { method, path } of ENDPOINTS.filter(
    ({ method }) => method === 'POST',
  ) as readonly Endpoint[]) {
    for (const body of [
      'null',
      '[]',
      '{}',
      '7',
      '{"access_token":1,"refresh_token":null,"feedback":{},"confirmed":0}',
    ]) {
      clock.advance({ minutes: 1 })
      const { json } = await agent.call(method, path.replace(':tenantId', tenant.id), {
        key: tenant.key,
        body,
      })
      for (const { problem } of json.error?.details?.problems ?? []) {
        assert.doesNotMatch(problem, LIBRARY_WORDS)
      }
    }
  }
})
