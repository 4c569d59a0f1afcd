import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { refreshSession, verifyAccessToken } from '@gatehouse-auth/contract'
import { REFRESH, VERIFY } from './fast-path.ts'
import { prepareResponse, readBody, tokenRequestReader } from './request-and-response.ts'

const reader = tokenRequestReader(VERIFY)
const ID = 'swift-fox-running-k3qd7'
const URL_PATH = `/edge/auth/${ID}/verify`
const TYPE = ['Content-Type', 'application/json']
const LENGTH = ['Content-Length', '8192']
const HOST = ['Host', 'localhost']

const request = (rawHeaders: readonly string[][], url = URL_PATH, method = 'POST') =>
  ({ method, url, rawHeaders: rawHeaders.flat() }) as IncomingMessage

test('the fast path takes a request with a tenant id, a small JSON body and no header that needs the framework', () => {
  const simple = [HOST, TYPE, LENGTH]
  const taken = [
    request(simple),
    request([...simple, ['User-Agent', 'app/1'], ['Cookie', 'origin=expect']]),
    request([HOST, ['content-type', 'application/json; charset=utf-8'], ['CONTENT-LENGTH', '0']]),
  ]
  for (const each of taken) {
    assert.equal(reader.matches(each), true, each.rawHeaders.join())
  }
  assert.equal(reader.tenantIdIn(request(simple)), ID)

  const left = [
    request(simple, URL_PATH, 'GET'),
    request(simple, `/EDGE/auth/${ID}/verify`),
    request(simple, `/edge/auth/${ID}/verifY`),
    request(simple, `${URL_PATH}?`),
    request(simple, '/edge/auth/Fox/verify'),
    request([TYPE, LENGTH]),
    request([HOST, HOST, TYPE, LENGTH]),
    request([HOST, LENGTH]),
    request([HOST, TYPE, TYPE, LENGTH]),
    request([HOST, ['Content-Type', 'text/plain'], LENGTH]),
    request([HOST, TYPE]),
    request([HOST, TYPE, LENGTH, LENGTH]),
    request([HOST, TYPE, ['Content-Length', '8193']]),
    request([HOST, TYPE, ['Content-Length', '1e']]),
    ...['Origin', 'Expect', 'Upgrade', 'Content-Encoding', 'Transfer-Encoding'].map((name) =>
      request([...simple, [name, '']]),
    ),
  ]
  for (const each of left) {
    assert.equal(reader.matches(each), false, `${each.url} ${each.rawHeaders.join()}`)
  }
})

test('a body with one token and nothing else is read; every other one is left to the framework', () => {
  const cases: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['{"access_token":"a.b-c_1"}', 'a.b-c_1', 'a.b-c_1'],
    [' {"access_token" : "a.b"} ', 'a.b', 'a.b'],
    ['{"access_token":"a.b"}\n', 'a.b', 'a.b'],
    ['{"access_token":"a b"}', undefined, 'a b'],
    ['{"access_token":"a","b":"c"}', undefined, 'a","b":"c'],
    ['{"refresh_token":"a.b"}', undefined, undefined],
    ['', undefined, undefined],
  ]
  for (const [body, token, unchecked] of cases) {
    assert.equal(reader.tokenIn(Buffer.from(body)), token, body)
    assert.equal(reader.uncheckedTokenIn(Buffer.from(body)), unchecked, body)
  }
})

test('the fast path has the methods, the paths and the only fields of the contract', () => {
  for (const [fast, endpoint] of [
    [VERIFY, verifyAccessToken],
    [REFRESH, refreshSession],
  ] as const) {
    assert.deepEqual([fast.method, fast.path], [endpoint.method, endpoint.path])
    assert.deepEqual([fast.field], Object.keys(endpoint.body.shape))
  }
})

test('a body is read to its end, in pieces or empty, and an error of its reader is reported', () => {
  const read = (...chunks: readonly string[]): string[] => {
    const req = new EventEmitter()
    const seen: string[] = []
    const done = (body: Buffer): void => {
      seen.push(body.toString())
      if (body.length === 0) {
        throw new Error('empty')
      }
    }
    readBody(req as IncomingMessage, done, (error) => void seen.push(String(error)))
    for (const chunk of chunks) {
      req.emit('data', Buffer.from(chunk))
    }
    assert.deepEqual(seen, [])
    req.emit('end')
    return seen
  }
  assert.deepEqual(read('a', 'b', 'c'), ['abc'])
  assert.deepEqual(read(), ['', 'Error: empty'])
})

test('a response says its length in bytes, also with letters beyond ASCII', () => {
  assert.deepEqual(prepareResponse({ a: 'e' }), {
    text: '{"a":"e"}',
    bytes: '9',
    encoding: 'latin1',
  })
  assert.deepEqual(prepareResponse({ a: 'é' }), {
    text: '{"a":"é"}',
    bytes: '10',
    encoding: 'utf8',
  })
})
