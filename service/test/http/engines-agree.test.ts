import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ENDPOINTS, type Endpoint, TOOLS } from '@gatehouse-auth/contract'
import { accountPaths } from '../../src/http/console/paths.ts'
import { type ApiResponse, type CallOptions, type Pair, Tenant } from '../support/actors/agent.ts'
import type { Browser } from '../support/actors/browser.ts'
import { claim as claimTenant } from '../support/actors/claim.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { openMe } from '../support/actors/me.ts'
import { squarePng } from '../support/png.ts'
import type { Engine } from '../support/postgres/engines.ts'
import { sqliteOnly } from '../support/postgres/engines.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { listen } from '../support/transport/listen.ts'
import { testDns } from '../support/transport/test-dns.ts'
import { transcriptOf } from '../support/transport/transcript.ts'
import { world } from '../support/world.ts'

/** Chooses an account, and decides on the consent page if there is one. Returns the transcript. */
async function logIn(visitor: Browser, user: string): Promise<string[]> {
  const transcript: string[] = []
  await visitor.press(user)
  if (visitor.page.status === 200) {
    transcript.push(transcriptOf(`consent for ${user}`, visitor.page))
    await visitor.press(user === 'Alan Turing' ? 'Cancel' : 'Continue')
  }
  transcript.push(transcriptOf(`the result for ${user}`, visitor.page))
  return transcript
}

/** The tokens that a callback got, or none. */
function pairIn({ page }: Browser): Pair[] {
  const { searchParams } = new URL(page.headers.get('location') ?? '')
  const access_token = searchParams.get('access_token')
  const refresh_token = searchParams.get('refresh_token')
  return access_token === null || refresh_token === null ? [] : [{ access_token, refresh_token }]
}

const matcher = (path: string): RegExp => new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}$`)

/** Calls every endpoint over the lifecycle of one tenant, with valid and invalid requests. Returns every response. */
async function runTenantLifecycle(
  t: TestContext,
  engine: Engine,
): Promise<{ transcript: string[]; called: Set<string> }> {
  const { records, network } = testDns()
  const { agent, browser, clock } = await world(t, { engine, network })
  const transcript: string[] = []
  const called = new Set<string>()

  async function call(
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<ApiResponse> {
    const response = await agent.call(method, path, options)
    const [address = ''] = path.split('?')
    const endpoint = ENDPOINTS.find(
      (each) => each.method === method && matcher(each.path).test(address),
    )
    if (endpoint !== undefined) {
      called.add(endpoint.id)
    }
    transcript.push(transcriptOf(`${transcript.length} ${method} ${path}`, response))
    return response
  }

  const created = await call('POST', '/api/genesis')
  await call('POST', '/api/genesis', { headers: { Accept: 'text/plain' } })
  await call('POST', '/api/genesis', { body: { a: 1 } })
  await call('POST', '/api/genesis', { headers: { 'User-Agent': 'curl/8' } })
  const tenant = new Tenant(agent, created.json, clock)
  const { key, applicationKey } = tenant
  const manage = (method: string, path: string, body?: unknown) =>
    call(method, path, { key, ...(body === undefined ? {} : { body }) })
  const edge = (act: string, body: unknown, headers = {}) =>
    call('POST', `/edge/auth/${tenant.id}/${act}`, { body, headers })
  const login = `/edge/auth/${tenant.id}/google`
  const social = '/api/social-login'
  const resource = '/api/resources/social-login'

  // Before it is provisioned.
  await manage('GET', '/api/status')
  await call('GET', '/api/status')
  await call('GET', '/api/status', { key: applicationKey })
  await manage('GET', '/api/resources')
  await manage('GET', `${social}/users`)
  await edge('verify', { access_token: 'x' })
  await call('GET', login)

  // Provisioning.
  await manage('POST', resource, {
    callback_urls: ['http://evil.example/cb', 'https://*.com/', 'x'],
  })
  await manage('POST', resource, { callback_url: 'https://*.vercel.app/cb' })
  await manage('POST', '/api/resources', {
    resources: ['social-login'],
    configurations: {
      'social-login': {
        callback_urls: ['https://app.example.com/callback', 'http://localhost/cb'],
      },
    },
  })
  await manage('POST', '/api/resources', { resources: ['database'] })
  await manage('GET', '/api/resources')

  // Logins: rejected, started, allowed, denied, failed.
  await call('GET', `${login}?redirect_uri=https://evil.example/cb`)
  await call('GET', `${login}?return_to=//evil.example`, { headers: { Accept: 'text/html' } })
  await call('GET', `${login}?return_to=/a`)
  const accounts = [
    'Ada Lovelace',
    'Grace Hopper',
    'Alan Turing',
    'Cancel',
    'Userinfo fails',
    'Token exchange fails',
  ]
  const pairs: Pair[] = []
  for (const user of accounts) {
    clock.advance({ minutes: 1 })
    const visitor = browser()
    await visitor.open(`${agent.baseUrl}${login}?return_to=/welcome`)
    transcript.push(...(await logIn(visitor, user)))
    pairs.push(...pairIn(visitor))
  }

  // Sessions.
  const [ada, grace] = pairs
  assert.ok(ada && grace)
  clock.advance({ minutes: 1 })
  await edge('verify', { access_token: ada.access_token }, { Origin: 'https://app.example.com' })
  await edge('verify', {})
  const next = await edge(
    'refresh',
    { refresh_token: ada.refresh_token },
    { 'Idempotency-Key': 'once-0001' },
  )
  await edge('refresh', { refresh_token: ada.refresh_token }, { 'Idempotency-Key': 'once-0001' })
  await edge('refresh', { refresh_token: ada.refresh_token })
  await edge('verify', { access_token: ada.access_token })
  clock.advance({ seconds: 30 })
  await edge('refresh', { refresh_token: ada.refresh_token })
  await edge('verify', { access_token: next.json.access_token })
  await edge('logout', { refresh_token: grace.refresh_token })
  const idTokens = { audiences: ['convex', 'neon'], claims: { role: 'authenticated' } }
  await edge('id-token', { access_token: next.json.access_token })
  await manage('PATCH', `${social}/settings`, { id_tokens: idTokens })
  await edge('id-token', { access_token: next.json.access_token, audience: 'neon' })
  for (const file of ['openid-configuration', 'jwks.json']) {
    await call('GET', `/edge/auth/${tenant.id}/.well-known/${file}`)
  }
  await manage('PATCH', `${social}/settings`, { id_tokens: null })
  await edge('logout', { refresh_token: 'garbage' })

  // An OpenID library.
  const openId = (act: string, fields: Readonly<Record<string, string>>) =>
    call('POST', `/edge/auth/${tenant.id}/oauth/${act}`, {
      body: new URLSearchParams({
        client_id: tenant.id,
        client_secret: applicationKey,
        ...fields,
      }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
  const redirect_uri = 'https://app.example.com/callback'
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: tenant.id,
    redirect_uri,
    scope: 'openid',
    state: 's',
  })
  const authorizePath = `/edge/auth/${tenant.id}/oauth/authorize`
  clock.advance({ minutes: 1 })
  const library = browser()
  await library.open(`${agent.baseUrl}${authorizePath}?${request}`)
  transcript.push(...(await logIn(library, 'Ada Lovelace')))
  const callback = new URL(library.page.headers.get('location') ?? '')
  const grant = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri,
  }
  await openId('token', { ...grant, redirect_uri: 'https://app.example.com/' })
  const { json: issued } = await openId('token', grant)
  const refreshing = { grant_type: 'refresh_token', refresh_token: issued.refresh_token }
  const { json: renewed } = await openId('token', refreshing)
  await openId('token', refreshing)
  await openId('introspect', { token: renewed.access_token })
  await openId('introspect', { token: renewed.refresh_token })
  await call('GET', `/edge/auth/${tenant.id}/oauth/userinfo`, { key: renewed.access_token })
  await openId('token', grant)
  await openId('introspect', { token: renewed.access_token })
  await openId('revoke', { token: renewed.access_token })
  await call('GET', `/edge/auth/${tenant.id}/oauth/logout?id_token_hint=${issued.id_token}`)
  await call('GET', `${authorizePath}?${request}&prompt=none`)
  await call('GET', `${authorizePath}?response_type=code`)

  // Users and events.
  for (const query of ['', '?limit=1', '?after=0&limit=2', '?limit=0', '?page=1']) {
    await manage('GET', `${social}/users${query}`)
  }
  const [user] = await tenant.users()
  await manage('GET', `${social}/users/${user?.id}`)
  await manage('GET', `${social}/users/999999999999999`)
  for (const query of [
    '',
    '?limit=3',
    '?event=login_failed',
    `?user_id=${user?.id}`,
    '?wait=1&event=authorize',
    '?event=x',
  ]) {
    await manage('GET', `${social}/events${query}`)
  }

  // One user's sessions, metadata, block and deletion; export and import.
  const one = `${social}/users/${user?.id}`
  for (const query of [
    '?q=gr',
    '?email=ADA@example.com&include=blocked',
    '?blocked=true&count=true',
    '?q=a',
  ]) {
    await manage('GET', `${social}/users${query}`)
  }
  clock.advance({ minutes: 1 })
  await manage('POST', `${social}/test-sessions`, { email: 'ada@example.com' })
  const { json: sessions } = await manage('GET', `${one}/sessions`)
  await manage('DELETE', `${social}/sessions/${sessions.sessions[0]?.id}`)
  await manage('DELETE', `${social}/sessions/x`)
  await manage('DELETE', `${one}/sessions`)
  const written = await manage('PUT', `${one}/metadata`, {
    metadata: { plan: 'pro', seats: [1, 2.5, null] },
  })
  await manage('GET', `${one}/metadata`)
  await call('PUT', `${one}/metadata`, {
    key,
    body: { metadata: {} },
    headers: { 'If-Match': '"other"' },
  })
  assert.ok(written.headers.get('etag'))
  await manage('PUT', `${one}/claims`, { claims: { role: 'admin' } })
  await manage('GET', `${one}?include=claims`)
  await manage('DELETE', `${one}/claims`)
  const invited = await manage('POST', `${social}/invitations`, {
    email: 'new@example.com',
    claims: { role: 'admin' },
  })
  await manage('GET', `${social}/invitations`)
  await manage('DELETE', `${social}/invitations/${invited.json.invitation.id}`)
  await call('POST', `${social}/import`, {
    key,
    body: '{"subject":"another","email":"another@example.com"}',
    headers: { 'Content-Type': 'application/x-ndjson' },
  })
  await manage('POST', `${one}/merge`, { from: 99 })
  await edge('link', { access_token: 'garbage', provider: 'google' })
  await manage('PATCH', `${one}/identities/google`, { pinned: true })
  await manage('DELETE', `${one}/identities/google`)
  await manage('POST', `${one}/block`)
  await manage('GET', `${one}?include=metadata,blocked,identities`)
  await manage('GET', `${social}/export`)
  await manage('GET', `${social}/export?format=csv`)
  await manage('POST', `${one}/unblock`)
  await manage('DELETE', one)
  await manage('DELETE', one)
  await call('POST', `${social}/import`, {
    key,
    body: '{}',
    headers: { 'Content-Type': 'application/x-ndjson' },
  })
  await manage('GET', `${social}/events?event=logout`)

  // Edge sessions, claims, observability, feedback, bootstrap.
  const opened = await call('POST', `/edge/session?key=${applicationKey}`)
  await call('GET', '/edge/session', { key: opened.json.token })
  await call('POST', '/edge/session?key=garbage')
  const claim = await manage('POST', '/api/claim/url')
  await call('GET', '/api/wait?timeout=0', { key: claim.json?.wait?.token })
  await manage('GET', '/api/observability?include=recent_events')
  await call('GET', '/account/insights/data')
  await manage('POST', '/api/feedback/service', { feedback: ' It works. ' })
  await call('GET', '/api/feedback')
  await manage('POST', '/api/feedback', { feedback: 'It works.', user_authorized: true })
  const bootstrap = { confirmed: true, idempotency_key: 'once-0001' }
  await call('POST', '/api/mcp/bootstrap', { body: bootstrap })
  await manage('POST', '/api/mcp/bootstrap', bootstrap)
  await manage('GET', '/api/nothing')
  await manage('PATCH', '/api/status')
  await call('GET', '/nothing')

  // What tests of apps use, on another guest where it ends it.
  const session = await manage('POST', `${social}/test-sessions`, {
    email: 'test@example.com',
    name: 'Test',
  })
  await edge('verify', { access_token: session.json.access_token })
  await manage('POST', `${social}/test-sessions`, { email: 'no address' })
  await manage('DELETE', `${social}/users`)
  await edge('verify', { access_token: session.json.access_token })
  const other = (await call('POST', '/api/genesis')).json.coh_management_key
  for (const status of ['paused', 'paused', 'expired', 'expired']) {
    await call('POST', '/api/test-status', { key: other, body: { status } })
    await call('GET', '/api/status', { key: other })
  }

  await manage('PUT', `${social}/providers/github`, { mode: 'shared' })
  await manage('PUT', `${social}/providers/apple`, { mode: 'shared' })
  await manage('GET', `${social}/providers`)
  await call('GET', `/edge/auth/${tenant.id}/providers`)
  await call('GET', `/edge/auth/${tenant.id}/apple`)
  await manage('POST', `${social}/providers/github/test`)
  await manage('DELETE', `${social}/providers/github`)
  await manage('DELETE', `${social}/providers/github`)

  const { port } = await listen(t, (_req, res) => res.end())
  const hook = await manage('POST', '/api/webhooks', { url: `http://localhost:${port}/` })
  const hookPath = `/api/webhooks/${hook.json.webhook.id}`
  await manage('POST', '/api/webhooks', { url: `http://localhost:${port}/` })
  await manage('POST', `${hookPath}/test`)
  await manage('POST', `${hookPath}/replay`, { after: 0 })
  await manage('POST', `${hookPath}/rotate`)
  await manage('PATCH', hookPath, { events: ['social_login.logout', 'user.created'] })
  await manage('GET', `${hookPath}/deliveries`)
  await manage('GET', '/api/webhooks')
  await manage('DELETE', hookPath)
  await manage('DELETE', hookPath)

  // Domains and brand, of an owned tenant.
  const owned = await agent.createTenant()
  await claimTenant(owned, browser())
  const own = (method: string, path: string, body?: unknown, headers = {}) =>
    call(method, path, { key: owned.key, headers, ...(body === undefined ? {} : { body }) })
  const domain = await own('POST', '/api/domains', { host: 'app.example.com' })
  await own('POST', '/api/domains', { host: 'github.io' })
  await own('POST', '/api/domains/app.example.com/check')
  records.set(domain.json.domain.dns.name, [[domain.json.domain.dns.value]])
  await own('POST', '/api/domains/app.example.com/check')
  await own('GET', '/api/domains')
  const brand = `${social}/brand`
  await own('PUT', `${brand}/logo`, squarePng(64), { 'Content-Type': 'image/png' })
  await own('PUT', brand, { name: 'PayPal' })
  await own('PUT', brand, { name: 'Notes', accent: 'blue', terms_url: 'https://example.com/terms' })
  const picture = await own('PUT', `${brand}/logo`, squarePng(64), { 'Content-Type': 'image/png' })
  await call('GET', new URL(picture.json.brand.logo.url).pathname)
  await own('GET', brand)
  for (const path of [
    `${brand}/logo`,
    brand,
    brand,
    '/api/domains/app.example.com',
    '/api/domains/app.example.com',
  ]) {
    await own('DELETE', path)
  }

  // Every endpoint that is not called above, with its example: a new endpoint is included automatically.
  for (const { id, method, path, example } of ENDPOINTS as readonly Endpoint[]) {
    if (called.has(id) || method === 'DELETE') {
      continue
    }
    await manage(method, pathOf({ path }, { ...example.params, tenantId: tenant.id }), example.body)
  }

  // The minute limit, the removal of the resource, the expiry of the tenant.
  clock.advance({ minutes: 1 })
  for (let starts = 0; starts < 6; starts++) {
    await call('GET', `${login}?return_to=/${starts}`)
  }
  await manage('GET', '/api/status')
  await manage('DELETE', resource)
  await manage('DELETE', resource)
  await manage('GET', `${social}/events`)
  await manage('POST', resource, { callback_url: 'https://app.example.com/callback' })
  await manage('GET', `${social}/users`)
  await edge('verify', { access_token: next.json.access_token })
  await edge('refresh', { refresh_token: next.json.refresh_token })
  await manage('DELETE', '/api/webhooks/wh_unknown')
  await manage('GET', '/api/status')
  clock.advance({ hours: 72 })
  await manage('GET', '/api/status')
  await manage('GET', '/api/resources')
  await edge('refresh', { refresh_token: next.json.refresh_token })
  return { transcript, called }
}

// proves C011, C019, C139
test('SQLite and PostgreSQL return identical responses, byte for byte, through the lifecycle of a tenant', {
  skip: sqliteOnly,
}, async (t) => {
  const [sqlite, postgres] = [
    await runTenantLifecycle(t, 'sqlite'),
    await runTenantLifecycle(t, 'postgres'),
  ]
  const missing = ENDPOINTS.filter(({ id }) => !sqlite.called.has(id)).map(({ id }) => id)
  assert.deepEqual(missing, [], 'every endpoint must be called')
  for (const [index, response] of sqlite.transcript.entries()) {
    assert.equal(postgres.transcript[index], response)
  }
  assert.equal(postgres.transcript.length, sqlite.transcript.length)
  assert.ok(!sqlite.transcript.join().includes('"internalError"'))
})

/** Opens the pages of an owner and of a user, and calls the tools of agents. Returns every response. */
async function visitEveryPage(t: TestContext, engine: Engine): Promise<string[]> {
  const { agent, app, browser, baseUrl, clock } = await world(t, { engine })
  const tenant = await agent.createTenant()
  for (const user of ['Ada Lovelace', 'Grace Hopper']) {
    clock.advance({ minutes: 1 })
    await tenant.signIn(browser(), user)
  }
  const owner = browser()
  await claimTenant(tenant, owner)
  const { json: hook } = await tenant.manage('POST', '/api/webhooks', {
    url: 'https://app.example.com/hook',
  })
  // The last use of each key is written after the response.
  await app.flush()

  const transcript: string[] = []
  const open = async (visitor: Browser, path: string): Promise<void> => {
    await visitor.open(baseUrl + path)
    transcript.push(transcriptOf(path, visitor.page))
  }
  await open(owner, accountPaths.home)
  await open(owner, accountPaths.newProject)
  // One waits for an event, the others show keys that have just been replaced.
  const { liveActivity, newKeys, keyFile, ...ofProject } = accountPaths
  const ids = { user: 1, webhook: hook.webhook.id, client: 'github' }
  for (const [name, path] of Object.entries(ofProject)) {
    if (typeof path === 'function') {
      await open(owner, path(tenant.id, ids[name as keyof typeof ids] ?? ''))
    }
  }
  for (const query of ['?q=ada', '?sort=name', '?blocked=true', '?page=x']) {
    await open(owner, accountPaths.users(tenant.id) + query)
  }
  for (const path of [
    accountPaths.user(tenant.id, 'x'),
    accountPaths.user(tenant.id, 999),
    accountPaths.client(tenant.id, 'myspace'),
    accountPaths.settings('no-such-tenant'),
  ]) {
    await open(owner, path)
  }
  await open(browser(), `/edge/auth/${tenant.id}/google?redirect_uri=https://evil.example/cb`)
  await open(browser(), `/edge/auth/${tenant.id}/github`)
  await open(browser(), '/auth/google/callback?code=x&state=y')
  const person = await openMe(browser(), baseUrl, 'Ada Lovelace')
  transcript.push(transcriptOf('/me', person.page))

  const wire = new RawMcpClient(agent)
  const named = { tenant_id: tenant.id, coh_management_key: tenant.key }
  for (const { name } of TOOLS) {
    for (const args of [{}, named, { ...named, confirmed: true, feedback: 'It works.' }]) {
      const response = await wire.request('tools/call', { name, arguments: args })
      transcript.push(transcriptOf(`${name} ${Object.keys(args)}`, response))
    }
  }
  return transcript
}

// proves C011
test('SQLite and PostgreSQL return identical pages and results of tools', {
  skip: sqliteOnly,
}, async (t) => {
  const [sqlite, postgres] = [
    await visitEveryPage(t, 'sqlite'),
    await visitEveryPage(t, 'postgres'),
  ]
  for (const [index, response] of sqlite.entries()) {
    assert.equal(postgres[index], response)
  }
  assert.equal(postgres.length, sqlite.length)
})
