import assert from 'node:assert/strict'
import { Agent } from 'node:https'
import { type Duplex, PassThrough } from 'node:stream'
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
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  const documents = clientDocuments({ now: clock.now, warn, https: network })
  return { documents, clock, warnings, ...rest }
}

const notFound = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('queryA ENOTFOUND client.example'), { code: 'ENOTFOUND' }))

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
  ['not found', (_req, res) => void res.writeHead(404).end(), /status 404/],
  ['a failure', (_req, res) => void res.writeHead(500).end(), /status 500/],
  [
    'a redirect',
    (_req, res) => void res.writeHead(302, { Location: 'https://client.example/other' }).end(),
    /status 302/,
  ],
  ['too much', json({ ...DOCUMENT, filler: 'x'.repeat(11_000) }), /larger than 10 KiB/],
  ['nothing', (req) => void req.socket.destroy(), /connection to its site failed/],
]

test('an invalid client metadata document is rejected and refetched after one minute; the error and the log say why', async (t) => {
  // A busy machine may need longer than the three seconds.
  manualTimeouts(t, 3_000)
  for (const [what, serve, problem] of WRONG) {
    const { documents, requests, clock, warnings } = await site(t, serve)
    const document = await documents.read(ID, ADDRESS)
    assert.ok(!document.ok, what)
    assert.match(document.problem, problem, what)
    assert.match(document.problem, /^[A-Z][\x20\x21\x23-\x5b\x5d-\x7e]+\.$/)
    assert.equal(warnings.length, 1, what)
    assert.match(warnings[0] ?? '', problem, what)
    clock.advance({ seconds: 59 })
    await documents.read(ID, ADDRESS)
    assert.equal(requests.length, 1, what)
    assert.equal(warnings.length, 1, what)
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
  const document = await documents.read(ID, ADDRESS)
  assert.match(document.ok ? '' : document.problem, /no complete response within three seconds/)
  assert.deepEqual([requests.length, deadlines.count()], [1, 1])
})

/** [the code of the connection's error, the problem] */
const CONNECTIONS: readonly [string, RegExp][] = [
  ['ECONNREFUSED', /its site refused the connection/],
  ['CERT_HAS_EXPIRED', /its site has no valid certificate/],
  ['EHOSTUNREACH', /the connection to its site failed/],
]

test('a refused connection, a bad certificate and another failed connection are three errors of a client metadata document', async () => {
  for (const [code, problem] of CONNECTIONS) {
    const agent = new FailingAgent(Object.assign(new Error(code), { code }))
    const documents = clientDocuments({ now: Date.now, warn: () => {}, https: { agent } })
    const document = await documents.read(ID, ADDRESS)
    assert.match(document.ok ? '' : document.problem, problem)
  }
})

/** Connects to nothing. */
class FailingAgent extends Agent {
  readonly #error: Error

  constructor(error: Error) {
    super()
    this.#error = error
  }

  override createConnection(_options: object, done?: (error: Error, stream: Duplex) => void) {
    done?.(this.#error, new PassThrough())
    return undefined
  }
}

/** [how the site fails, the problem] */
const OUTAGES: readonly [Serve | 'no address', RegExp][] = [
  ['no address', /does not resolve to a public address/],
  [(req) => void req.socket.destroy(), /connection to its site failed/],
  [(_req, res) => void res.writeHead(500).end(), /status 500/],
  [(_req, res) => void res.writeHead(429).end(), /status 429/],
]

test('a client metadata document that was valid stays valid for a day after it expired while its site does not answer, and no longer', async (t) => {
  manualTimeouts(t, 3_000)
  for (const [outage, problem] of OUTAGES) {
    let isDown = false
    const { documents, clock, warnings, requests } = await site(
      t,
      (req, res) => (isDown && outage !== 'no address' ? outage : json(DOCUMENT))(req, res),
      async () => (isDown && outage === 'no address' ? notFound() : PUBLIC_ADDRESS),
    )
    await documents.read(ID, ADDRESS)
    clock.advance({ minutes: 5 })
    isDown = true
    const [stale, concurrent] = await Promise.all([
      documents.read(ID, ADDRESS),
      documents.read(ID, ADDRESS),
    ])
    assert.equal(stale.ok && stale.client.name, 'Example')
    assert.equal(concurrent, stale)
    assert.match(warnings.join(), problem)
    assert.match(warnings.join(), /the description that was read before stays in use/)

    clock.advance({ hours: 24, seconds: -1 })
    assert.equal((await documents.read(ID, ADDRESS)).ok, true)
    clock.advance({ minutes: 1 })
    const over = await documents.read(ID, ADDRESS)
    assert.match(over.ok ? '' : over.problem, problem)

    isDown = false
    clock.advance({ minutes: 1 })
    requests.length = 0
    assert.equal((await documents.read(ID, ADDRESS)).ok, true)
    assert.deepEqual(requests, ['GET /oauth/metadata.json'])
  }
})

test('a client metadata document that its site removed or made invalid is rejected, although it was valid before', async (t) => {
  const removed: Serve = (_req, res) => void res.writeHead(404).end()
  for (const changed of [removed, json({ ...DOCUMENT, redirect_uris: [] })]) {
    let serve = json(DOCUMENT)
    const { documents, clock } = await site(t, (req, res) => serve(req, res))
    await documents.read(ID, ADDRESS)
    clock.advance({ minutes: 5 })
    serve = changed
    assert.equal((await documents.read(ID, ADDRESS)).ok, false)

    // An outage later does not bring it back.
    clock.advance({ minutes: 1 })
    serve = (req) => void req.socket.destroy()
    assert.equal((await documents.read(ID, ADDRESS)).ok, false)
  }
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
      assert.equal(document.ok ? '' : document.problem, NO_ADDRESS, address)
      assert.equal(connections(), 0, address)
    }
  }
  // The message is that of a name without any address: it does not reveal which names a private network has.
  for (const resolve of [async () => [], notFound]) {
    const nowhere = await site(t, json(DOCUMENT), resolve)
    const document = await nowhere.documents.read(ID, ADDRESS)
    assert.equal(document.ok ? '' : document.problem, NO_ADDRESS)
  }
})

const NO_ADDRESS =
  'The description of this client could not be read: the host name in its client_id does not resolve to a public address. Try again in a minute. If it stays like this, the operator of this service can let it reach the site, or set CLIENT_METADATA_DOCUMENTS=off, so that clients register instead.'

test('localhost and literal IP addresses are rejected before any connection (SSRF)', async (t) => {
  const { connections, port } = await site(t, json(DOCUMENT))
  const documents = clientDocuments({ now: Date.now, warn: () => {} })
  const disguised = clientDocuments({
    now: Date.now,
    warn: () => {},
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

// proves S010
test('one client address can cause ten fetches of client metadata documents a minute, and all together 120', async () => {
  const clock = new Clock()
  let fetches = 0
  const resolve = async (): Promise<never> => {
    fetches += 1
    return notFound()
  }
  const documents = clientDocuments({ now: clock.now, warn: () => {}, https: { resolve } })
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

const PUBLIC = {
  BASE_URL: 'https://login.example.com',
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
}

test('the page and the log say why the description of a client could not be read', async (t) => {
  const here = await world(t, { env: PUBLIC, network: { resolve: notFound } })
  const client = new OAuthClient(here, ID, 'http://localhost:51234/callback')
  const user = here.browser()
  await user.open(client.authorizeUrl())
  assert.equal(user.page.status, 400)
  assert.ok(user.page.text.includes('This application’s description can’t be used'))
  assert.ok(user.page.text.includes(NO_ADDRESS))

  const lines = here.logLines.filter((line) => line.includes('client metadata document'))
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /ENOTFOUND client\.example.*does not resolve to a public address/)
})

test('with CLIENT_METADATA_DOCUMENTS=off the URL of a document is no client_id, and none is announced or fetched', async (t) => {
  const { network, requests } = await publicSite(t, json(DOCUMENT))
  const env = { ...PUBLIC, CLIENT_METADATA_DOCUMENTS: 'off' }
  const here = await world(t, { env, network })
  const metadata = await here.agent.call('GET', '/.well-known/oauth-authorization-server')
  assert.equal(metadata.json.client_id_metadata_document_supported, false)
  await assert.rejects(findClient(here.app.ctx, ID, ADDRESS), { error: 'invalid_client' })
  assert.deepEqual(requests, [])
})
