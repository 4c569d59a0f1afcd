import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { signAccessToken } from '../../src/domain/tokens/access-token.ts'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { claim } from '../support/actors/claim.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

/** A second field makes the framework handle the request. */
const byFramework = (token: string) => ({ access_token: token, extra: 1 })

/** The verify response without the values that differ between two requests. */
async function comparableVerify(tenant: Tenant, body: unknown) {
  const { status, headers, json } = await tenant.edge('verify', body)
  const { 'x-request-id': id, date, ...others } = Object.fromEntries(headers)
  assert.match(id ?? '', /^[\w-]{16}$/)
  return { status, json, headers: others }
}

const linesOf = ({ logLines }: World) =>
  logLines
    .map((line) => JSON.parse(line))
    .filter(({ route }) => route === '/edge/auth/:tenantId/verify')

const BEHIND_A_PROXY = {
  BASE_URL: 'https://login.example.com',
  GOOGLE_CLIENT_ID: 'a-client',
  GOOGLE_CLIENT_SECRET: 'a-secret',
}

for (const [where, env] of [
  ['on a laptop', {}],
  ['on the web', BEHIND_A_PROXY],
] as const) {
  test(`${where} the fast path responds to verify with the framework's headers and body`, async (t) => {
    const service = await world(t, { env })
    const { app, agent, clock, baseUrl } = service
    const tenant = await agent.createTenant()
    const user = { id: 1, email: 'ada@example.com', name: 'Ada Lovelace, née Byron', picture: null }
    const names = { iss: baseUrl, tenant_id: tenant.id, sid: 1, gen: 1, rid: 1 }
    const access_token = signAccessToken(app.ctx.keyring, { ...names, ...user }, clock.now())

    const fastPaths = await comparableVerify(tenant, { access_token })
    assert.deepEqual(fastPaths, await comparableVerify(tenant, byFramework(access_token)))
    assert.deepEqual(fastPaths.json, { valid: true, user: user })
    assert.equal('strict-transport-security' in fastPaths.headers, 'BASE_URL' in env)
    assert.equal(app.ctx.accessTokens.cached, 1, 'the second request uses the cache')

    clock.advance({ hours: 1 })
    const late = await comparableVerify(tenant, { access_token })
    assert.deepEqual(late, await comparableVerify(tenant, byFramework(access_token)))
    assert.deepEqual(late.json, { valid: false })

    const lines = linesOf(service)
    assert.equal(lines.length, 4, 'each request logs one line')
    for (const { method, status, ms, request_id } of lines) {
      assert.deepEqual([method, status, typeof ms, request_id.length], ['POST', 200, 'number', 16])
    }
  })
}

for (const engine of ENGINES) {
  test(`[${engine}] a cached access token is rejected immediately after a refresh, logout, pause, deletion or expiry`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const signedIn = async () => {
      const pair = await tenant.signIn(browser())
      for (let times = 0; times < 3; times++) {
        assert.equal(await tenant.isValid(pair.access_token), true)
      }
      return pair
    }
    const refreshed = await signedIn()
    await tenant.refresh(refreshed.refresh_token)
    assert.equal(await tenant.isValid(refreshed.access_token), false)

    const loggedOut = await signedIn()
    await tenant.edge('logout', { refresh_token: loggedOut.refresh_token })
    assert.equal(await tenant.isValid(loggedOut.access_token), false)

    const old = await signedIn()
    clock.advance({ hours: 1 })
    assert.equal(await tenant.isValid(old.access_token), false)

    const paused = await signedIn()
    await app.ctx.stores.tenants.pause(tenant.id, 'lifetime_events', clock.now())
    const response = await tenant.edge('verify', { access_token: paused.access_token })
    assert.deepEqual([response.status, response.json.error.code], [403, 'tenantPaused'])
    await claim(tenant, browser())
    assert.equal(await tenant.isValid(paused.access_token), true, 'a claim ends the pause')

    await tenant.manage('DELETE', '/api/resources/social-login')
    const deleted = await tenant.edge('verify', { access_token: paused.access_token })
    assert.equal(deleted.json.error.code, 'notProvisioned')
  })
}

test('a cached access token is invalid at another tenant and stays valid at its own', async (t) => {
  const { agent, browser } = await world(t)
  const [one, other] = [await agent.createTenant(), await agent.createTenant()]
  const { access_token } = await one.signIn(browser())
  assert.equal(await one.isValid(access_token), true)
  assert.equal(await other.isValid(access_token), false)
  assert.equal(await one.isValid(access_token), true)
})

test('a cached access token of an expired guest gets tenantExpired', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  clock.advance({ hours: 71, minutes: 50 })
  const { access_token } = await tenant.signIn(browser())
  assert.equal(await tenant.isValid(access_token), true)
  clock.advance({ minutes: 15 })
  const response = await tenant.edge('verify', { access_token })
  assert.deepEqual([response.status, response.json.error.code], [410, 'tenantExpired'])
})

test('the framework handles verify requests with unusual bodies, media types, lengths and CORS', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const { access_token } = await tenant.signIn(browser())
  const verify = (body: unknown, headers: Record<string, string> = {}) =>
    tenant.edge('verify', body, headers)

  assert.equal((await verify(`{"access_token":"${access_token}","access_token":"x"}`)).status, 400)
  assert.equal((await verify(`\n{ "access_token" : "${access_token}" }\n`)).json.valid, true)
  assert.equal((await verify({ access_token: 1 })).status, 400)
  assert.equal((await verify('{"access_token":')).json.error.code, 'invalidRequest')
  assert.equal((await verify('')).status, 400)
  assert.equal((await verify({ access_token }, { 'Content-Type': 'text/plain' })).status, 415)
  assert.equal((await verify({ access_token: 'x'.repeat(70_000) })).status, 413)
  assert.equal((await verify({ access_token: `${access_token}\u0000` })).json.valid, false)
  const page = await verify({ access_token }, { Origin: 'https://app.example.com' })
  assert.equal(page.headers.get('access-control-allow-origin'), 'https://app.example.com')
  assert.equal(page.json.valid, true)
})

test('the fast path reads a body in pieces and drops a request whose client disconnects', async (t) => {
  const { agent, browser, config } = await world(t, { through: 'port' })
  const tenant = await agent.createTenant()
  const { access_token } = await tenant.signIn(browser())
  const body = JSON.stringify({ access_token })
  const head = `POST /edge/auth/${tenant.id}/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`

  const socket = connect(config.port, '127.0.0.1')
  socket.write(head + body.slice(0, 10))
  await new Promise<void>((resolve) => setImmediate(resolve))
  socket.write(body.slice(10, 200))
  await new Promise<void>((resolve) => setImmediate(resolve))
  socket.write(body.slice(200) + head + body)
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.match(/"valid":true/g)?.length === 2) {
      break
    }
  }
  assert.equal(
    text.match(/HTTP\/1\.1 200/g)?.length,
    2,
    'two requests on one connection get two responses',
  )

  const disconnecting = connect(config.port, '127.0.0.1')
  disconnecting.write(head + body.slice(0, 10))
  await new Promise<void>((resolve) => setImmediate(resolve))
  disconnecting.destroy()
  assert.equal(await tenant.isValid(access_token), true)
})

test("the fast path responds to refresh with the framework's headers and errors, and logs one line", async (t) => {
  const service = await world(t)
  const { agent, browser, clock } = service
  const tenant = await agent.createTenant()
  const spent = await tenant.signIn(browser())
  clock.advance({ minutes: 1 })
  await tenant.refresh(spent.refresh_token)

  /** Sends a request that changes nothing to the fast path and to the framework, and compares the responses. */
  const compare = async (
    refresh_token: string,
    headers: Record<string, string> = {},
  ): Promise<[number, string]> => {
    const [fastPaths, behind] = [
      await tenant.edge('refresh', { refresh_token }, headers),
      await tenant.edge('refresh', { refresh_token, extra: 1 }, headers),
    ]
    assert.deepEqual(withoutIds(fastPaths), withoutIds(behind))
    assert.equal(fastPaths.json.error.request_id, fastPaths.headers.get('x-request-id'))
    return [fastPaths.status, fastPaths.json.error.code]
  }
  assert.deepEqual(await compare(spent.refresh_token), [401, 'refreshTokenSuperseded'])
  assert.deepEqual(await compare('svc_rt_nothing'), [401, 'invalidRefreshToken'])
  assert.deepEqual(await compare(spent.refresh_token, { 'Idempotency-Key': 'short' }), [
    400,
    'invalidRequest',
  ])

  clock.advance({ minutes: 1 })
  const [one, two] = [await tenant.signIn(browser()), await tenant.signIn(browser())]
  clock.advance({ minutes: 1 })
  const fastPaths = await tenant.edge('refresh', { refresh_token: one.refresh_token })
  const behind = await tenant.edge('refresh', { refresh_token: two.refresh_token, extra: 1 })
  assert.deepEqual(
    [fastPaths.status, Object.keys(fastPaths.json)],
    [behind.status, Object.keys(behind.json)],
  )
  const left = (response: ApiResponse) => response.headers.get('ratelimit')?.replace(/r=\d+/, 'r=…')
  assert.equal(left(fastPaths), left(behind))
  assert.ok(left(fastPaths))
  assert.deepEqual(
    [...withoutIds(fastPaths).headers.keys()],
    [...withoutIds(behind).headers.keys()],
  )

  await tenant.refresh(fastPaths.json.refresh_token)
  await tenant.refresh(behind.json.refresh_token)
  await tenant.edge('refresh', { refresh_token: 'svc_rt_nothing' })
  clock.advance({ minutes: 1 })
  let { refresh_token } = await tenant.signIn(browser())
  for (let times = 0; times < 3; times++) {
    refresh_token = (await tenant.refresh(refresh_token)).refresh_token
  }
  assert.deepEqual(await compare(refresh_token), [429, 'rateLimited'])
  const lines = service.logLines
    .map((line) => JSON.parse(line))
    .filter(({ route }) => route?.endsWith('/refresh'))
  assert.equal(lines.length, 17)
})

/** The response without the values that differ between two requests. */
function withoutIds({ status, headers, json }: ApiResponse) {
  const kept = new Headers(headers)
  kept.delete('x-request-id')
  kept.delete('date')
  kept.delete('content-length')
  const { request_id, ...error } = json.error ?? {}
  return { status, headers: new Map(kept), error }
}
