import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tenant } from '../tenants/tenant.ts'
import { readClientMetadata } from './client.ts'
import { canAccess, type Grant, readResource } from './grant.ts'
import { challengeOf, fitsChallenge } from './token.ts'

const tenant: Tenant = {
  id: 'swift-fox-running-k3qd',
  origin: 'genesis',
  profile: 'v1-1',
  createdAt: 0,
  expiresAt: 1_000,
  claimedAt: null,
  owner: null,
  creatorGuestHash: 'guest',
  pausedAt: null,
  pauseReason: null,
  suspension: null,
}

test('a guest can access the tenants that it created, until they are claimed or expire', () => {
  const grant = { subject: { kind: 'guest', guestHash: 'guest' } } as Grant
  assert.equal(canAccess(grant, tenant, 999), true)
  assert.equal(canAccess(grant, tenant, 1_000), false)
  assert.equal(canAccess(grant, { ...tenant, creatorGuestHash: 'another' }, 999), false)
  assert.equal(canAccess(grant, { ...tenant, claimedAt: 5, expiresAt: null }, 999), false)
})

test('an account can access the tenants that it owns, and no other', () => {
  const grant = { subject: { kind: 'account', accountId: 7 } } as Grant
  assert.equal(canAccess(grant, { ...tenant, owner: { accountId: 7, tier: 'free' } }, 999), true)
  assert.equal(canAccess(grant, { ...tenant, owner: { accountId: 8, tier: 'free' } }, 999), false)
  assert.equal(canAccess(grant, tenant, 999), false)
})

test('a verifier has 43 to 128 unreserved characters, also if its hash is the challenge', () => {
  for (const [verifier, fits] of [
    ['a'.repeat(43), true],
    ['a'.repeat(128), true],
    ['a'.repeat(42), false],
    ['a'.repeat(129), false],
    [`${'a'.repeat(43)} `, false],
  ] as const) {
    assert.equal(fitsChallenge(verifier, challengeOf(verifier)), fits, verifier)
  }
  assert.equal(fitsChallenge('a'.repeat(43), challengeOf('b'.repeat(43))), false)
})

test('a client registers 1 to 10 redirect URIs', () => {
  const uris = (count: number) =>
    Array.from({ length: count }, (_, at) => `https://a.example/${at}`)
  for (const [count, ok] of [
    [0, false],
    [1, true],
    [10, true],
    [11, false],
  ] as const) {
    assert.equal(
      readClientMetadata({ client_name: 'A client', redirect_uris: uris(count) }).ok,
      ok,
      `${count}`,
    )
  }
})

const BASE_URL = 'https://login.example.com'

test('every spelling of the URL of the MCP endpoint is its resource, with the default port too', () => {
  for (const spelling of [
    'https://login.example.com/mcp',
    'https://login.example.com:443/mcp',
    'HTTPS://Login.Example.COM:443/mcp/',
    'https://login.example.com:443/mcp?login',
  ]) {
    assert.equal(readResource(BASE_URL, spelling), `${BASE_URL}/mcp`, spelling)
  }
})

test('a URL of another port, scheme, user or path is another resource', () => {
  for (const other of [
    'https://login.example.com:8443/mcp',
    'http://login.example.com:443/mcp',
    'https://user@login.example.com/mcp',
    'https:login.example.com/mcp',
    'https://login.example.com\\mcp',
    'https://login.example.com/mcp ',
    'https://login.example.com/mcp#',
    'https://login.example.com/mcp/manage',
    'https://login.example.com/mcp?login=1',
  ]) {
    assert.equal(readResource(BASE_URL, other), null, other)
  }
})
