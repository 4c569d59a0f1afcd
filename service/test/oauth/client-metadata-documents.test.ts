import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Unavailable } from '../../src/domain/api-error.ts'
import { clientDocuments } from '../../src/identity/client-metadata-documents.ts'
import type { Resolve } from '../../src/identity/public-https.ts'
import { findClient, requireClientId } from '../../src/operations/oauth/clients.ts'
import { startAuthorization } from '../../src/operations/oauth/start-authorization.ts'
import { OAuthClient } from '../support/actors/oauth-client.ts'
import { Clock } from '../support/clock.ts'
import { manualTimeouts } from '../support/faults/manual-timeouts.ts'
import { PUBLIC_ADDRESS, publicSite, type Serve } from '../support/transport/public-site.ts'
import { world } from '../support/world.ts'

const ADDRESS = '203.0.113.1'
const ID = 'https://client.example/oauth/metadata.json'
const DOCUMENT = {
  client_id: ID,
  client_name: 'Example',
  redirect_uris: ['http://localhost/callback'],
}

const json =
  (document: unknown, headers: Record<string, string> = {}): Serve =>
  (_req, res) =>
    void res
      .writeHead(200, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(document))

async function site(t: TestContext, serve: Serve, resolve?: Resolve) {
  const { network, ...rest } = await publicSite(t, serve, resolve)
  const clock = new Clock()
  return { documents: clientDocuments({ now: clock.now, https: network }), clock, ...rest }
}

test('a client can use the URL of its metadata document as client_id, and the document is cached', async (t) => {
  const { documents, requests, clock } = await site(
    t,
    json({
      ...DOCUMENT,
      token_endpoint_auth_method: 'none',
      logo_uri: 'http://10.0.0.1/',
      anything: [1],
    }),
  )
  const client = { id: ID, name: 'Example', redirectUris: ['http://localhost/callback'] }
  const all = await Promise.all(Array.from({ length: 5 }, () => documents.read(ID, ADDRESS)))
  for (const document of all) {
    assert.deepEqual(document, { ok: true, client })
  }
  clock.advance({ minutes: 4, seconds: 59 })
  await documents.read(ID, ADDRESS)
  assert.deepEqual(requests, ['GET /oauth/metadata.json'])
  clock.advance({ seconds: 1 })
  await documents.read(ID, ADDRESS)
  assert.equal(requests.length, 2)
})

test('a client metadata document is cached for its max-age, between five minutes and a day', async (t) => {
  for (const [cacheControl, minutes] of [
    ['max-age=0', 5],
    ['no-store', 5],
    ['public, max-age=3600', 60],
    ['max-age=99999999', 24 * 60],
  ] as const) {
    const { documents, requests, clock } = await site(
      t,
      json(DOCUMENT, { 'Cache-Control': cacheControl }),
    )
    await documents.read(ID, ADDRESS)
    clock.advance({ minutes, seconds: -1 })
    await documents.read(ID, ADDRESS)
    assert.equal(requests.length, 1, cacheControl)
    clock.advance({ seconds: 1 })
    await documents.read(ID, ADDRESS)
    assert.equal(requests.length, 2, cacheControl)
  }
})

/** [the response of the site, the problem] */
const WRONG: readonly [string, Serve, RegExp][] = [
  ['another id', json({ ...DOCUMENT, client_id: `${ID}/` }), /not its own address/],
  ['no id', json({ ...DOCUMENT, client_id: undefined }), /not its own address/],
  ['a secret', json({ ...DOCUMENT, client_secret: 'x' }), /public here/],
  ['a method', json({ ...DOCUMENT, token_endpoint_auth_method: 'private_key_jwt' }), /public here/],
  ['no redirect URI', json({ ...DOCUMENT, redirect_uris: [] }), /redirect_uris/],
  ['a bad redirect URI', json({ ...DOCUMENT, redirect_uris: ['javascript:x'] }), /redirect URI/],
  ['a list', json([DOCUMENT]), /not its own address/],
  ['null', json(null), /not JSON/],
  ['a number', json(7), /not JSON/],
  [
    'HTML',
    (_req, res) => void res.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
    /application\/json/,
  ],
  [
    'broken JSON',
    (_req, res) =>
      void res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"client_id"'),
    /not JSON/,
  ],
  ['not found', (_req, res) => void res.writeHead(404).end(), /could be read/],
  ['a failure', (_req, res) => void res.writeHead(500).end(), /could be read/],
  [
    'a redirect',
    (_req, res) => void res.writeHead(302, { Location: 'https://client.example/other' }).end(),
    /could be read/,
  ],
  ['too much', json({ ...DOCUMENT, filler: 'x'.repeat(11_000) }), /could be read/],
  ['nothing', (req) => void req.socket.destroy(), /could be read/],
]

test('an invalid client metadata document is rejected and refetched after one minute', async (t) => {
  // A busy machine may need longer than the three seconds.
  manualTimeouts(t, 3_000)
  for (const [what, serve, problem] of WRONG) {
    const { documents, requests, clock } = await site(t, serve)
    const document = await documents.read(ID, ADDRESS)
    assert.ok(!document.ok, what)
    assert.match(document.problem, problem, what)
    assert.match(document.problem, /^[A-Z][\x20\x21\x23-\x5b\x5d-\x7e]+\.$/)
    clock.advance({ seconds: 59 })
    await documents.read(ID, ADDRESS)
    assert.equal(requests.length, 1, what)
    clock.advance({ seconds: 1 })
    await documents.read(ID, ADDRESS)
    assert.equal(requests.length, 2, what)
  }
})

test('a client metadata document answered with 101 Switching Protocols is rejected and delays no request', async (t) => {
  const switching =
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: nothing\r\n\r\n'
  const { documents } = await site(t, (req) => void req.socket.write(switching))
  assert.equal((await documents.read(ID, ADDRESS)).ok, false)
})

test('a client metadata document that is incomplete after three seconds is rejected', async (t) => {
  const deadlines = manualTimeouts(t, 3_000)
  const { documents, requests } = await site(t, (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' })
    const drip = setInterval(() => res.write(' '), 100)
    res.on('close', () => clearInterval(drip))
    deadlines.expire()
  })
  assert.equal((await documents.read(ID, ADDRESS)).ok, false)
  assert.deepEqual([requests.length, deadlines.count()], [1, 1])
})

const PRIVATE = [
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fd00::1',
  'fe80::1',
]

test('a host name that resolves to a private address is never connected to, not even as one of several (SSRF)', async (t) => {
  for (const address of PRIVATE) {
    const family = address.includes(':') ? 6 : 4
    for (const addresses of [[{ address, family }], [...PUBLIC_ADDRESS, { address, family }]]) {
      const { documents, connections } = await site(t, json(DOCUMENT), async () => addresses)
      const document = await documents.read(ID, ADDRESS)
      assert.equal(document.ok, false, address)
      assert.match(
        document.ok ? '' : document.problem,
        /could be read/,
        'the message does not reveal the reason',
      )
      assert.equal(connections(), 0, address)
    }
  }
  const nowhere = await site(t, json(DOCUMENT), async () => [])
  assert.equal((await nowhere.documents.read(ID, ADDRESS)).ok, false)
  const unknown = await site(t, json(DOCUMENT), async () => Promise.reject(new Error('ENOTFOUND')))
  assert.equal((await unknown.documents.read(ID, ADDRESS)).ok, false)
})

test('localhost and literal IP addresses are rejected before any connection (SSRF)', async (t) => {
  const { connections, port } = await site(t, json(DOCUMENT))
  const documents = clientDocuments({ now: Date.now })
  const disguised = clientDocuments({
    now: Date.now,
    https: { resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
  })
  // These timeouts never expire: a request that waited for one would hang the test.
  manualTimeouts(t, 3_000)
  for (const host of [
    'localhost',
    '127.0.0.1',
    '[::1]',
    '[::ffff:7f00:1]',
    '169.254.169.254',
    '[fd00::1]',
  ]) {
    assert.equal(
      (await documents.read(`https://${host}:${port}/metadata.json`, ADDRESS)).ok,
      false,
      host,
    )
  }
  assert.equal(
    (await disguised.read(`https://client.example:${port}/metadata.json`, ADDRESS)).ok,
    false,
  )
  assert.equal(connections(), 0)
})

test('a host name is resolved once, and the connection uses the checked address (DNS rebinding)', async (t) => {
  let lookups = 0
  const { documents } = await site(t, json(DOCUMENT), async () => {
    lookups += 1
    return lookups === 1 ? PUBLIC_ADDRESS : [{ address: '127.0.0.1', family: 4 }]
  })
  assert.equal((await documents.read(ID, ADDRESS)).ok, true)
  assert.equal(lookups, 1)
})

test('one client address can cause ten fetches of client metadata documents a minute, and all together 120', async () => {
  const clock = new Clock()
  let fetches = 0
  const resolve = async (): Promise<never> => {
    fetches += 1
    throw new Error('ENOTFOUND')
  }
  const documents = clientDocuments({ now: clock.now, https: { resolve } })
  const read = (index: number, address: number) =>
    documents.read(`https://client.example/${index}`, `203.0.113.${address}`)
  clock.advance({ seconds: 59 })
  for (let index = 0; index < 10; index++) {
    await read(index, 1)
  }
  await assert.rejects(read(10, 1), { code: 'rateLimited', retryAfterSeconds: 1 })
  assert.equal(fetches, 10)
  // A cached document costs nothing, and other addresses have their own share.
  await read(0, 1)
  await read(9, 1)
  await read(10, 2)
  for (let index = 11; index < 120; index++) {
    await read(index, index)
  }
  await assert.rejects(read(120, 120), Unavailable)
  assert.equal(fetches, 120)
  clock.advance({ seconds: 1 })
  for (let index = 120; index < 130; index++) {
    await read(index, 1)
  }
  await assert.rejects(read(130, 1), { code: 'rateLimited', retryAfterSeconds: 60 })
})

test('a client with a metadata document completes the flow on a public base URL and is unknown on loopback', async (t) => {
  const here = await world(t)
  const { ctx } = here.app
  const { documents } = await site(t, json(DOCUMENT))
  const client = new OAuthClient(here, ID, 'http://localhost:51234/callback')
  const request = Object.fromEntries(new URL(client.authorizeUrl()).searchParams)
  const authorize = (changes: object = {}) =>
    startAuthorization(
      { ...ctx, clientDocuments: documents },
      {
        request: { ...request, ...changes },
        browser: null,
        addressKey: '203.0.113.1',
      },
    )
  await assert.rejects(startAuthorization(ctx, { request, browser: null, addressKey: 'x' }), {
    error: 'invalid_client',
  })
  await assert.rejects(authorize({ redirect_uri: 'http://localhost:1/other' }), {
    error: 'invalid_request',
  })
  const started = await authorize()
  assert.ok(started.next === 'consent')

  const user = here.browser()
  const consent = new URL(`/oauth/consent/${started.approvalId}`, here.baseUrl)
  user.cookies.keep(consent, [`gatehouse_browser=${started.browser}; Path=/`])
  await user.open(consent)
  for (const fact of [
    'Example',
    'Published by',
    'client.example',
    'localhost:51234',
    'can ask under any name',
  ]) {
    assert.ok(user.page.text.includes(fact), fact)
  }
  client.codeIn(await user.press('Continue as guest'))
})

test('a client id that is neither registered nor the URL of a document is unknown and never fetched; a token request fetches none', async (t) => {
  const { ctx } = (await world(t)).app
  const { documents, requests } = await site(t, json(DOCUMENT))
  const withDocuments = { ...ctx, clientDocuments: documents }
  const unknown = { error: 'invalid_client', message: /^We know no client with this client_id/ }
  for (const id of [
    'https://client.example/',
    'http://client.example/oauth/metadata.json',
    'mcp_cl_1_x',
  ]) {
    await assert.rejects(findClient(withDocuments, id, ADDRESS), unknown, id)
    assert.throws(() => requireClientId(withDocuments, id), unknown, id)
  }
  assert.throws(() => requireClientId(ctx, ID), unknown, 'on loopback there are no documents')
  assert.equal(requireClientId(withDocuments, ID), ID)
  assert.deepEqual(requests, [])
})
