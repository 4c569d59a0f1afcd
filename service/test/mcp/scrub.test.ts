import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECRET_PREFIXES, TOOLS } from '@gatehouse-auth/contract'
import { scrub, scrubText } from '../../src/http/mcp/scrub.ts'
import { accountOf, tokenFor } from '../support/actors/grants.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const SECRETS = [
  ...Object.values(SECRET_PREFIXES).map((prefix) => `${prefix}${'a'.repeat(42)}`),
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl',
  `ya29.${'a'.repeat(40)}`,
  `GOCSPX-${'a'.repeat(28)}`,
  `Bearer ${'a'.repeat(43)}`,
  '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----',
]

test('scrub removes values that look like a secret from every string', () => {
  for (const secret of SECRETS) {
    const text = scrubText(`before ${secret} after`)
    assert.ok(
      !text.includes(secret) && text.startsWith('before ') && text.includes('[removed]'),
      text,
    )
    const scrubbed = JSON.stringify(scrub({ a: [{ b: `x${secret}` }], c: { d: secret } }))
    assert.ok(!scrubbed.includes(secret.slice(-20)), scrubbed)
  }
  for (const fine of [
    'svc_man_…',
    'begins with svc_man_',
    'mcp:tenants:create',
    'Authorization: Bearer <key>',
    'swift-fox-running-k3qd7',
  ]) {
    assert.equal(scrubText(fine), fine)
  }
})

test('scrub omits fields with a secret’s name, except the exempt path', () => {
  const value = {
    tenant_id: 'one-two',
    coh_management_key: 'x',
    clientSecret: 'x',
    wait: { token: 'x' },
    nested: [
      {
        password: 'x',
        Authorization: 'x',
        cookie: 'x',
        refresh_hash: 'x',
        salt: 'x',
        name: 'kept',
      },
    ],
    credentials_file: { filename: '.service', content: SECRETS[0] },
    other: { content: SECRETS[0] },
  }
  assert.deepEqual(scrub(value, ['credentials_file.content']), {
    tenant_id: 'one-two',
    nested: [{ name: 'kept' }],
    credentials_file: { filename: '.service', content: SECRETS[0] },
    other: { content: '[removed]' },
  })
  assert.ok(!JSON.stringify(scrub(value)).includes(String(SECRETS[0])))
})

test('scrub terminates for circular, deep and large values', () => {
  const circle: Record<string, unknown> = { name: 'round' }
  circle.again = circle
  circle.list = [circle, { circle }]
  assert.deepEqual(scrub(circle), { name: 'round', list: [{}] })
  const shared = { x: 1 }
  assert.deepEqual(
    scrub({ a: shared, b: shared }),
    { a: { x: 1 }, b: { x: 1 } },
    'a repeated reference is not circular',
  )

  let deep: unknown = 'bottom'
  for (let level = 0; level < 100; level++) {
    deep = { deeper: deep }
  }
  assert.ok(!JSON.stringify(scrub(deep)).includes('bottom'))
  let shallow: unknown = 'bottom'
  for (let level = 0; level < 16; level++) {
    shallow = [shallow]
  }
  assert.ok(JSON.stringify(scrub(shallow)).includes('bottom'))

  const wide = scrub(Array.from({ length: 100_000 }, (_, index) => index)) as unknown[]
  assert.equal(wide.length, 1_999)
  const odd = {
    f: () => 1,
    s: Symbol('x'),
    u: undefined,
    n: null,
    b: 10n,
    t: true,
    z: 0,
    d: new Map([['key', 'x']]),
  }
  assert.deepEqual(scrub(odd), { n: null, t: true, z: 0, d: {} })
  assert.deepEqual(scrub(JSON.parse('{"a":{"toString":1,"valueOf":2}}')), {
    a: { toString: 1, valueOf: 2 },
  })
})

test('a tool response contains nothing that looks like a secret, not even one that the caller sent', async (t) => {
  const here = await world(t)
  const wire = new RawMcpClient(here.agent)
  const tenant = await here.agent.createTenant()
  const named = { tenant_id: tenant.id, coh_management_key: tenant.key }
  for (const secret of SECRETS.filter((each) => /^[\w.-]+$/.test(each))) {
    const callback = `https://app.example.com/${secret}`
    const configuration = { callback_urls: [callback] }
    const { text } = await wire.request('tools/call', {
      name: 'provision_resource',
      arguments: { ...named, confirmed: true, resource: 'social-login', configuration },
    })
    assert.ok(text.includes('https://app.example.com/[removed]'), text)
    assert.ok(!text.includes(secret.slice(-20)), text)
    const { json } = await tenant.manage('GET', '/api/resources')
    assert.deepEqual(json.resources[0].callback_urls, [callback], 'the stored value is unchanged')
  }
})

// proves C099
test('no tool result contains a key, a token, a path or SQL, whatever the arguments', {
  skip: slow,
}, async (t) => {
  const here = await world(t)
  const wire = new RawMcpClient(here.agent)
  const tenant = await here.agent.createTenant(['https://app.example.com/cb'])
  await tenant.signIn(here.browser())
  const account = await accountOf(here)
  const token = await tokenFor(here, account)
  const offer = (await tenant.manage('POST', '/api/claim/url')).json
  const keys = Object.values(here.app.ctx.keyring.current).map((part) =>
    part instanceof Uint8Array ? Buffer.from(part).toString('base64') : '',
  )
  const canaries = [
    tenant.key,
    tenant.applicationKey,
    token,
    offer.wait.token,
    here.config.dataDir,
    ...keys.filter((key) => key !== ''),
    'select ',
    'node_modules',
    'at async',
  ]
  const values = [
    '',
    'x',
    tenant.id,
    tenant.key,
    token,
    offer.wait.token,
    null,
    1,
    true,
    [],
    {},
    ['social-login'],
    { callback_url: tenant.key },
  ]
  const fields = [
    'tenant_id',
    'coh_management_key',
    'confirmed',
    'resource',
    'configuration',
    'feedback',
    'idempotency_key',
  ]
  for (const { name, scope } of TOOLS) {
    for (const [index, value] of values.entries()) {
      const args: Record<string, unknown> = {
        tenant_id: tenant.id,
        coh_management_key: tenant.key,
        confirmed: true,
      }
      args[fields[index % fields.length] ?? ''] = value
      for (const options of [{}, { token }]) {
        const response = await wire.request('tools/call', { name, arguments: args }, options)
        assert.ok(response.status === 200, response.text)
        const pendingEvents =
          scope === 'mcp:tenants:create'
            ? response.text.replace(/"credentials_file":.*?\\n"\}/g, '')
            : response.text
        for (const canary of canaries) {
          assert.ok(
            !pendingEvents.includes(canary),
            `${name}: ${canary} in ${pendingEvents.slice(0, 300)}`,
          )
        }
      }
    }
  }
})
