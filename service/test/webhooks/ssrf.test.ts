import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { Agent } from 'node:https'
import { connect, type LookupFunction } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { SendResult } from '../../src/domain/webhooks/delivery.ts'
import type { Resolve } from '../../src/identity/public-https.ts'
import { webhookSender } from '../../src/identity/webhook-sender.ts'
import { stopTime } from '../support/clock.ts'
import { manualTimeouts } from '../support/faults/manual-timeouts.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { listen } from '../support/transport/listen.ts'
import { PUBLIC_ADDRESS, publicSite, type Serve } from '../support/transport/public-site.ts'

const URL = 'https://client.example/hook'
const NEVER = new AbortController().signal

async function site(t: TestContext, serve: Serve, resolve?: Resolve, keptMax?: number) {
  const found = await publicSite(t, serve, resolve, keptMax)
  const send = webhookSender({ now: Date.now, loopback: false, network: found.network })
  return { ...found, send: (url = URL) => send(delivery(url), NEVER) }
}

const delivery = (url: string) => ({
  url,
  id: 'msg_1',
  timestamp: 1,
  body: '{}',
  signature: 'v1,x',
})

const withoutTime = ({ ms, ...rest }: SendResult) => {
  assert.ok(ms >= 0)
  return rest
}

const UNREACHABLE = { status: null, error: 'unreachable', retryAfterMs: null }

// proves C308, S011, S056
test('a webhook to a name with any private address is not sent, and looks like an unknown name (SSRF)', async (t) => {
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    'fd00::1',
    '::ffff:169.254.169.254',
  ]) {
    const family = address.includes(':') ? 6 : 4
    for (const addresses of [[{ address, family }], [...PUBLIC_ADDRESS, { address, family }]]) {
      const { send, connections } = await site(
        t,
        (_req, res) => res.end(),
        async () => addresses,
      )
      assert.deepEqual(withoutTime(await send()), UNREACHABLE)
      assert.equal(connections(), 0)
    }
  }
  const unknown = await site(
    t,
    (_req, res) => res.end(),
    async () => Promise.reject(new Error('ENOTFOUND')),
  )
  assert.deepEqual(withoutTime(await unknown.send()), UNREACHABLE)
})

// proves S011
test('a webhook to a closed port looks like an unknown name', async () => {
  // No program listens on port 1.
  const agent = Object.assign(new Agent(), { createConnection: () => connect(1, '127.0.0.1') })
  const send = webhookSender({
    now: Date.now,
    network: { resolve: async () => PUBLIC_ADDRESS, agent },
  })
  assert.deepEqual(withoutTime(await send(delivery(URL), NEVER)), UNREACHABLE)
})

// proves S056
test('a webhook URL that names an address, or plain http, is not sent, whatever the database says', async (t) => {
  const { send, connections, port } = await site(t, (_req, res) => res.end())
  for (const url of [
    `https://127.0.0.1:${port}/`,
    `https://[::1]:${port}/`,
    `http://localhost:${port}/`,
    'http://client.example/',
  ]) {
    assert.deepEqual(withoutTime(await send(url)), UNREACHABLE)
  }
  assert.equal(connections(), 0)
})

test('a name without an address is unreachable, and a connection gets only addresses that were checked', async () => {
  const lookups: LookupFunction[] = []
  const createConnection = ({ lookup }: { lookup: LookupFunction }) => {
    lookups.push(lookup)
    return connect(1, '127.0.0.1')
  }
  const agent = Object.assign(new Agent(), { createConnection })
  let addresses = [...PUBLIC_ADDRESS, { address: '2606:2800::1', family: 6 }]
  const send = webhookSender({
    now: Date.now,
    network: { resolve: async () => addresses, agent: agent as Agent },
  })
  await send(delivery(URL), NEVER)
  const [lookup = assert.fail('it connects')] = lookups
  const foundWith = (all: boolean) =>
    new Promise<unknown[]>((resolve) =>
      lookup('client.example', { all }, (...found) => resolve(found)),
    )
  assert.deepEqual(await foundWith(true), [null, addresses])
  assert.deepEqual(await foundWith(false), [null, PUBLIC_ADDRESS[0]?.address, 4])
  addresses = []
  assert.ok((await foundWith(true))[0] instanceof Error)
})

test('a delivery that the process gives up has no result', async (t) => {
  const { network, requests } = await site(t, () => {})
  const stop = new AbortController()
  const sending = webhookSender({ now: Date.now, network })(delivery(URL), stop.signal)
  await waitUntil('it was sent', () => requests.length === 1)
  stop.abort()
  await assert.rejects(sending)
})

test('of the response to a webhook 16 KiB are read, for a second', async (t) => {
  const pass = stopTime(t)
  const open = { large: true, small: true }
  const { send } = await site(t, (req, res) => {
    const kind = req.url === '/large' ? 'large' : 'small'
    req.socket.on('close', () => {
      open[kind] = false
    })
    res.writeHead(200).write(Buffer.alloc(16 * 1_024 + (kind === 'large' ? 1 : 0)))
  })
  const url = (path: string): string => URL.replace('/hook', path)
  assert.deepEqual(
    [(await send(url('/small'))).status, (await send(url('/large'))).status],
    [200, 200],
  )
  await waitUntil('the large one is cut off', () => !open.large)
  assert.equal(open.small, true)
  pass(1_000)
  await waitUntil('the other one is cut off after a second', () => !open.small)
})

test('on a local service plain http reaches loopback only', async (t) => {
  let requests = 0
  const { port } = await listen(t, (_req, res) => {
    requests += 1
    res.end()
  })
  const send = webhookSender({ now: Date.now, loopback: true })
  assert.equal((await send(delivery(`http://localhost:${port}/`), NEVER)).status, 200)
  // Systems connect 0.0.0.0 to themselves, as they would another name of this machine.
  for (const url of [`http://0.0.0.0:${port}/`, 'http://client.example/']) {
    assert.deepEqual(withoutTime(await send(delivery(url), NEVER)), UNREACHABLE)
  }
  assert.deepEqual(
    withoutTime(await send(delivery(`https://localhost:${port}/`), NEVER)),
    UNREACHABLE,
  )
  assert.equal(requests, 1)
})

// proves S011, S057
test('the name of a webhook is resolved once for each connection, which uses the checked address (DNS rebinding)', async (t) => {
  let lookups = 0
  const { send, requests } = await site(
    t,
    (_req, res) => res.end(),
    async () => {
      lookups += 1
      return lookups === 1 ? PUBLIC_ADDRESS : [{ address: '127.0.0.1', family: 4 }]
    },
  )
  assert.equal((await send()).status, 200)
  assert.equal(lookups, 1)
  assert.deepEqual(withoutTime(await send()), UNREACHABLE)
  assert.deepEqual(requests, ['POST /hook'])
})

// proves C308, S011, S058
test('a redirect of a webhook is not followed, and is no success', async (t) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const { send, requests } = await site(t, (_req, res) =>
      res.writeHead(status, { Location: 'https://169.254.169.254/latest/meta-data' }).end(),
    )
    assert.deepEqual(withoutTime(await send()), { status, error: null, retryAfterMs: null })
    assert.deepEqual(requests, ['POST /hook'])
  }
})

// proves C308, S060
test('an endless response to a webhook is cut off, and its status counts', async (t) => {
  let written = 0
  let closed = false
  const { send } = await site(t, (req, res) => {
    req.socket.on('close', () => {
      closed = true
    })
    res.writeHead(200)
    const more = (): void => {
      while (!res.destroyed && res.write(Buffer.alloc(16 * 1_024))) {
        written += 16 * 1_024
      }
      if (!res.destroyed) {
        res.once('drain', more)
      }
    }
    more()
  })
  assert.equal((await send()).status, 200)
  await waitUntil('the connection is closed', () => closed)
  assert.ok(written < 64 * 1_024 * 1_024)
})

// proves S011
test('a webhook without a response within 15 seconds has failed', async (t) => {
  const timeouts = manualTimeouts(t, 15_000)
  const { send, requests } = await site(t, () => {})
  const sending = send()
  await waitUntil('it was sent', () => requests.length === 1)
  timeouts.expire()
  assert.deepEqual(withoutTime(await sending), {
    status: null,
    error: 'timeout',
    retryAfterMs: null,
  })
})

test('a webhook to a host with a certificate of another name has failed', async (t) => {
  const { send, requests } = await site(t, (_req, res) => res.end())
  assert.deepEqual(withoutTime(await send('https://other.example/hook')), {
    status: null,
    error: 'tls',
    retryAfterMs: null,
  })
  assert.deepEqual(requests, [])
})

test('Retry-After of a webhook response is read as seconds or as a date', async (t) => {
  const at = new Date(Date.now() + 3_600_000).toUTCString()
  for (const [text, least, most] of [
    ['120', 120_000, 120_000],
    [at, 3_000_000, 3_600_000],
    ['soon', null, null],
  ] as const) {
    const { send } = await site(t, (_req, res) => res.writeHead(503, { 'Retry-After': text }).end())
    const { retryAfterMs } = await send()
    if (least === null) {
      assert.equal(retryAfterMs, null)
    } else {
      assert.ok(retryAfterMs !== null && retryAfterMs >= least && retryAfterMs <= most, text)
    }
  }
})

test('deliveries to a host use one connection after another delivery, and its address was checked once', async (t) => {
  let lookups = 0
  const resolve: Resolve = async () => {
    lookups += 1
    return PUBLIC_ADDRESS
  }
  const { send, requests, connections } = await site(t, (_req, res) => res.end(), resolve, 1)
  for (let n = 0; n < 3; n++) {
    assert.equal((await send()).status, 200)
  }
  assert.deepEqual([requests.length, connections(), lookups], [3, 1, 1])
})

test('a delivery on a kept connection that the host closes is sent again on a new one; on a new one it has failed', async (t) => {
  const known = new Set<object>()
  const { send, requests, connections } = await site(
    t,
    ({ socket }, res) => {
      if (known.size === 2 || known.has(socket)) {
        socket.destroy()
      } else {
        res.end()
      }
      known.add(socket)
    },
    undefined,
    1,
  )
  assert.equal((await send()).status, 200)
  assert.equal((await send()).status, 200)
  assert.deepEqual([requests.length, connections()], [3, 2])
  assert.deepEqual(withoutTime(await send()), UNREACHABLE)
  assert.deepEqual([requests.length, connections()], [5, 3])
})

test('a delivery on a kept connection is not sent again after its status, also if the rest is malformed', async (t) => {
  const { send, requests } = await site(
    t,
    ({ socket }, res) => {
      if (requests.length === 2) {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n')
      } else {
        res.end()
      }
    },
    undefined,
    1,
  )
  for (let n = 0; n < 3; n++) {
    assert.equal((await send()).status, 200)
  }
  assert.equal(requests.length, 3)
})

test('of the connections of all deliveries only a bounded number is kept', async (t) => {
  let closed = 0
  const responses: ServerResponse[] = []
  const { send, connections } = await site(
    t,
    (req, res) => {
      req.socket.once('close', () => {
        closed += 1
      })
      responses.push(res)
    },
    undefined,
    1,
  )
  const sending = [send(), send()]
  await waitUntil('both were sent', () => responses.length === 2)
  for (const response of responses) {
    response.end()
  }
  await Promise.all(sending)
  await waitUntil('one of the two connections is closed', () => closed === 1)
  const third = send()
  await waitUntil('the third was sent', () => responses.length === 3)
  responses[2]?.end()
  assert.equal((await third).status, 200)
  assert.deepEqual([connections(), closed], [2, 1])
})
