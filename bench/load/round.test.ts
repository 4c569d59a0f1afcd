import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { waitUntil } from '../../service/test/support/process/wait-until.ts'
import { ResponseReader } from './answer-reader.ts'
import { round } from './round.ts'
import { work as refreshWork } from './work/refresh.ts'
import { work as replayWork } from './work/replay.ts'

// The bench says that it checks every answer. Here are answers that it must not believe.

async function served(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

const asked = [{ request: { method: 'GET', path: '/' }, status: 200, says: { valid: true, user: { id: 7 } } }]
const once = { connections: 2, seconds: 1 }

test('right answers are counted, whatever else they say', async (t) => {
  let answered = 0
  const port = await served(t, (_req, res) => {
    answered += 1
    res.end('{"valid":true,"user":{"id":7,"name":"Ada"},"more":1}')
  })
  // On a busy machine a round may end before its first answer.
  await waitUntil('a round has counted answers', async () => {
    const before = answered
    const { wrong, requests } = await round(replayWork(asked, 'localhost'), { ...once, port })
    assert.equal(wrong, null)
    assert.ok(requests <= answered - before)
    return requests > 0
  })
})

test('one wrong answer among right ones ends the round and is told', async (t) => {
  let responses = 0
  const port = await served(t, (_req, res) => res.end(`{"valid":true,"user":{"id":${++responses === 50 ? 8 : 7}}}`))
  const result = await round(replayWork(asked, 'localhost'), { ...once, port, seconds: 30 })
  assert.match(result.wrong ?? '', /got 200 with .*"id":8/)
})

test('a right body with a wrong status is a wrong answer', async (t) => {
  const port = await served(t, (_req, res) => res.writeHead(503).end('{"valid":true,"user":{"id":7}}'))
  const result = await round(replayWork(asked, 'localhost'), { ...once, port })
  assert.match(result.wrong ?? '', /expected 200 .* got 503/)
})

test('a connection that is cut instead of answered is a wrong answer', async (t) => {
  const port = await served(t, (_req, res) => res.destroy())
  const result = await round(replayWork(asked, 'localhost'), { ...once, port })
  assert.match(result.wrong ?? '', /closed|broke/)
})

test('a refresh token that comes back unchanged is a wrong answer', async (t) => {
  const port = await served(t, (_req, res) => res.end('{"access_token":"a","refresh_token":"r1"}'))
  const data = { dialect: 'json', sessions: [{ path: '/refresh', refreshToken: 'r1' }] }
  const result = await round(refreshWork(data, 'localhost'), { ...once, port, connections: 1 })
  assert.equal(result.wrong, 'the refresh token was not rotated')
})

test('each refresh sends the token that the last one gave', async (t) => {
  const sent: string[] = []
  const port = await served(t, (req, res) => {
    req.setEncoding('utf8').on('data', (text: string) => {
      sent.push((JSON.parse(text) as { refresh_token: string }).refresh_token)
      res.end(`{"access_token":"a","refresh_token":"r${sent.length}"}`)
    })
  })
  const data = { dialect: 'json', sessions: [{ path: '/refresh', refreshToken: 'r0' }] }
  await round(refreshWork(data, 'localhost'), { ...once, port, connections: 1, seconds: 3 })
  assert.ok(sent.length > 1)
  assert.deepEqual(
    sent,
    sent.map((_, index) => `r${index}`),
  )
})

test('an answer is read whole, however it is cut up on its way', () => {
  const whole = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n'
  const reader = new ResponseReader()
  const responses = Array.from(whole, (byte) => reader.read(Buffer.from(byte))).filter((response) => response !== null)
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.toString()]),
    [[200, 'Wikipedia']],
  )
})
