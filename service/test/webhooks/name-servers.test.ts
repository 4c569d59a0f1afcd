import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { type TestContext, test } from 'node:test'
import { setImmediate as eventLoopTurn } from 'node:timers/promises'
import { domainProbe } from '../../src/identity/domain-probe.ts'
import { dnsResolver } from '../../src/identity/public-https.ts'
import { webhookSender } from '../../src/identity/webhook-sender.ts'
import { stopTime } from '../support/clock.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { publicSite } from '../support/transport/public-site.ts'

const SITE = 'client.example'
const [A, TXT, AAAA] = [1, 16, 28]
const PUBLIC_IPV4 = Buffer.from([93, 184, 215, 14])
const PUBLIC_IPV6 = Buffer.from('26062800021f00000000000000000007', 'hex')
const PRIVATE_IPV6 = Buffer.from('fd000000000000000000000000000001', 'hex')
const NO_SUCH_NAME = 3

/** The value of the record, an error code or `undefined` for no response. Null: the name has no record of the type. */
type Respond = (name: string, type: number) => Buffer | number | null | undefined

/** A name server (RFC 1035, section 4) whose responses have at most one record. */
async function nameServer(t: TestContext, respond: Respond) {
  const questions: { readonly name: string; readonly type: number; readonly port: number }[] = []
  const unanswered: (() => void)[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const [name, type] = [labels.join('.'), query.readUInt16BE(at + 1)]
    const send = (found: Buffer | number | null): void => {
      const record = Buffer.isBuffer(found)
        ? Buffer.concat([
            Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, found.length]),
            found,
          ])
        : Buffer.alloc(0)
      const code = typeof found === 'number' ? found : 0
      const head = Buffer.from([0x81, 0x80 | code, 0, 1, 0, record.length > 0 ? 1 : 0, 0, 0, 0, 0])
      socket.send(
        Buffer.concat([query.subarray(0, 2), head, query.subarray(12, at + 5), record]),
        port,
        address,
      )
    }
    questions.push({ name, type, port })
    const found = respond(name, type)
    if (found === undefined) {
      unanswered.push(() => send(NO_SUCH_NAME))
    } else {
      send(found)
    }
  })
  await new Promise<void>((ready) => socket.bind(0, '127.0.0.1', ready))
  t.after(() => void socket.close())
  return { servers: [`127.0.0.1:${socket.address().port}`], questions, unanswered }
}

/** Sends webhooks whose host names are resolved by this name server. */
async function site(t: TestContext, respond: Respond) {
  const dns = await nameServer(t, respond)
  const { network, connections } = await publicSite(t, (_req, res) => void res.end())
  const send = webhookSender({
    now: Date.now,
    network: { agent: network.agent, servers: dns.servers },
  })
  const sendTo = async (host: string) => {
    const delivery = {
      url: `https://${host}/hook`,
      id: 'msg_1',
      timestamp: 1,
      body: '{}',
      signature: 'v1,x',
    }
    const { status, error } = await send(delivery, new AbortController().signal)
    return status ?? error
  }
  return { ...dns, sendTo, connections }
}

// proves S012, S061
test('names whose name servers never respond delay no lookup of another one: they occupy no thread', async (t) => {
  let responds = false
  const { sendTo, questions, unanswered } = await site(t, (name, type) => {
    if (name.endsWith('.hang.example')) {
      return responds ? NO_SUCH_NAME : undefined
    }
    return type === A ? PUBLIC_IPV4 : null
  })
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4)
  const hosts = Array.from({ length: threads * 5 }, (_, n) => `n${n}.hang.example`)
  const hanging = hosts.map(sendTo)
  await waitUntil(
    'all are asked for',
    () => new Set(questions.map(({ name }) => name)).size === hosts.length,
  )
  assert.ok(!process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap'))
  assert.equal(await sendTo(SITE), 200)
  responds = true
  for (const send of unanswered) {
    send()
  }
  assert.deepEqual(new Set(await Promise.all(hanging)), new Set(['unreachable']))
})

// proves S012
test('a webhook to a name whose name server never responds is unreachable after five seconds', async (t) => {
  const { sendTo, servers, questions } = await site(t, () => undefined)
  const pass = stopTime(t)
  const sending = sendTo(SITE)
  const query = dnsResolver({ servers }).resolve4('other.example')
  await waitUntil('both are asked for', () => new Set(questions.map(({ name }) => name)).size === 2)
  let ended = false
  void sending.then(() => {
    ended = true
  })
  pass(4_999)
  for (let turn = 0; turn < 5; turn++) {
    await eventLoopTurn()
  }
  assert.equal(ended, false)
  pass(1)
  await assert.rejects(query, { code: 'ECANCELLED' })
  assert.equal(await sending, 'unreachable')
})

for (const [type, responds, address] of [
  ['IPv4', A, PUBLIC_IPV4],
  ['IPv6', AAAA, PUBLIC_IPV6],
] as const) {
  test(`a name server that responds to queries for ${type} only delays a webhook by 1.5 seconds`, async (t) => {
    const { sendTo, connections } = await site(t, (_name, asked) =>
      asked === responds ? address : undefined,
    )
    const pass = stopTime(t)
    const { mock } = t.mock.method(globalThis, 'setTimeout')
    const sending = sendTo(SITE)
    await waitUntil('it has a response', () =>
      mock.calls.some((call) => call.arguments[1] === 1_500),
    )
    pass(1_499)
    for (let turn = 0; turn < 5; turn++) {
      await eventLoopTurn()
    }
    assert.equal(connections(), 0)
    pass(1)
    assert.equal(await sending, 200)
  })
}

// proves S011
test('a webhook is sent to a name with an address of either type, and not if one of both types is private (SSRF)', async (t) => {
  for (const [ipv4, ipv6, expected] of [
    [PUBLIC_IPV4, PUBLIC_IPV6, 200],
    [null, PUBLIC_IPV6, 200],
    [PUBLIC_IPV4, NO_SUCH_NAME, 200],
    [PUBLIC_IPV4, PRIVATE_IPV6, 'unreachable'],
    [Buffer.from([10, 0, 0, 1]), PUBLIC_IPV6, 'unreachable'],
    [null, null, 'unreachable'],
    [NO_SUCH_NAME, NO_SUCH_NAME, 'unreachable'],
  ] as const) {
    const { sendTo, connections, questions } = await site(t, (_name, type) =>
      type === A ? ipv4 : ipv6,
    )
    assert.equal(await sendTo(SITE), expected)
    assert.equal(connections(), expected === 200 ? 1 : 0)
    const [one, other] = questions
    assert.equal(one?.port, other?.port, 'both queries share a socket')
  }
})

test('localhost is not asked for at a name server, whose response could lead elsewhere', async (t) => {
  const { sendTo, questions } = await site(t, () => PUBLIC_IPV4)
  assert.equal(await sendTo('localhost'), 'unreachable')
  assert.deepEqual(questions, [])
})

test('the record of a domain is read from the name servers', async (t) => {
  const record = Buffer.from('\x05proof')
  const { servers } = await nameServer(t, (_name, type) => (type === TXT ? record : NO_SUCH_NAME))
  const asked = {
    recordName: '_gatehouse.client.example',
    fileUrl: 'https://client.example/.well-known/gatehouse.txt',
  }
  assert.deepEqual(await domainProbe({ network: { servers } })({ value: 'proof', ...asked }), {
    dns: 'found',
    file: 'absent',
  })
})
