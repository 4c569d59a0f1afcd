import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsOrigin, callbackFromStored } from './url.ts'

const LIST = [
  'https://app.example.com/cb',
  'https://app.example.com/other?x=1',
  'https://*.example.com/cb',
  'https://api.test:8443/cb',
  'http://localhost/cb',
  'http://127.0.0.1:3000/cb',
  'http://[::1]/cb',
].map(callbackFromStored)

test('CORS allows the origins of callback URLs and no other', () => {
  const cases: readonly (readonly [origin: string, allowed: boolean])[] = [
    ['https://app.example.com', true],
    ['https://pr-1.example.com', true],
    ['https://api.test:8443', true],
    ['http://localhost', true],
    ['http://localhost:5173', true],
    ['http://127.0.0.1:3000', true],
    ['http://[::1]:8080', true],
    ['null', false],
    ['', false],
    ['*', false],
    ['https://*.example.com', false],
    ['https://example.com', false],
    ['https://a.b.example.com', false],
    ['https://evilexample.com', false],
    ['https://app.example.com.evil.test', false],
    ['https://app.example.com@evil.test', false],
    ['https://app.example.com\\@evil.test', false],
    ['http://app.example.com', false],
    ['https://app.example.com:8443', false],
    ['https://api.test', false],
    ['https://localhost', false],
    ['http://127.0.0.1', false],
    ['http://127.0.0.1:3001', false],
    ['http://127.1:3000', false],
    // No browser sends an origin in this form.
    ['https://app.example.com/', false],
    ['https://app.example.com/cb', false],
    ['https://app.example.com?', false],
    ['https://app.example.com:443', false],
    ['https://APP.example.com', false],
    ['HTTPS://app.example.com', false],
    ['https://app.example.com.', false],
    ['https://app.example.com https://evil.test', false],
    ['https://app.example.com,https://evil.test', false],
  ]
  for (const [origin, allowed] of cases) {
    assert.equal(allowsOrigin(origin, LIST), allowed, origin)
  }
})

test('a tenant without callback URLs allows no origin', () => {
  assert.equal(allowsOrigin('https://app.example.com', []), false)
})
