import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { serviceLog, standardOutput } from '../../src/log.ts'
import { CALLBACK } from '../support/actors/agent.ts'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { ENGINES, freshPostgres } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

const ALWAYS = ['level', 'time', 'pid', 'msg']
const OF_A_REQUEST = [...ALWAYS, 'request_id', 'method', 'route', 'status', 'ms'].sort()
const OF_A_FAILURE = new Set([...ALWAYS, 'error', 'cause', 'stack'])

type Line = Record<string, unknown> & { readonly msg: string }

/** Every line as an object; a line that is none fails here. */
const linesOf = ({ logLines }: World): Line[] =>
  logLines.map((line) => {
    assert.match(line, /^\{.*\}\n$/)
    return JSON.parse(line)
  })

function assertAllowed(lines: readonly Line[]): void {
  for (const line of lines) {
    if (line.msg === 'request') assert.deepEqual(Object.keys(line).sort(), OF_A_REQUEST)
    else
      for (const field of Object.keys(line)) assert.ok(OF_A_FAILURE.has(field), `${field} in ${JSON.stringify(line)}`)
  }
}

for (const engine of ENGINES) {
  test(`[${engine}] the log of a whole journey, mishaps included, says what happened and nothing about anybody`, async (t) => {
    const here = await world(t, { engine })
    const { agent, browser, logLines } = here
    const tenant = await agent.createTenant()
    const pair = await tenant.signIn(browser(), 'Ada Lovelace', '?return_to=/private-page')
    here.clock.advance({ minutes: 1 })
    const next = await tenant.refresh(pair.refresh_token)
    here.clock.advance({ minutes: 1 })
    await tenant.assertRefreshRejected(pair.refresh_token, 'refreshTokenReused')
    await tenant.edge('logout', { refresh_token: next.refresh_token })
    for (const button of ['Cancel', 'Token exchange fails', 'Userinfo fails', 'E-mail not verified']) {
      here.clock.advance({ minutes: 1 })
      const person = browser()
      await person.open(tenant.loginUrl)
      await person.press(button)
    }
    here.clock.advance({ minutes: 1 })
    await browser().open(`${tenant.loginUrl}?redirect_uri=https://evil.example/cb`)
    await browser().open(`${tenant.loginUrl}/hidden-path?hidden-query=1`)
    await agent.call('POST', '/api/genesis', { body: '{"broken-body', headers: { 'User-Agent': 'hidden-agent' } })
    await agent.call('GET', '/api/status', { key: 'svc_man_hiddenkey' })
    await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)
    await tenant.manage('DELETE', '/api/resources/social-login')

    const lines = linesOf(here)
    assertAllowed(lines)
    const text = logLines.join('')
    for (const hidden of [
      ...['ada@', 'Lovelace', 'example.com', 'private-page', 'evil.example', 'return_to=', 'redirect_uri='],
      ...['hidden-path', 'hidden-query', 'hidden-agent', 'hiddenkey', 'broken-body', 'code=', 'state=', '?key='],
      ...[tenant.id, tenant.key, tenant.applicationKey, pair.access_token, pair.refresh_token, next.refresh_token],
      ...['Bearer', 'Cookie', '127.0.0.1'],
    ]) {
      assert.ok(!text.includes(hidden), `${hidden} is in the log: ${lines.map((line) => line.msg).join(' | ')}`)
    }
    const failures = lines.filter(({ msg }) => msg.startsWith('sign-in failed at'))
    assert.deepEqual(
      failures.map(({ msg }) => msg.split(':')[0]),
      ['sign-in failed at token_exchange', 'sign-in failed at userinfo', 'sign-in failed at userinfo'],
    )
    assert.ok(!lines.some(({ level }) => level === 50), 'nothing of this was our mistake')
  })
}

test('each request has one line, under the id that its answer carried, with its route and not its address', async (t) => {
  const here = await world(t)
  const tenant = await here.agent.createTenant()
  here.logLines.length = 0
  const asked: [string, number, string, string | null][] = []
  const ask = async (method: string, path: string, route: string, options = {}): Promise<void> => {
    const response = await here.agent.call(method, path, options)
    asked.push([method, response.status, route, response.headers.get('x-request-id')])
    const inBody = response.json?.error?.request_id
    if (inBody !== undefined) assert.equal(inBody, response.headers.get('x-request-id'))
  }
  await ask('GET', '/healthz', '/healthz')
  await ask('GET', '/api/status', '/api/status', { key: tenant.key })
  await ask('GET', '/api/status', '/api/status')
  await ask('GET', '/api/social-login/users/1?x=1', '/api/social-login/users/:id', { key: tenant.key })
  await ask('POST', `/edge/auth/${tenant.id}/verify`, '/edge/auth/:tenantId/verify', { body: { access_token: 'x' } })
  await ask('GET', `/edge/auth/${tenant.id}/google?redirect_uri=${CALLBACK}`, '/edge/auth/:tenantId/google')
  await ask('GET', '/nowhere/svc_man_secret', '(none)')
  await ask('PUT', '/api/status', '(none)')

  const lines = linesOf(here).filter(({ msg }) => msg === 'request')
  assert.deepEqual(
    lines.map(({ method, status, route, request_id }) => [method, status, route, request_id]),
    asked,
  )
  assert.equal(new Set(lines.map(({ request_id }) => request_id)).size, asked.length)
  for (const { ms } of lines) assert.ok(typeof ms === 'number' && ms >= 0 && ms < 60_000)
})

test('when something of ours breaks, the log has the cause under the same id, without the secrets in it', async (t) => {
  const proxy = await faultProxy(t, await freshPostgres())
  const here = await world(t, { engine: 'postgres', env: { DATABASE_URL: proxy.url } })
  const tenant = await here.agent.createTenant()
  const { refresh_token } = await tenant.signIn(here.browser())
  here.logLines.length = 0
  proxy.cut()
  const response = await tenant.edge('refresh', { refresh_token })
  assert.equal(response.status, 503)

  const lines = linesOf(here)
  assertAllowed(lines)
  const pendingEvents = lines.filter(({ msg }) => msg.includes(response.headers.get('x-request-id') ?? 'none'))
  assert.equal(pendingEvents.length, 1)
  assert.match(pendingEvents[0]?.msg ?? '', /\/edge\/auth\/:tenantId\/refresh: temporarilyUnavailable$/)
  assert.match(String(pendingEvents[0]?.error), /^Unavailable: /)
  assert.ok(pendingEvents[0]?.cause !== undefined)
  proxy.heal()
})

test('the words of an error pass a net that knows our secrets', () => {
  const lines: string[] = []
  const log = serviceLog({ write: (line) => void lines.push(line) })
  const secrets = [
    'svc_man_abcDEF123',
    'svc_app_abcDEF123',
    'svc_rt_abc-DEF_123',
    'mcp_at_abc-DEF_123',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'GOCSPX-abcdef',
  ]
  for (const secret of secrets) {
    const error = new Error(`it said ${secret}.`, { cause: new Error(`because of ${secret}`) })
    log.error(`message with ${secret}`, error)
    log.warn('not an error', `text with ${secret}`)
    log.info(secret)
  }
  const text = lines.join('')
  for (const secret of secrets) assert.ok(!text.includes(secret), secret)
  assert.ok(text.includes('[secret]'))
  assert.equal(lines.length, secrets.length * 3)
})

test('a reader who stops reading costs lines, not memory', () => {
  const out = new PassThrough()
  const sink = standardOutput(out)
  const line = `${'x'.repeat(1_023)}\n`
  for (let lines = 0; lines < 10_000; lines++) sink.write(line)
  const waiting = out.writableLength + out.readableLength
  assert.ok(waiting > 1_024 * 1_024 && waiting < 5 * 1_024 * 1_024, `${waiting} bytes wait`)
  out.resume()
})
