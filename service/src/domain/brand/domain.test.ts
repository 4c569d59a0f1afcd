import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifiedDomain } from '../../../test/support/verified-domain.ts'
import { coveringNames, type Domain, proofsOf, RECHECK_MS, recheck } from './domain.ts'

const covers = (domain: Domain, url: string): boolean =>
  coveringNames([domain], new URL(url)).length > 0

// proves S066
test('a value is bound to tenant and host', () => {
  const values = [
    { tenantId: 'one-two', host: 'example.com' },
    { tenantId: 'one-two', host: 'app.example.com' },
    { tenantId: 'one-three', host: 'example.com' },
  ].map((ref) => proofsOf(ref).value)
  assert.equal(new Set(values).size, 3)
  for (const value of values) {
    assert.match(value, /^gatehouse-verification=[\w-]{43}$/)
  }
})

// proves C330
test('a DNS record covers every host of the registrable domain, and no other', () => {
  for (const host of ['example.co.uk', 'app.example.co.uk']) {
    for (const url of [
      'https://example.co.uk/cb',
      'https://a.b.example.co.uk:8443/cb',
      'https://app.example.co.uk/',
    ]) {
      assert.equal(covers(verifiedDomain(host), url), true, url)
    }
    for (const url of [
      'https://other.co.uk/',
      'https://example.co.uk.evil.example/',
      'https://notexample.co.uk/',
    ]) {
      assert.equal(covers(verifiedDomain(host), url), false, url)
    }
  }
  assert.equal(covers(verifiedDomain('alice.github.io'), 'https://mallory.github.io/'), false)
})

// proves C330, S066
test('a file covers the host that serves it, and no other of its domain', () => {
  assert.equal(
    covers(verifiedDomain('app.example.com', 'file'), 'https://app.example.com/cb'),
    true,
  )
  for (const url of [
    'https://example.com/',
    'https://www.example.com/',
    'https://a.app.example.com/',
  ]) {
    assert.equal(covers(verifiedDomain('app.example.com', 'file'), url), false, url)
  }
  assert.equal(covers(verifiedDomain('example.com', 'file'), 'https://app.example.com/'), false)
  const both = [verifiedDomain('app.example.com', 'file'), verifiedDomain('example.com')]
  assert.deepEqual(coveringNames(both, new URL('https://app.example.com/')), [
    'app.example.com',
    'example.com',
  ])
})

test('a file on this computer covers its port', () => {
  assert.equal(covers(verifiedDomain('localhost:3000', 'file'), 'http://localhost:3000/cb'), true)
  assert.equal(covers(verifiedDomain('localhost:3000', 'file'), 'http://localhost:4000/cb'), false)
  assert.equal(covers(verifiedDomain('example.com'), 'http://127.0.0.1/cb'), false)
})

test('a pending or lapsed domain covers nothing', () => {
  for (const status of ['pending', 'lapsed'] as const) {
    assert.equal(
      covers({ ...verifiedDomain('example.com'), status }, 'https://example.com/'),
      false,
    )
  }
})

test('two misses in a row end a verification, and a success between them does not', () => {
  const absent = { dns: 'absent', file: 'other' } as const
  const first = recheck(verifiedDomain('example.com'), absent, 10)
  assert.deepEqual(first, {
    status: 'verified',
    method: 'dns',
    misses: 1,
    checkedAt: 10,
    nextCheckAt: 10 + RECHECK_MS,
  })
  const after = { ...verifiedDomain('example.com'), ...first }
  const second = { status: 'lapsed', method: null, misses: 2, checkedAt: 20, nextCheckAt: null }
  assert.deepEqual(recheck(after, absent, 20), second)
  const found = recheck(after, { dns: 'absent', file: 'found' }, 20)
  assert.deepEqual([found.status, found.method, found.misses], ['verified', 'file', 0])
})
