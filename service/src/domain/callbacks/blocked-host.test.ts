import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockingHosts, readBlockedHost } from './url.ts'

test('a host is blocked as it is compared: in lower case and Punycode', () => {
  for (const [text, host] of [
    [' Evil.Example ', 'evil.example'],
    ['login.bücher.example', 'login.xn--bcher-kva.example'],
    ['alice.github.io', 'alice.github.io'],
    ['203.0.113.7', '203.0.113.7'],
  ]) {
    assert.deepEqual(readBlockedHost(text ?? ''), { ok: true, host })
  }
})

test('what would block strangers, or is no host, is refused with the reason', () => {
  for (const [text, problem] of [
    ['com', /different people/],
    ['co.uk', /different people/],
    ['github.io', /different people/],
    ['localhost', /computer of each user/],
    ['127.0.0.1', /computer of each user/],
    ['https://evil.example', /Name a host alone/],
    ['evil.example:8443', /Name a host alone/],
    ['*.evil.example', /Name a host alone/],
    ['', /not a host name/],
    ['evil..example', /empty label/],
  ] as const) {
    const read = readBlockedHost(text)
    assert.ok(!read.ok && problem.test(read.problem), `${text}: ${JSON.stringify(read)}`)
  }
})

// proves C356
test('a block applies to the host and the names below it, and to no name that only ends the same', () => {
  const isBlocked = (blocked: string, host: string): boolean =>
    blockingHosts(host).includes(blocked)
  for (const host of ['evil.example', 'app.evil.example', 'a.b.evil.example', '*.evil.example']) {
    assert.equal(isBlocked('evil.example', host), true, host)
  }
  for (const host of ['notevil.example', 'evil.example.org', 'example', '203.0.113.7', '[::1]']) {
    assert.equal(isBlocked('evil.example', host), false, host)
  }
  assert.equal(isBlocked('113.7', '203.0.113.7'), false)
})
