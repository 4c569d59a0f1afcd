import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { SEED } from '../support/generated.ts'
import { startService } from '../support/process/service-process.ts'
import { long, slow } from '../support/tags.ts'

/** Each generated request is sent to the fast path and to the framework. */
const REQUESTS = long ? 4_000 : 100_000
/** 100,000 take three minutes on two idle cores, and longer on busy ones. */
const TIMEOUT_MS = 900_000
const CONCURRENCY = 16

interface Generated {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

interface Response {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

test('generated verify and refresh requests get the same response from the fast path and the framework', {
  skip: slow,
  timeout: TIMEOUT_MS,
}, async (t) => {
  const { settings, child, agent, browser } = await startService(t)
  const port = Number(settings.PORT)
  const [tenant, other] = [await agent.createTenant(), await agent.createTenant()]
  const live = await tenant.signIn(browser())
  const ended = await tenant.signIn(browser())
  await tenant.edge('logout', { refresh_token: ended.refresh_token })
  const generate = generator({
    tenants: [tenant.id, other.id],
    // Not the valid refresh token: the first of the two requests would consume it.
    tokens: [live.access_token, ended.access_token, ended.refresh_token],
  })
  const sockets = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  t.after(() => sockets.destroy())

  const statuses = new Map<number | undefined, number>()
  let left = REQUESTS
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const generated = generate()
      // The fast path handles a body with Content-Length, the framework a chunked one.
      const fast = await send(sockets, port, generated, false)
      const ordinary = await send(sockets, port, generated, true)
      assert.deepEqual(
        fast,
        ordinary,
        `${generated.path} ${generated.body.toString('latin1').slice(0, 300)}`,
      )
      statuses.set(fast.status, (statuses.get(fast.status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))

  assert.equal(child.exitCode, null)
  assert.equal(statuses.get(500), undefined, 'no request causes an internal error')
  for (const status of [200, 400, 401, 404, 413]) {
    assert.ok((statuses.get(status) ?? 0) > REQUESTS / 5_000, `some are ${status}`)
  }
  assert.equal(await tenant.isValid(live.access_token), true)
})

function send(
  sockets: Agent,
  port: number,
  { path, headers, body }: Generated,
  chunked: boolean,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const length = chunked
      ? { 'Transfer-Encoding': 'chunked' }
      : { 'Content-Length': String(body.length) }
    const call = request(
      { agent: sockets, port, path, method: 'POST', headers: { ...headers, ...length } },
      (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('error', reject)
        res.on('end', () =>
          resolve(comparable(res.statusCode, res.headers, Buffer.concat(chunks).toString())),
        )
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

/** The response without the values that differ between two requests. */
function comparable(
  status: number | undefined,
  headers: NodeJS.Dict<string | string[]>,
  text: string,
): Response {
  const {
    date,
    'x-request-id': id,
    'transfer-encoding': _,
    'content-length': __,
    ...others
  } = headers
  assert.match(String(id), /^[\w-]{16}$/)
  const isJson = String(headers['content-type']).startsWith('application/json')
  return {
    status,
    headers: others,
    body: isJson ? JSON.parse(text.replaceAll(String(id), 'ID')) : text,
  }
}

/** Generates reproducible requests similar to those that the fast path accepts. */
function generator(known: {
  readonly tenants: readonly string[]
  readonly tokens: readonly string[]
}) {
  let state = SEED
  const below = (bound: number): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  const text = (alphabet: string, max: number): string =>
    Array.from({ length: below(max) }, () => alphabet[below(alphabet.length)]).join('')
  const TOKEN_ALPHABET = 'abcXYZ019-_.='
  const PATH_ALPHABET = "ab9-/%2.~:@?&=#;+,!$'()*"

  const changed = (token: string): string => {
    const at = below(token.length)
    return pick([
      () => token.slice(0, at) + pick([...TOKEN_ALPHABET]) + token.slice(at + 1),
      () => token.slice(0, at),
      () => token + text(TOKEN_ALPHABET, 20),
      () => token.slice(0, at) + token.slice(at + 1 + below(8)),
    ])()
  }
  const token = (): string =>
    pick([
      () => pick(known.tokens),
      () => changed(pick(known.tokens)),
      () =>
        `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjEifQ.${text(TOKEN_ALPHABET, 40)}.${text(TOKEN_ALPHABET, 50)}`,
      () => `svc_rt_${text(TOKEN_ALPHABET, 70)}`,
      () => (below(40) === 0 ? 'a'.repeat(70_000) : text(TOKEN_ALPHABET, 60)),
      () => text('"\\\u0000\u0007éß☃{}', 10),
    ])()
  const tenantId = (): string =>
    pick([
      () => pick(known.tenants),
      () => pick(known.tenants),
      () => changed(pick(known.tenants)),
      () => 'x'.repeat(below(3_000)),
      () => `${'a-'.repeat(below(1_000))}b`,
      () => text(PATH_ALPHABET, 40),
      () => encodeURIComponent(text('ab-/\\%\u0000é', 20)),
    ])()
  const body = (field: string): string => {
    const value = token()
    const plain = JSON.stringify({ [field]: value })
    return pick([
      () => plain,
      () => plain,
      () => plain,
      () =>
        `${text(' \n\t\r', 5)}{ "${field}"${text(' ', 3)}: ${JSON.stringify(value)} }${text(' \n', 5)}`,
      () => JSON.stringify({ [field]: value, extra: below(9) }),
      () =>
        JSON.stringify({
          [pick(['access_token', 'refresh_token', 'x'])]: pick([value, 1, null, [value]]),
        }),
      () => plain.slice(0, below(plain.length)),
      () => plain + text('{}[]",:', 6),
      () => text('{}[]",:abc019\\u', 60),
    ])()
  }
  return (): Generated => {
    const [act, field] = pick([
      ['verify', 'access_token'],
      ['refresh', 'refresh_token'],
    ] as const)
    const headers: Record<string, string> = { 'Content-Type': 'application/json' }
    if (below(20) === 0) {
      headers['Content-Type'] = pick([
        'application/json; charset=utf-8',
        'text/plain',
        'application/JSON',
        'json',
      ])
    }
    if (below(20) === 0) {
      headers['Idempotency-Key'] = text('abc-_ !', 12)
    }
    if (below(20) === 0) {
      headers['User-Agent'] = text('abc/1 ;é', 30)
    }
    const path = `/edge/auth/${tenantId()}/${act}`
    return {
      path: below(30) === 0 ? `${path}${text(PATH_ALPHABET, 8)}` : path,
      headers,
      body: Buffer.from(body(field)),
    }
  }
}
