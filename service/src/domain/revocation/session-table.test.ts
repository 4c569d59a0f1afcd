import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slow } from '../../../test/support/tags.ts'
import { SessionTable } from './session-table.ts'

const NOW = Date.UTC(2026, 6, 28)
const HOUR_MS = 3_600_000
const MANY = 200_000
/** Four columns of four bytes. */
const SLOT_BYTES = 16

/** Every third session is revoked. */
const known = (session: number): boolean => session % 3 === 0
const sessions = Array.from({ length: MANY * 3 }, (_, index) => index + 1)

function filled(): SessionTable {
  const table = new SessionTable()
  for (const session of sessions) {
    if (known(session)) {
      table.revokeBelow(session, 2, NOW + HOUR_MS)
    }
  }
  return table
}

describe('the table of revoked sessions', () => {
  test('growing frees the replaced memory at once, without a garbage collection', () => {
    const table = new SessionTable()
    const bytes = (): number => process.memoryUsage().arrayBuffers
    // At a power of two the table is half full, so that the next entry doubles it.
    for (let size = 1 << 14; size <= 1 << 17; size *= 2) {
      for (let session = table.size + 1; session <= size; session++) {
        table.revokeBelow(session, 2, NOW + HOUR_MS)
      }
      const before = bytes()
      table.revokeBelow(size + 1, 2, NOW + HOUR_MS)
      const grown = (bytes() - before) / (size * 2 * SLOT_BYTES)
      assert.ok(grown < 1.5, `grown by ${grown} of what it had, at ${size}`)
    }
  })

  test('after growing many times it has every revoked session and no other', { skip: slow }, () => {
    const table = filled()
    assert.equal(table.size, MANY)
    for (const session of sessions) {
      assert.equal(table.isRevoked(session, 1), known(session), `${session}`)
      assert.equal(
        table.isRevoked(session, 2),
        false,
        `${session}: the generation that is still valid`,
      )
    }
    assert.equal(
      table.isRevoked(2 ** 32 + 3, 1),
      false,
      'an id that differs from a known one only above 32 bits',
    )
  })

  test('pruning deletes only expired entries and frees their memory', () => {
    const before = process.memoryUsage().arrayBuffers
    const table = filled()
    for (const session of [3, 6, 9]) {
      table.revokeBelow(session, 5, NOW + 2 * HOUR_MS)
    }
    table.prune(NOW + HOUR_MS)
    assert.equal(table.size, 3)
    assert.equal(table.isRevoked(9, 4), true)
    assert.equal(table.isRevoked(12, 1), false)
    const kept = process.memoryUsage().arrayBuffers - before
    assert.ok(kept < MANY * SLOT_BYTES, `${kept} bytes for ${table.size}`)
  })

  test('a late or repeated revocation changes nothing', () => {
    const table = new SessionTable()
    table.revokeBelow(7, 5, NOW + HOUR_MS)
    table.revokeBelow(7, 3, NOW + 1)
    table.prune(NOW + 2_000)
    assert.equal(table.isRevoked(7, 4), true)
  })
})
