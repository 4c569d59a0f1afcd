import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  DOMAIN_CHECKS_PER_HOUR,
  DOMAIN_ENDPOINTS,
  DOMAINS_MAX,
  type Endpoint,
} from '@gatehouse-auth/contract'
import type { TestNetwork } from '../../src/identity/public-https.ts'
import { sweep } from '../../src/operations/sweep.ts'
import { endTenant } from '../../src/operations/tenants/end-tenant.ts'
import type { Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { listen } from '../support/transport/listen.ts'
import { testDns } from '../support/transport/test-dns.ts'
import { type World, world } from '../support/world.ts'

const HOST = 'app.example.com'
const CHECK = `/api/domains/${HOST}/check`
const WEEK = { days: 7 }

async function owned(
  t: TestContext,
  engine: Engine,
  network: TestNetwork,
): Promise<World & { tenant: Tenant }> {
  const here = await world(t, { engine, network })
  const tenant = await here.agent.createTenant()
  await claim(tenant, here.browser())
  return { ...here, tenant }
}

const add = async (tenant: Tenant, host = HOST) => {
  const { status, json, text } = await tenant.manage('POST', '/api/domains', { host })
  assert.equal(status, 200, text)
  return json.domain
}

const check = async (tenant: Tenant, path = CHECK) => {
  const { status, json, text } = await tenant.manage('POST', path)
  assert.equal(status, 200, text)
  return json
}

const actionsOf = async (tenant: Tenant): Promise<string[]> =>
  (await tenant.manage('GET', '/api/audit')).json.actions
    .filter(({ action }: { action: string }) => action.startsWith('domain.'))
    .map(
      ({ action, target, actor }: Record<string, string>) =>
        `${action} ${target} ${actor?.split(':')[0]}`,
    )

for (const engine of ENGINES) {
  // proves C329
  test(`[${engine}] a domain is verified by its TXT record, and each change is in the audit`, async (t) => {
    const { records, asked, network } = testDns()
    const { tenant, clock } = await owned(t, engine, network)
    const domain = await add(tenant, 'App.Example.com')
    assert.deepEqual(
      [domain.host, domain.registrable_domain, domain.status],
      [HOST, 'example.com', 'pending'],
    )
    assert.deepEqual(domain.dns, {
      type: 'TXT',
      name: '_gatehouse.example.com',
      value: domain.file.content,
    })
    assert.equal(domain.file.url, `https://${HOST}/.well-known/gatehouse.txt`)

    assert.deepEqual((await check(tenant)).found, { dns: 'absent', file: 'absent' })
    records.set(domain.dns.name, [['gatehouse-verification=', 'of another tenant']])
    const other = await check(tenant)
    assert.deepEqual([other.found.dns, other.domain.status], ['other', 'pending'])
    // A long record arrives in parts, beside records of other tenants.
    records.set(domain.dns.name, [
      ['x'],
      [domain.dns.value.slice(0, 20), domain.dns.value.slice(20)],
    ])
    const found = await check(tenant)
    assert.equal(found.found.dns, 'found')
    assert.deepEqual(asked, Array(3).fill('_gatehouse.example.com'))
    const now = new Date(clock.now()).toISOString()
    const nextCheck = new Date(clock.now() + 7 * 24 * 3_600_000).toISOString()
    const verified = {
      ...domain,
      status: 'verified',
      method: 'dns',
      verified_at: now,
      checked_at: now,
      next_check_at: nextCheck,
    }
    assert.deepEqual(found.domain, verified)
    assert.deepEqual(await add(tenant), verified, 'adding it again changes nothing')
    await check(tenant)
    assert.deepEqual((await tenant.manage('GET', '/api/domains')).json, { domains: [verified] })

    assert.equal((await tenant.manage('DELETE', `/api/domains/${HOST}`)).status, 200)
    assertApiError(await tenant.manage('DELETE', `/api/domains/${HOST}`), 'domainNotFound')
    assert.deepEqual((await tenant.manage('GET', '/api/domains')).json, { domains: [] })
    assert.deepEqual(
      await actionsOf(tenant),
      ['added', 'verified', 'deleted'].map((action) => `domain.${action} ${HOST} key`),
    )
  })

  // proves C329, S066
  test(`[${engine}] the record of one tenant verifies no other, and both may verify one domain`, async (t) => {
    const { records, network } = testDns()
    const { tenant, agent, browser } = await owned(t, engine, network)
    const other = await agent.createTenant()
    await claim(other, browser(), 'Grace Hopper')
    const [mine, theirs] = [await add(tenant), await add(other)]
    records.set(mine.dns.name, [[mine.dns.value]])
    assert.equal((await check(tenant)).domain.status, 'verified')
    assert.equal((await check(other)).domain.status, 'pending')
    records.set(mine.dns.name, [[mine.dns.value], [theirs.dns.value]])
    assert.equal((await check(other)).domain.status, 'verified')
  })

  // proves C331, S067
  test(`[${engine}] a verified domain is checked every week, and two misses in a row end the verification`, async (t) => {
    const { records, asked, network } = testDns()
    const { tenant, app, clock } = await owned(t, engine, network)
    const { dns: record } = await add(tenant)
    records.set(record.name, [[record.value]])
    await check(tenant)
    const state = async () => {
      const [domain] = (await tenant.manage('GET', '/api/domains')).json.domains
      return [domain.status, domain.missed_checks, asked.length]
    }
    await sweep(app.ctx)
    assert.deepEqual(await state(), ['verified', 0, 1], 'not before its time')
    clock.advance(WEEK)
    await sweep(app.ctx)
    await sweep(app.ctx)
    assert.deepEqual(await state(), ['verified', 0, 2], 'once')

    records.clear()
    clock.advance(WEEK)
    await sweep(app.ctx)
    assert.deepEqual(await state(), ['verified', 1, 3])
    records.set(record.name, [[record.value]])
    clock.advance(WEEK)
    await sweep(app.ctx)
    assert.deepEqual(await state(), ['verified', 0, 4], 'a success between two misses starts again')

    records.clear()
    for (let week = 0; week < 3; week++) {
      clock.advance(WEEK)
      await sweep(app.ctx)
    }
    assert.deepEqual(await state(), ['lapsed', 2, 6], 'a lapsed domain is not checked any more')
    assert.equal((await actionsOf(tenant)).at(-1), `domain.lapsed ${HOST} operator`)
    records.set(record.name, [[record.value]])
    assert.equal((await check(tenant)).domain.status, 'verified')
  })

  // proves C331
  test(`[${engine}] a check by hand that finds nothing does not end a verification`, async (t) => {
    const { records, network } = testDns()
    const { tenant } = await owned(t, engine, network)
    const { dns: record } = await add(tenant)
    records.set(record.name, [[record.value]])
    const { domain } = await check(tenant)
    records.clear()
    for (let times = 0; times < 3; times++) {
      assert.deepEqual(await check(tenant), { domain, found: { dns: 'absent', file: 'absent' } })
    }
  })

  // proves C331
  test(`[${engine}] two instances check a due domain once, and a check by hand meanwhile is newer`, async (t) => {
    const { records, asked, network } = testDns()
    const { tenant, app, clock } = await owned(t, engine, network)
    const { dns: record } = await add(tenant)
    records.set(record.name, [[record.value]])
    await check(tenant)
    clock.advance(WEEK)
    const { domains } = app.ctx.stores
    const ref = { tenantId: tenant.id, host: HOST }
    const now = clock.now()
    const until = now + 300_000
    const leases = await Promise.all([1, 2, 3].map(() => domains.lease(ref, now, until)))
    assert.equal(leases.filter((lease) => lease !== null).length, 1)
    await sweep(app.ctx)
    assert.equal(asked.length, 1, 'the sweep leaves a leased domain alone')

    await check(tenant)
    const lapsed = {
      status: 'lapsed',
      method: null,
      misses: 2,
      checkedAt: now,
      nextCheckAt: null,
    } as const
    assert.equal(await domains.saveRecheck(ref, until, lapsed), false)
    assert.equal((await tenant.manage('GET', '/api/domains')).json.domains[0].status, 'verified')
    // A killed process: its lease ends, and another one checks.
    clock.advance(WEEK)
    await domains.lease(ref, clock.now(), clock.now() + 300_000)
    clock.advance({ minutes: 5 })
    await sweep(app.ctx)
    assert.equal(asked.length, 3)
  })

  // proves C341, S074
  test(`[${engine}] a tenant has at most ten domains and thirty checks an hour`, async (t) => {
    const { network } = testDns()
    const { tenant, clock } = await owned(t, engine, network)
    const hosts = Array.from({ length: DOMAINS_MAX + 4 }, (_, at) => `d${at}.example.com`)
    const added = await Promise.all(
      hosts.map((host) => tenant.manage('POST', '/api/domains', { host })),
    )
    assert.equal(added.filter(({ status }) => status === 200).length, DOMAINS_MAX)
    for (const refused of added.filter(({ status }) => status !== 200)) {
      assert.deepEqual(assertApiError(refused, 'domainLimit'), { limit: DOMAINS_MAX })
    }
    const [{ host }] = (await tenant.manage('GET', '/api/domains')).json.domains
    const path = `/api/domains/${host}/check`
    for (let checks = 0; checks < DOMAIN_CHECKS_PER_HOUR; checks++) {
      await check(tenant, path)
    }
    const refused = await tenant.manage('POST', path)
    assertApiError(refused, 'rateLimited')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    clock.advance({ hours: 1 })
    await check(tenant, path)
  })

  // proves C340
  test(`[${engine}] domains are deleted with social login, and with the tenant`, async (t) => {
    const { tenant, app } = await owned(t, engine, testDns().network)
    const { stores } = app.ctx
    await add(tenant)
    assert.equal((await tenant.manage('DELETE', '/api/resources/social-login')).status, 200)
    assert.deepEqual(await stores.domains.listByTenant(tenant.id), [])
    await add(tenant)
    const ending = await stores.tenants.find(tenant.id)
    assert.ok(ending)
    await endTenant(app.ctx, ending, 'deleted')
    assert.deepEqual(await stores.domains.listByTenant(tenant.id), [])
  })
}

// proves C329
test('on a local service a domain of this computer is verified by its file over http', async (t) => {
  let content = ''
  const paths: string[] = []
  const { port } = await listen(t, (req, res) => {
    paths.push(req.url ?? '')
    res.writeHead(content === '' ? 404 : 200).end(content)
  })
  const { tenant, baseUrl } = await owned(t, 'sqlite', testDns().network)
  const host = `localhost:${port}`
  const { dns: record, file, registrable_domain } = await add(tenant, host)
  assert.deepEqual(
    [record, registrable_domain, file.url],
    [null, null, `http://${host}/.well-known/gatehouse.txt`],
  )
  const path = `/api/domains/${encodeURIComponent(host)}/check`
  assert.deepEqual((await check(tenant, path)).found, { dns: 'absent', file: 'absent' })
  content = 'hello\n'
  assert.equal((await check(tenant, path)).found.file, 'other')
  content = `# Gatehouse\r\n  ${file.content}  \r\n`
  const { domain } = await check(tenant, path)
  assert.deepEqual([domain.status, domain.method], ['verified', 'file'])
  assert.deepEqual([...new Set(paths)], ['/.well-known/gatehouse.txt'])
  assertApiError(
    await tenant.manage('POST', '/api/domains', { host: new URL(baseUrl).host }),
    'invalidRequest',
  )
})

// proves C332
test('a public suffix, an address and a URL are refused with the field and the reason', async (t) => {
  const { tenant } = await owned(t, 'sqlite', testDns().network)
  for (const host of [
    'github.io',
    'co.uk',
    '192.0.2.1',
    'https://example.com',
    'example.com:8443',
    '*.example.com',
  ]) {
    const details = assertApiError(
      await tenant.manage('POST', '/api/domains', { host }),
      'invalidRequest',
    )
    assert.equal((details as { problems: { path: string }[] }).problems[0]?.path, 'host', host)
  }
  assert.deepEqual((await tenant.manage('GET', '/api/domains')).json, { domains: [] })
})

// proves C341
test('every domain endpoint needs the management key of an owned tenant, and a valid request', async (t) => {
  const { tenant, agent } = await owned(t, 'sqlite', testDns().network)
  const guest = await agent.createTenant()
  for (const endpoint of DOMAIN_ENDPOINTS as readonly Endpoint[]) {
    const { method, example } = endpoint
    const path = pathOf(endpoint, { host: 'absent.example.com' })
    const call = (key?: string, headers: Record<string, string> = {}, body = example.body) =>
      agent.call(method, path, {
        headers,
        ...(key === undefined ? {} : { key }),
        ...(body === undefined ? {} : { body }),
      })
    assertApiError(await call(), 'missingCredentials')
    assertApiError(await call(`${tenant.key.slice(0, -1)}~`), 'invalidCredentials')
    assertApiError(await call(tenant.applicationKey), 'wrongKeyKind')
    assertApiError(await call(guest.key), 'ownerRequired')
    assertApiError(await tenant.manage(method, `${path}?unknown=1`, example.body), 'invalidRequest')
    if (endpoint.errors.includes('domainNotFound')) {
      assertApiError(await call(tenant.key), 'domainNotFound')
    }
    if (endpoint.body === undefined) {
      continue
    }
    assertApiError(await call(tenant.key, { 'Content-Type': 'text/plain' }), 'unsupportedMediaType')
    assertApiError(await call(tenant.key, {}, { host: 'x'.repeat(70_000) }), 'bodyTooLarge')
  }
  assertApiError(await tenant.manage('DELETE', '/api/domains/not%20a%20host'), 'domainNotFound')
  await guest.manage('POST', '/api/test-status', { status: 'paused' })
  for (const endpoint of DOMAIN_ENDPOINTS as readonly Endpoint[]) {
    const path = pathOf(endpoint, { host: HOST })
    assertApiError(await guest.manage(endpoint.method, path, endpoint.example.body), 'tenantPaused')
  }
})
