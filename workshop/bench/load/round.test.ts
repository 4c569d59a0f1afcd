import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { waitUntil } from '../../../service/test/support/process/wait-until.ts'
import { ResponseReader } from './response-reader.ts'
import { round } from './round.ts'
import { workload as refreshWorkload } from './workloads/refresh.ts'
import { workload as replayWorkload } from './workloads/replay.ts'

// The bench checks every response. These tests send it wrong ones.

async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

const exchanges = [
  {
    request: { method: 'GET', path: '/' },
    status: 200,
    contains: { valid: true, user: { id: 7 } },
  },
]
const short = { connections: 2, seconds: 0.05 }
/** A wrong response ends it. */
const untilProblem = { connections: 2, seconds: 30 }

test('correct responses are counted, also with additional members', async (t) => {
  let handled = 0
  const port = await serve(t, (_req, res) => {
    handled += 1
    res.end('{"valid":true,"user":{"id":7,"name":"Ada"},"more":1}')
  })
  // On a busy machine a round may end before its first response.
  await waitUntil('a round has counted responses', async () => {
    const before = handled
    const { problem, requests } = await round(replayWorkload(exchanges, 'localhost'), {
      ...short,
      port,
    })
    assert.equal(problem, null)
    assert.ok(requests <= handled - before)
    return requests > 0
  })
})

test('a single wrong response ends the round and is reported', async (t) => {
  let responses = 0
  const port = await serve(t, (_req, res) =>
    res.end(`{"valid":true,"user":{"id":${++responses === 50 ? 8 : 7}}}`),
  )
  const result = await round(replayWorkload(exchanges, 'localhost'), { ...untilProblem, port })
  assert.match(result.problem ?? '', /got 200 with .*"id":8/)
})

test('a correct body with a wrong status is a wrong response', async (t) => {
  const port = await serve(t, (_req, res) =>
    res.writeHead(503).end('{"valid":true,"user":{"id":7}}'),
  )
  const result = await round(replayWorkload(exchanges, 'localhost'), { ...untilProblem, port })
  assert.match(result.problem ?? '', /expected 200 .* got 503/)
})

test('a connection that closes before the response is a wrong response', async (t) => {
  const port = await serve(t, (_req, res) => res.destroy())
  const result = await round(replayWorkload(exchanges, 'localhost'), { ...untilProblem, port })
  assert.match(result.problem ?? '', /closed|broke/)
})

test('a refresh token that is not rotated is a wrong response', async (t) => {
  const port = await serve(t, (_req, res) => res.end('{"access_token":"a","refresh_token":"r1"}'))
  const data = { encoding: 'json', sessions: [{ path: '/refresh', refreshToken: 'r1' }] }
  const result = await round(refreshWorkload(data, 'localhost'), {
    ...untilProblem,
    port,
    connections: 1,
  })
  assert.equal(result.problem, 'the refresh token was not rotated')
})

test('each refresh sends the token of the previous response', async (t) => {
  let sent: string[] = []
  const port = await serve(t, (req, res) => {
    req.setEncoding('utf8').on('data', (text: string) => {
      sent.push((JSON.parse(text) as { refresh_token: string }).refresh_token)
      res.end(`{"access_token":"a","refresh_token":"r${sent.length}"}`)
    })
  })
  const data = { encoding: 'json', sessions: [{ path: '/refresh', refreshToken: 'r0' }] }
  await waitUntil('a round has sent two refreshes', async () => {
    sent = []
    await round(refreshWorkload(data, 'localhost'), { ...short, port, connections: 1 })
    assert.deepEqual(
      sent,
      sent.map((_, index) => `r${index}`),
    )
    return sent.length > 1
  })
})

test('a response is assembled from chunks of any size', () => {
  const whole =
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n'
  const reader = new ResponseReader()
  const responses = Array.from(whole, (byte) => reader.read(Buffer.from(byte))).filter(
    (response) => response !== null,
  )
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.toString()]),
    [[200, 'Wikipedia']],
  )
})
