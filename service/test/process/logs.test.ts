import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { SECRET_PREFIXES } from '@gatehouse-auth/contract'
import { serviceLog, standardOutput } from '../../src/log.ts'
import { CALLBACK } from '../support/actors/agent.ts'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { ENGINES, freshPostgres } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

const COMMON_FIELDS = ['level', 'time', 'pid', 'msg']
const REQUEST_FIELDS = [...COMMON_FIELDS, 'request_id', 'method', 'route', 'status', 'ms'].sort()
const FAILURE_FIELDS = new Set([...COMMON_FIELDS, 'error', 'cause', 'stack'])

type Line = Record<string, unknown> & { readonly msg: string }

/** Parses every log line as a JSON object. */
const linesOf = ({ logLines }: World): Line[] =>
  logLines.map((line) => {
    assert.match(line, /^\{.*\}\n$/)
    return JSON.parse(line)
  })

function assertAllowedFields(lines: readonly Line[]): void {
  for (const line of lines) {
    if (line.msg === 'request') {
      assert.deepEqual(Object.keys(line).sort(), REQUEST_FIELDS)
    } else {
      for (const field of Object.keys(line)) {
        assert.ok(FAILURE_FIELDS.has(field), `${field} in ${JSON.stringify(line)}`)
      }
    }
  }
}

for (const engine of ENGINES) {
  // proves C105, S019
  test(`[${engine}] the log of a whole journey, failures included, contains no secret and no user data`, async (t) => {
    const here = await world(t, { through: 'port', engine })
    const { agent, browser, logLines } = here
    const tenant = await agent.createTenant()
    const pair = await tenant.signIn(browser(), 'Ada Lovelace', '?return_to=/private-page')
    here.clock.advance({ minutes: 1 })
    const next = await tenant.refresh(pair.refresh_token)
    here.clock.advance({ minutes: 1 })
    await tenant.assertRefreshRejected(pair.refresh_token, 'refreshTokenReused')
    await tenant.edge('logout', { refresh_token: next.refresh_token })
    for (const button of [
      'Cancel',
      'Token exchange fails',
      'Userinfo fails',
      'Email not verified',
    ]) {
      here.clock.advance({ minutes: 1 })
      const person = browser()
      await person.open(tenant.loginUrl)
      await person.press(button)
    }
    here.clock.advance({ minutes: 1 })
    await browser().open(`${tenant.loginUrl}?redirect_uri=https://evil.example/cb`)
    await browser().open(`${tenant.loginUrl}/hidden-path?hidden-query=1`)
    await agent.call('POST', '/api/genesis', {
      body: '{"broken-body',
      headers: { 'User-Agent': 'hidden-agent' },
    })
    await agent.call('GET', '/api/status', { key: 'svc_man_hiddenkey' })
    await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)
    await tenant.manage('DELETE', '/api/resources/social-login')

    const lines = linesOf(here)
    assertAllowedFields(lines)
    const text = logLines.join('')
    for (const hidden of [
      ...[
        'ada@',
        'Lovelace',
        'example.com',
        'private-page',
        'evil.example',
        'return_to=',
        'redirect_uri=',
      ],
      ...[
        'hidden-path',
        'hidden-query',
        'hidden-agent',
        'hiddenkey',
        'broken-body',
        'code=',
        'state=',
        '?key=',
      ],
      ...[
        tenant.id,
        tenant.key,
        tenant.applicationKey,
        pair.access_token,
        pair.refresh_token,
        next.refresh_token,
      ],
      ...['Bearer', 'Cookie', '127.0.0.1'],
    ]) {
      assert.ok(
        !text.includes(hidden),
        `${hidden} is in the log: ${lines.map((line) => line.msg).join(' | ')}`,
      )
    }
    const failures = lines.filter(({ msg }) => msg.startsWith('sign-in failed at'))
    assert.deepEqual(
      failures.map(({ msg }) => msg.split(':')[0]),
      [
        'sign-in failed at token_exchange',
        'sign-in failed at userinfo',
        'sign-in failed at userinfo',
      ],
    )
    assert.ok(!lines.some(({ level }) => level === 50), 'no internal error')
  })
}

// proves D1
test('each request has one log line with the request id of its response and its route, not its URL', async (t) => {
  const here = await world(t, { through: 'port' })
  const tenant = await here.agent.createTenant()
  here.logLines.length = 0
  const sent: [string, number, string, string | null][] = []
  const send = async (method: string, path: string, route: string, options = {}): Promise<void> => {
    const response = await here.agent.call(method, path, options)
    sent.push([method, response.status, route, response.headers.get('x-request-id')])
    const inBody = response.json?.error?.request_id
    if (inBody !== undefined) {
      assert.equal(inBody, response.headers.get('x-request-id'))
    }
  }
  await send('GET', '/healthz', '/healthz')
  await send('GET', '/api/status', '/api/status', { key: tenant.key })
  await send('GET', '/api/status', '/api/status')
  await send('GET', '/api/social-login/users/1?x=1', '/api/social-login/users/:id', {
    key: tenant.key,
  })
  await send('POST', `/edge/auth/${tenant.id}/verify`, '/edge/auth/:tenantId/verify', {
    body: { access_token: 'x' },
  })
  await send(
    'GET',
    `/edge/auth/${tenant.id}/google?redirect_uri=${CALLBACK}`,
    '/edge/auth/:tenantId/google',
  )
  await send('GET', '/nowhere/svc_man_secret', '(none)')
  await send('PUT', '/api/status', '(none)')

  const lines = linesOf(here).filter(({ msg }) => msg === 'request')
  assert.deepEqual(
    lines.map(({ method, status, route, request_id }) => [method, status, route, request_id]),
    sent,
  )
  assert.equal(new Set(lines.map(({ request_id }) => request_id)).size, sent.length)
  for (const { ms } of lines) {
    assert.ok(typeof ms === 'number' && ms >= 0 && ms < 60_000)
  }
})

test('a failure is logged with its cause and the request id of the response, without secrets', async (t) => {
  const proxy = await faultProxy(t, await freshPostgres())
  const here = await world(t, {
    through: 'port',
    engine: 'postgres',
    timing: {},
    env: { DATABASE_URL: proxy.url },
  })
  const tenant = await here.agent.createTenant()
  const { refresh_token } = await tenant.signIn(here.browser())
  here.logLines.length = 0
  proxy.cut()
  const response = await tenant.edge('refresh', { refresh_token })
  assert.equal(response.status, 503)

  const lines = linesOf(here)
  assertAllowedFields(lines)
  const logged = lines.filter(({ msg }) =>
    msg.includes(response.headers.get('x-request-id') ?? 'none'),
  )
  assert.equal(logged.length, 1)
  assert.match(logged[0]?.msg ?? '', /\/edge\/auth\/:tenantId\/refresh: temporarilyUnavailable$/)
  assert.match(String(logged[0]?.error), /^Unavailable: /)
  assert.ok(logged[0]?.cause !== undefined)
  proxy.heal()
})

test('every kind of secret that the service issues is redacted in log messages and errors', () => {
  const lines: string[] = []
  const log = serviceLog({ write: (line) => void lines.push(line) })
  const secrets = [
    ...Object.values(SECRET_PREFIXES).map((prefix) => `${prefix}abc-DEF_123`),
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'GOCSPX-abcdef',
  ]
  for (const secret of secrets) {
    const error = new Error(`failed with ${secret}.`, { cause: new Error(`because of ${secret}`) })
    log.error(`message with ${secret}`, error)
    log.warn('not an error', `text with ${secret}`)
    log.info(secret)
  }
  const text = lines.join('')
  for (const secret of secrets) {
    assert.ok(!text.includes(secret), secret)
  }
  assert.ok(text.includes('[secret]'))
  assert.equal(lines.length, secrets.length * 3)
})

test('a log reader that stops reading loses lines but uses no memory', () => {
  const out = new PassThrough()
  const sink = standardOutput(out)
  const line = `${'x'.repeat(1_023)}\n`
  for (let lines = 0; lines < 10_000; lines++) {
    sink.write(line)
  }
  const waiting = out.writableLength + out.readableLength
  assert.ok(waiting > 1_024 * 1_024 && waiting < 5 * 1_024 * 1_024, `${waiting} bytes wait`)
  out.resume()
})
