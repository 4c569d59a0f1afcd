import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import * as contract from '@gatehouse-auth/contract'
import { claim } from '../../service/test/support/actors/claim.ts'
import { receiver } from '../../service/test/support/webhook-receiver.ts'
import { type Fetch, NotProvisionedError, UnavailableError, verifyWebhook } from '../src/index.ts'
import { createManagement, type Management } from '../src/management.ts'
import { createOwner, refused } from './support/owner.ts'
import { apiError, json, neverResponds } from './support/scripted-client.ts'

const KEY = 'svc_man_0123456789abcdefghijklmnopqrstuvwxyzABCDEF'

function scripted(respond: Fetch, timeoutMs = 5_000): Management {
  return createManagement({
    baseUrl: 'https://login.example.com',
    key: KEY,
    timeoutMs,
    fetch: respond,
  })
}

// proves C328
test('users are searched, counted and read page by page', async (t) => {
  const { service, tenant, management } = await createOwner(t)
  await tenant.signIn(service.browser())
  await tenant.signIn(service.browser(), 'Alan Turing')
  const { users } = management
  const page = await users.list({ limit: 1, count: true, include: ['blocked', 'identities'] })
  assert.deepEqual(
    [page.users.map(({ email }) => email), page.total, page.next],
    [['ada@example.com'], 2, 1],
  )
  assert.equal(page.users[0]?.blocked, false)
  assert.equal(page.users[0]?.identities?.length, 1)
  assert.equal(page.users[0]?.metadata, undefined)
  const last = await users.list({ limit: 1, after: 1 })
  assert.deepEqual([last.users.map(({ id }) => id), last.total, last.next], [[2], null, null])
  const ids: number[] = []
  for await (const { id } of users.all({ limit: 1 })) {
    ids.push(id)
  }
  assert.deepEqual(ids, [1, 2])
  assert.deepEqual((await users.list({ email: 'ALAN@example.com' })).users, [await users.get(2)])
  assert.deepEqual((await users.list({ q: 'ala', blocked: true })).users, [])
  const { details } = await refused(users.list({ q: 'a' }), 'invalidRequest')
  assert.match(JSON.stringify(details.problems), /"q"/)
})

test('a user is blocked, unblocked, signed out, given metadata and deleted; an unknown one is a typed error', async (t) => {
  const { service, tenant, management } = await createOwner(t)
  const { access_token } = await tenant.signIn(service.browser())
  const { users } = management
  const [session] = await users.sessions(1)
  assert.ok(session !== undefined)
  assert.deepEqual(await users.sessions(1, { after: session.id }), [])
  await users.endSession(session.id)
  assert.equal(await tenant.isValid(access_token), false)
  await refused(users.endSession(session.id), 'sessionNotFound')
  await tenant.signIn(service.browser())
  assert.equal(await users.endSessions(1), 1)

  assert.equal((await users.block(1)).id, 1)
  assert.equal((await users.get(1, { include: ['blocked'] })).blocked, true)
  await users.unblock(1)
  const { etag } = await users.metadata(1)
  assert.ok(etag !== null)
  const stored = await users.setMetadata(1, { plan: 'pro' }, { ifMatch: etag })
  assert.deepEqual(await users.metadata(1), stored)
  await refused(users.setMetadata(1, { plan: 'free' }, { ifMatch: etag }), 'metadataChanged')
  assert.deepEqual((await users.setMetadata(1, {})).metadata, {})
  assert.deepEqual(await users.setClaims(1, { role: 'admin' }), { role: 'admin' })
  assert.deepEqual((await users.get(1, { include: ['claims'] })).claims, { role: 'admin' })
  await users.deleteClaims(1, { endSessions: true })
  assert.deepEqual((await users.get(1, { include: ['claims'] })).claims, {})

  await users.delete(1)
  const error = await refused(users.get(1), 'userNotFound')
  assert.equal(
    error.message,
    (await tenant.manage('GET', '/api/social-login/users/1')).json.error.message,
  )
  await refused(users.delete(1), 'userNotFound')
})

test('two users are merged, and an identity is pinned and removed', async (t) => {
  const { tenant, management } = await createOwner(t)
  const { users } = management
  for (const subject of ['one', 'two']) {
    await tenant.manage('POST', '/api/social-login/test-sessions', {
      email: `${subject}@example.com`,
      subject,
    })
  }
  assert.equal((await users.merge(1, 2)).identities?.length, 2)
  assert.equal(
    (await users.pinIdentity(1, 'google', true, { subject: 'one' })).email,
    'one@example.com',
  )
  assert.equal((await users.removeIdentity(1, 'google', { subject: 'two' })).identities?.length, 1)
  await refused(users.removeIdentity(1, 'google'), 'onlyIdentity')
})

test('an export streams, and an import takes its lines or objects', async (t) => {
  const { service, tenant, management } = await createOwner(t)
  await tenant.signIn(service.browser())
  await refused(
    management.users.import([{ subject: 's-1', email: 'new@example.com' }]),
    'importRequiresClaim',
  )
  await claim(tenant, service.browser())
  const lines = await (await management.users.export()).text()
  assert.deepEqual(
    (await management.users.import(lines)).results.map(({ result }) => result),
    ['exists'],
  )
  const report = await management.users.import([{ subject: 's-1', email: 'new@example.com' }])
  assert.deepEqual([report.created, report.existing, report.failed], [1, 0, 0])
  assert.match(
    await (await management.users.export({ format: 'csv' })).text(),
    /^id,email,.*new@example\.com/s,
  )
})

test('the timeout of an export ends with its headers, because the body of a large project takes longer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let finish = (): void => {}
  const slow = new ReadableStream({
    start(controller) {
      finish = () => controller.close()
    },
  })
  let signal: AbortSignal | null | undefined
  const response = await scripted((_url, init) => {
    signal = init.signal
    return new Response(slow)
  }, 30).users.export()
  t.mock.timers.tick(30)
  assert.equal(signal?.aborted, false)
  finish()
  assert.equal(await response.text(), '')

  const { promise: isSent, resolve: send } = Promise.withResolvers<void>()
  const unanswered = scripted((_url, init) => {
    send()
    return neverResponds(init.signal as AbortSignal)
  }, 30).users.export()
  await isSent
  t.mock.timers.tick(30)
  await assert.rejects(
    unanswered,
    (error) => error instanceof UnavailableError && error.reason === 'timeout',
  )
})

test('settings, refusals, events and the audit are read, and settings changed', async (t) => {
  const { service, tenant, management } = await createOwner(t)
  const before = await management.settings.get()
  const changed = await management.settings.change({ allowed_domains: ['example.com'] })
  assert.deepEqual(changed, { ...before, allowed_domains: ['example.com'] })
  await refused(management.settings.change({ allowed_domains: ['localhost'] }), 'invalidRequest')
  assert.deepEqual(await management.settings.get(), changed)

  await service
    .browser()
    .open(`${tenant.loginUrl}?redirect_uri=https://app.example.com:8443/callback`)
  const [refusal] = await management.refusals.list()
  assert.deepEqual([refusal?.code, refusal?.differs], ['invalidRedirectUri', 'port'])
  await management.settings.change({ allowed_domains: [] })
  await tenant.signIn(service.browser())
  assert.deepEqual(await management.events.list(), await tenant.events())
  const [authorized] = await management.events.list({ event: 'authorize', user_id: 1, limit: 1 })
  assert.equal(authorized?.metadata.new_user, true)
  assert.deepEqual(await management.events.list({ after: authorized.id }), [])
  const actions = await management.audit.list({ limit: 2 })
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['social_login.provisioned', 'settings.changed'],
  )
  assert.equal((await management.audit.list({ after: 2 }))[0]?.id, 3)
})

test('a webhook is created, tested, changed, rotated, replayed and deleted', async (t) => {
  const { service, tenant, management } = await createOwner(t, { realTime: true })
  const { webhooks } = management
  const endpoint = await receiver(t)
  const { webhook, secret } = await webhooks.create({
    url: endpoint.url,
    events: ['social_login.authorize'],
  })
  assert.deepEqual([await webhooks.list(), await webhooks.get(webhook.id)], [[webhook], webhook])
  const tested = await webhooks.test(webhook.id)
  assert.deepEqual([tested.delivered, tested.error], [true, null])
  const [received] = endpoint.received
  assert.ok(received)
  const headers = new Headers(received.headers as Record<string, string>)
  assert.equal(
    (await verifyWebhook({ headers, body: received.text }, { secret })).type,
    'webhook.test',
  )
  await tenant.signIn(service.browser())
  await service.app.deliver()
  const deliveries = await webhooks.deliveries(webhook.id)
  assert.deepEqual(
    deliveries.map(({ event_id }) => event_id),
    [null, 2],
  )
  assert.deepEqual(
    await webhooks.deliveries(webhook.id, { after: 1, limit: 5 }),
    deliveries.slice(1),
  )
  assert.equal((await webhooks.replay(webhook.id, { event_ids: [2] })).waiting_retries, 1)
  assert.equal((await webhooks.change(webhook.id, { status: 'disabled' })).disabled_reason, 'owner')
  assert.notEqual((await webhooks.rotate(webhook.id)).secret, secret)
  await refused(webhooks.create({ url: 'http://10.0.0.1/' }), 'webhookUrlRefused')
  await webhooks.delete(webhook.id)
  await refused(webhooks.get(webhook.id), 'webhookNotFound')
})

// proves C328
test('a refused key is a typed error, and no error or inspection contains a key', async (t) => {
  const { service, tenant } = await createOwner(t)
  const error = await refused(
    createManagement({ baseUrl: service.baseUrl, key: KEY }).users.list(),
    'invalidCredentials',
  )
  const bare = await service.agent.createTenant(null)
  const unprovisioned = createManagement({ baseUrl: service.baseUrl, key: bare.key })
  await assert.rejects(unprovisioned.settings.get(), NotProvisionedError)
  await service.stop()
  const management = createManagement({ baseUrl: service.baseUrl, key: tenant.key })
  const outage = await management.settings.get().catch((error) => error)
  assert.ok(outage instanceof UnavailableError && outage.retryable)
  const options = { baseUrl: service.baseUrl }
  const thrown = [`${KEY}\n`, `${KEY} `, KEY.replace('man', 'app'), '', 'svc_man_ü'].map((key) => {
    try {
      return assert.fail(`${createManagement({ ...options, key })}`)
    } catch (error) {
      assert.match(String(error), /^TypeError: key must be coh_management_key/)
      return error
    }
  })
  const shown = [error, outage, management, ...thrown].map((each) =>
    inspect(each, { depth: 9, showHidden: true }),
  )
  assert.doesNotMatch(shown.join('\n'), new RegExp(`${KEY.slice(8)}|${tenant.key.slice(8)}`))
})

test('in a browser the management client is refused', () => {
  Object.defineProperty(globalThis, 'document', { value: {}, configurable: true })
  try {
    assert.throws(() => scripted(() => json({})), /key must stay on your server/)
  } finally {
    Reflect.deleteProperty(globalThis, 'document')
  }
})

test('an id that would address something else is rejected before a request', async () => {
  const { users, webhooks, providers, domains } = scripted(() => assert.fail('a request was sent'))
  for (const id of ['', '.', '..', '1/block', '1?x', '%2e%2e']) {
    await assert.rejects(users.delete(id as unknown as number), /^TypeError: id is not an id/, id)
    await assert.rejects(webhooks.delete(id), /^TypeError: id is not an id/, id)
    await assert.rejects(providers.remove(id as 'google'), /^TypeError: name is not an id/, id)
  }
  for (const host of ['', '.', '..']) {
    await assert.rejects(domains.delete(host), /host is not a host name/)
  }
  for (const id of [Number.NaN, -1, 1.5]) {
    await assert.rejects(users.endSession(id), /sessionId is not an id/)
  }
})

test('only reads are retried, and a body of another service is not returned', async () => {
  const sent: string[] = []
  const { users, webhooks, settings } = scripted((_url, init) => {
    sent.push(String(init.method))
    return apiError('temporarilyUnavailable', 503, { 'Retry-After': '0' })
  })
  await assert.rejects(users.get(1), UnavailableError)
  await assert.rejects(users.delete(1), UnavailableError)
  await assert.rejects(webhooks.rotate('whk_1'), UnavailableError)
  await assert.rejects(settings.change({}), UnavailableError)
  assert.deepEqual(sent, ['GET', 'GET', 'DELETE', 'POST', 'PATCH'])
  const other = scripted(() => json({ hello: 'world' }))
  await assert.rejects(other.users.list(), /does not match the API/)
  await assert.rejects(other.users.delete(1), /does not match the API/)
  await assert.rejects(other.settings.get(), /does not match the API/)
})

// proves C328
test('every management endpoint but those that set a project up has a method', async () => {
  const sent = new Set<string>()
  const management = scripted((url, init) => {
    sent.add(`${init.method} ${new URL(url).pathname}`)
    return json({})
  })
  const {
    users,
    webhooks,
    settings,
    providers,
    brand,
    domains,
    removals,
    refusals,
    audit,
    events,
  } = management
  await Promise.allSettled([
    ...[
      users.list(),
      users.get(1),
      users.block(1),
      users.unblock(1),
      users.delete(1),
      users.sessions(1),
    ],
    ...[
      users.endSessions(1),
      users.endSession(1),
      users.metadata(1),
      users.setMetadata(1, {}),
      users.setClaims(1, {}),
      users.deleteClaims(1),
      users.merge(1, 2),
      users.removeIdentity(1, 'google'),
      users.pinIdentity(1, 'google', true),
      users.export(),
    ],
    ...[
      users.import(''),
      settings.get(),
      settings.change({}),
      refusals.list(),
      audit.list(),
      events.list(),
    ],
    ...[webhooks.create({ url: '' }), webhooks.list(), webhooks.get('1'), webhooks.change('1', {})],
    ...[webhooks.delete('1'), webhooks.rotate('1'), webhooks.test('1'), webhooks.deliveries('1')],
    ...[
      webhooks.replay('1', {}),
      providers.list(),
      providers.share('google'),
      providers.remove('google'),
    ],
    ...[
      providers.test('google'),
      brand.get(),
      brand.set({ name: '' }),
      brand.delete(),
      removals.list(),
    ],
    ...[brand.logo.set(new Uint8Array()), brand.logo.delete()],
    ...[domains.list(), domains.add(''), domains.check('1'), domains.delete('1')],
  ])
  const endpoints = [
    ...[
      ...contract.USER_ENDPOINTS,
      ...contract.USER_SESSION_ENDPOINTS,
      ...contract.USER_TRANSFER_ENDPOINTS,
    ],
    ...contract.IDENTITY_ENDPOINTS,
    ...[...contract.SETTINGS_ENDPOINTS, ...contract.REFUSAL_ENDPOINTS, ...contract.AUDIT_ENDPOINTS],
    ...[...contract.WEBHOOK_ENDPOINTS, ...contract.WEBHOOK_DELIVERY_ENDPOINTS, contract.listEvents],
    ...[...contract.PROVIDER_ENDPOINTS, ...contract.BRAND_ENDPOINTS, ...contract.DOMAIN_ENDPOINTS],
    ...contract.REMOVAL_ENDPOINTS,
  ]
  const expected = endpoints.map(
    ({ method, path }) => `${method} ${path.replace(':provider', 'google').replace(/:\w+/, '1')}`,
  )
  assert.deepEqual([...sent].sort(), expected.sort())
})
