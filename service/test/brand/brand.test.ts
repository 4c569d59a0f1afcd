import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { BRAND_ENDPOINTS, type Endpoint } from '@gatehouse-auth/contract'
import { endTenant } from '../../src/operations/tenants/end-tenant.ts'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { pngChunk, pngHeader, pngOf, pngPixels, squarePng } from '../support/png.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { testDns } from '../support/transport/test-dns.ts'
import { type World, type WorldOptions, world } from '../support/world.ts'

const PATH = '/api/social-login/brand'
const PNG = { 'Content-Type': 'image/png' }

interface Scene extends World {
  readonly tenant: Tenant
  readonly records: Map<string, string[][]>
  verify(host: string): Promise<void>
  upload(body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
}

async function scene(t: TestContext, options: WorldOptions = {}): Promise<Scene> {
  const { records, network } = testDns()
  const here = await world(t, { network, through: 'port', ...options })
  const tenant = await here.agent.createTenant([
    'https://app.example.com/cb',
    'https://*.example.com/cb',
    'http://localhost/cb',
  ])
  await claim(tenant, here.browser())
  const { agent } = here
  return {
    ...here,
    tenant,
    records,
    async verify(host) {
      const { dns } = (await tenant.manage('POST', '/api/domains', { host })).json.domain
      records.set(dns.name, [[dns.value]])
      assert.equal(
        (await tenant.manage('POST', `/api/domains/${host}/check`)).json.domain.status,
        'verified',
      )
    },
    upload: (body, headers = PNG) =>
      agent.call('PUT', `${PATH}/logo`, { key: tenant.key, body, headers }),
  }
}

const brandOf = async (tenant: Tenant) => (await tenant.manage('GET', PATH)).json.brand

for (const engine of ENGINES) {
  // proves C335
  test(`[${engine}] a brand is set, read and deleted, and each change is in the audit without a value`, async (t) => {
    const { tenant, verify, upload, baseUrl } = await scene(t, { engine })
    assert.equal(await brandOf(tenant), null)
    assertApiError(await upload(squarePng(64)), 'brandNotFound')
    await verify('example.com')
    const links = { privacy_url: 'https://www.example.com/privacy', terms_url: null }
    const set = await tenant.manage('PUT', PATH, {
      name: ' Example   Notes ',
      privacy_url: links.privacy_url,
      accent: 'indigo',
    })
    const brand = {
      name: 'Example Notes',
      ...links,
      accent: 'indigo',
      logo: null,
      shown_on: ['app.example.com', '*.example.com'],
    }
    assert.deepEqual([set.status, set.json], [200, { brand }])
    assert.deepEqual(await brandOf(tenant), brand)

    const { json } = await upload(squarePng(100))
    assert.match(
      json.brand.logo.url,
      new RegExp(`^${baseUrl}/logo/${tenant.id}/[0-9a-f]{64}\\.png$`),
    )
    assert.equal(json.brand.logo.size, 100)
    const renamed = await tenant.manage('PUT', PATH, { name: 'Notes' })
    const { logo } = json.brand
    assert.deepEqual(
      renamed.json.brand,
      { ...brand, name: 'Notes', privacy_url: null, accent: null, logo },
      'the logo stays',
    )

    for (const path of [`${PATH}/logo`, `${PATH}/logo`, PATH, PATH]) {
      assert.deepEqual((await tenant.manage('DELETE', path)).json, { success: true })
    }
    assert.equal(await brandOf(tenant), null)
    const { actions } = (await tenant.manage('GET', '/api/audit')).json
    const own = actions.filter(({ action }: { action: string }) => action.startsWith('brand.'))
    assert.deepEqual(
      own.map(({ action, target }: Record<string, string>) => `${action} ${target}`),
      ['changed', 'logo_changed', 'changed', 'logo_deleted', 'deleted'].map(
        (action) => `brand.${action} null`,
      ),
    )
  })

  // proves C340
  test(`[${engine}] a brand and its logo are deleted with social login, and with the tenant`, async (t) => {
    const { tenant, upload, app } = await scene(t, { engine })
    const { stores } = app.ctx
    const fill = async (): Promise<string> => {
      await tenant.manage('PUT', PATH, { name: 'Notes' })
      const { url } = (await upload(squarePng(64))).json.brand.logo
      return url.split('/').at(-1).replace('.png', '')
    }
    const left = async (hash: string) => [
      await stores.brands.find(tenant.id),
      await stores.brands.findLogo(tenant.id, hash),
    ]
    const first = await fill()
    assert.equal((await tenant.manage('DELETE', '/api/resources/social-login')).status, 200)
    assert.deepEqual(await left(first), [null, null])
    await tenant.provision(['https://app.example.com/cb'])
    const second = await fill()
    const ending = await stores.tenants.find(tenant.id)
    assert.ok(ending)
    await endTenant(app.ctx, ending, 'deleted')
    assert.deepEqual(await left(second), [null, null])
  })
}

// proves C335
test('a refused brand changes nothing, and each problem is named with its field', async (t) => {
  const { tenant, verify, upload } = await scene(t, {
    env: { OPERATOR_NAME: 'Example Inc.' },
  })
  await verify('example.com')
  await tenant.manage('PUT', PATH, { name: 'Notes' })
  const before = await brandOf(tenant)
  for (const [body, ...paths] of [
    [{ name: 'PayPal' }, 'name'],
    [{ name: 'Example Inc' }, 'name'],
    [{ name: 'Nоtes' }, 'name'],
    [{ name: 'x'.repeat(41) }, 'name'],
    [{ name: 'Notes', accent: 'neon' }, 'accent'],
    [{ name: 'Notes', privacy_url: 'https://evil.example/' }, 'privacy_url'],
    [{ name: 'Notes', terms_url: 'javascript:alert(1)' }, 'terms_url'],
    [
      { name: 'Official', privacy_url: 'http://example.com/', terms_url: 'x' },
      'name',
      'privacy_url',
      'terms_url',
    ],
    [{ name: 'Notes', css: 'body {}' }, 'css'],
  ] as const) {
    const details = assertApiError(await tenant.manage('PUT', PATH, body), 'invalidRequest')
    const problems = (details as { problems: { path: string }[] }).problems.map(({ path }) => path)
    assert.deepEqual(problems, paths, JSON.stringify(body))
  }
  for (const file of [Buffer.from('<svg/>'), squarePng(63), squarePng(64).subarray(0, 60)]) {
    assertApiError(await upload(file), 'invalidRequest')
  }
  assert.deepEqual(await brandOf(tenant), before)
})

// proves C337
test('a well-known name is set and shown on the domain of that brand only', async (t) => {
  const { tenant, verify, app } = await scene(t)
  await tenant.provision(['https://www.paypal.com/cb', 'https://app.example.com/cb'])
  await verify('example.com')
  assertApiError(await tenant.manage('PUT', PATH, { name: 'PayPal' }), 'invalidRequest')
  const host = 'customer.paypal.com'
  await tenant.manage('POST', '/api/domains', { host })
  await app.ctx.stores.domains.verify(
    { tenantId: tenant.id, host },
    { method: 'file', at: 1, nextCheckAt: 2 ** 50 },
  )
  assertApiError(await tenant.manage('PUT', PATH, { name: 'PayPal' }), 'invalidRequest')
  await verify('paypal.com')
  const { json } = await tenant.manage('PUT', PATH, { name: 'PayPal' })
  assert.deepEqual(json.brand.shown_on, ['www.paypal.com'])
  await app.ctx.stores.domains.remove({ tenantId: tenant.id, host: 'paypal.com' })
  assert.deepEqual((await brandOf(tenant)).shown_on, [])
})

// proves C338, S071
test('a logo is served by its hash with immutable caching, as a picture and nothing else', async (t) => {
  const { tenant, upload, agent } = await scene(t)
  await tenant.manage('PUT', PATH, { name: 'Notes' })
  const kept = [pngHeader(64), pngChunk('IDAT', pngPixels(64)), pngChunk('IEND')] as const
  const [header, pixels, end] = kept
  const comment = pngChunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'))
  const { url } = (await upload(pngOf(header, comment, pixels, end))).json.brand.logo
  const path = new URL(url).pathname
  const served = await agent.call('GET', path)
  assert.equal(served.status, 200)
  for (const [name, value] of [
    ['content-type', 'image/png'],
    ['x-content-type-options', 'nosniff'],
    ['content-security-policy', "default-src 'none'; sandbox"],
    ['cache-control', 'public, max-age=31536000, immutable'],
    ['cross-origin-resource-policy', 'same-origin'],
  ] as const) {
    assert.equal(served.headers.get(name), value)
  }
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
  assert.ok(bytes.equals(pngOf(...kept)), 'without the comment')

  await upload(squarePng(64, [255, 0, 0]))
  for (const gone of [
    path,
    path.replace('.png', '.svg'),
    path.replace('.png', ''),
    `/logo/${tenant.id}/x.png`,
    '/logo/a/b.png',
  ]) {
    assert.equal((await agent.call('GET', gone)).status, 404, gone)
  }
})

test('every brand endpoint needs the management key of an owned, provisioned tenant, and a valid request', async (t) => {
  const { tenant, agent, upload } = await scene(t)
  const guest = await agent.createTenant()
  for (const { method, path, example, body, fileBody } of BRAND_ENDPOINTS as readonly Endpoint[]) {
    const sent = fileBody === undefined ? example.body : squarePng(64)
    const type: Record<string, string> = fileBody === undefined ? {} : PNG
    const call = (key?: string, at = path, payload = sent, headers = type) =>
      agent.call(method, at, {
        headers,
        ...(key === undefined ? {} : { key }),
        ...(payload === undefined ? {} : { body: payload }),
      })
    assertApiError(await call(), 'missingCredentials')
    assertApiError(await call(`${tenant.key.slice(0, -1)}~`), 'invalidCredentials')
    assertApiError(await call(tenant.applicationKey), 'wrongKeyKind')
    assertApiError(await call(guest.key), 'ownerRequired')
    assertApiError(await call(tenant.key, `${path}?unknown=1`), 'invalidRequest')
    if (body === undefined) {
      continue
    }
    assertApiError(
      await call(tenant.key, path, sent, { 'Content-Type': 'text/plain' }),
      'unsupportedMediaType',
    )
    assertApiError(await call(tenant.key, path, { name: 'x'.repeat(70_000) }), 'bodyTooLarge')
  }
  await tenant.manage('PUT', PATH, { name: 'Notes' })
  assertApiError(
    await upload(squarePng(64), { 'Content-Type': 'image/svg+xml' }),
    'unsupportedMediaType',
  )
  assertApiError(
    await upload(squarePng(64), { 'Content-Type': 'application/json' }),
    'unsupportedMediaType',
  )
  assertApiError(
    await upload(squarePng(64), { ...PNG, 'Content-Encoding': 'gzip' }),
    'unsupportedMediaType',
  )
  assertApiError(await upload(new Uint8Array(65_537)), 'bodyTooLarge')
  await guest.manage('POST', '/api/test-status', { status: 'paused' })
  await tenant.manage('DELETE', '/api/resources/social-login')
  for (const { method, path, example } of BRAND_ENDPOINTS as readonly Endpoint[]) {
    assertApiError(await guest.manage(method, path, example.body), 'tenantPaused')
    assertApiError(await tenant.manage(method, path, example.body), 'notProvisioned')
  }
})
