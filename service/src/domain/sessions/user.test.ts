import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ImportedRow, readImportedRow } from './user.ts'

const NOW = 1_800_000_000_000
const row = { subject: '1815', email: 'ada@example.com', name: null, picture: null, blocked: false, metadata: null }
const isRead = (changes: Partial<ImportedRow>): boolean =>
  readImportedRow(
    { ...row, issuer: undefined, firstSeen: undefined, lastSeen: undefined, ...changes } as ImportedRow,
    'https://issuer.example',
    NOW,
  ).ok

test('an imported user was seen first at or before the last time, in the past and not before 1970', () => {
  assert.equal(isRead({}), true)
  assert.equal(isRead({ firstSeen: 0, lastSeen: 0 }), true)
  assert.equal(isRead({ firstSeen: NOW, lastSeen: NOW }), true)
  assert.equal(isRead({ firstSeen: -1 }), false)
  assert.equal(isRead({ firstSeen: 2, lastSeen: 1 }), false)
  assert.equal(isRead({ lastSeen: NOW + 1 }), false)
})

test('the subject of an imported user has at most 255 characters, and its issuer is that of the service', () => {
  assert.equal(isRead({ subject: '1'.repeat(255) }), true)
  assert.equal(isRead({ subject: '1'.repeat(256) }), false)
  assert.equal(isRead({ issuer: 'https://issuer.example' }), true)
  assert.equal(isRead({ issuer: 'https://other.example' }), false)
})
