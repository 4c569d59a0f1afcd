import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderName } from '@gatehouse-auth/contract'
import { type ImportedRow, isShownAlike, readImportedRow } from './user.ts'

const NOW = 1_800_000_000_000
const row = {
  subject: '1815',
  email: 'ada@example.com',
  name: null,
  picture: null,
  blocked: false,
  metadata: null,
}
const ISSUERS: Readonly<Record<string, ProviderName>> = {
  'https://issuer.example': 'google',
  'accounts.example': 'google',
  'https://appleid.apple.com': 'apple',
  'https://id.acme.example': 'oidc-acme',
}
const read = (changes: Partial<ImportedRow>) =>
  readImportedRow(
    {
      ...row,
      identities: [],
      issuer: undefined,
      firstSeen: undefined,
      lastSeen: undefined,
      ...changes,
    } as ImportedRow,
    { google: 'https://issuer.example', providerOf: (issuer) => ISSUERS[issuer] ?? null },
    NOW,
  )
const isRead = (changes: Partial<ImportedRow>): boolean => read(changes).ok

test('an imported user was seen first at or before the last time, in the past and not before 1970', () => {
  assert.equal(isRead({}), true)
  assert.equal(isRead({ firstSeen: 0, lastSeen: 0 }), true)
  assert.equal(isRead({ firstSeen: NOW, lastSeen: NOW }), true)
  assert.equal(isRead({ firstSeen: -1 }), false)
  assert.equal(isRead({ firstSeen: 2, lastSeen: 1 }), false)
  assert.equal(isRead({ lastSeen: NOW + 1 }), false)
})

test('the subject of an imported user has at most 255 characters, and its issuer is that of a provider', () => {
  assert.equal(isRead({ subject: '1'.repeat(255) }), true)
  assert.equal(isRead({ subject: '1'.repeat(256) }), false)
  assert.equal(isRead({ issuer: 'https://issuer.example' }), true)
  assert.equal(isRead({ issuer: 'https://other.example' }), false)
  assert.equal(isRead({ issuer: 'https://appleid.apple.com' }), true)
})

test('the issuer of an imported user is stored as that of a sign-in, however it is written', () => {
  const issuerOf = (issuer: string): string | undefined => {
    const result = read({ issuer })
    return result.ok ? result.user.issuer : undefined
  }
  for (const issuer of [
    'https://issuer.example/',
    'HTTPS://Issuer.Example:443',
    ' https://issuer.example ',
  ]) {
    assert.equal(issuerOf(issuer), 'https://issuer.example', issuer)
  }
  assert.equal(issuerOf('https://ID.acme.example/'), 'https://id.acme.example')
  // Google wrote its issuer in two ways.
  assert.equal(issuerOf('accounts.example'), 'https://issuer.example')
  const own = { ...row, issuer: 'https://id.acme.example', lastSeen: NOW }
  const identities = [
    own,
    { ...own, issuer: 'https://id.acme.example/' },
  ] as unknown as ImportedRow['identities']
  const twice = read({ issuer: own.issuer, identities })
  assert.equal(twice.ok ? null : twice.problem, 'identities.1: listed twice.')
})

test('a row warns if another client of its provider gets another subject', () => {
  const warningOf = (issuer: string): string => {
    const result = read({ issuer })
    return result.ok ? (result.warning ?? '') : 'invalid'
  }
  assert.equal(warningOf('https://issuer.example'), '')
  assert.match(warningOf('https://appleid.apple.com'), /same team/)
  assert.match(warningOf('https://id.acme.example'), /each client/)
})

test('two identities of a row are the same only if issuer and subject are, and one of them is that of the row', () => {
  const own = {
    issuer: 'https://issuer.example',
    subject: '1815',
    email: 'ada@example.com',
    name: null,
    picture: null,
  }
  const identities = (...others: object[]) =>
    isRead({
      identities: [own, ...others].map((each) => ({ ...own, pinned: false, lastSeen: 0, ...each })),
    })
  assert.equal(identities({ issuer: 'https://appleid.apple.com' }), true)
  assert.equal(identities({ subject: '1906' }), true)
  assert.equal(identities({}), false)
  assert.equal(
    isRead({ subject: '7', identities: [{ ...own, pinned: false, lastSeen: 0 }] }),
    false,
  )
})

test('a sign-in changes a user by another address, name or picture, and by nothing else', () => {
  const user = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null, firstSeen: 0 }
  assert.equal(isShownAlike(user, { ...user, firstSeen: 1 }), true)
  for (const change of [
    { email: 'ada@example.org' },
    { name: null },
    { picture: 'https://example.com/ada.png' },
  ]) {
    assert.equal(isShownAlike(user, { ...user, ...change }), false)
  }
})
