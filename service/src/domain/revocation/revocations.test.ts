import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALL_GENERATIONS, type Revocation } from './revocation.ts'
import { Revocations } from './revocations.ts'

const NOW = Date.UTC(2026, 6, 28)
const UNTIL = NOW + 3_720_000
const tenantId = 'swift-fox-running-k3qd'

function revocationsOf(...revocations: Revocation[]): Revocations {
  const table = new Revocations()
  for (const revocation of revocations) {
    table.apply(revocation)
  }
  return table
}

const session = (sessionId: number, generation: number): Revocation => ({
  kind: 'session',
  tenantId,
  sessionId,
  generation,
  until: UNTIL,
})
const lost = (first: number, last: number, until = UNTIL): Revocation => ({
  kind: 'sessions-lost',
  tenantId: '*',
  first,
  last,
  until,
})

describe('sessions that the database lost', () => {
  test('every session of the range is revoked, and no other, until the tokens have expired', () => {
    const table = revocationsOf(lost(46, 1_000_045), lost(44, 44), lost(46, 1_000_045))
    const revoked = [43, 44, 45, 46, 1_000_045, 1_000_046].filter((id) => table.isRevoked(id, 7))
    assert.deepEqual(revoked, [44, 46, 1_000_045])
    assert.equal(table.size, 2, 'a repeated revocation changes nothing')
    table.prune(UNTIL - 1)
    assert.equal(table.isRevoked(46, 0), true)
    table.prune(UNTIL)
    assert.deepEqual([table.isRevoked(46, 0), table.size], [false, 0])
  })
})

describe('a suspension', () => {
  const change = (
    kind: 'tenant-suspended' | 'tenant-lifted',
    generation: number,
    until = UNTIL,
  ): Revocation => ({
    kind,
    tenantId,
    generation,
    until,
  })

  test('the change with the highest generation decides, in whatever order they arrive', () => {
    const suspended = revocationsOf(change('tenant-suspended', 3), change('tenant-lifted', 2))
    assert.equal(suspended.isSuspended(tenantId), true)
    suspended.apply(change('tenant-lifted', 4))
    suspended.apply(change('tenant-suspended', 3))
    assert.equal(suspended.isSuspended(tenantId), false)
  })

  test('the database decides about a suspension that it lost or replaced', () => {
    const table = revocationsOf(change('tenant-suspended', 3))
    table.forgetTenants(table.tenants(), revocationsOf(change('tenant-lifted', 2)))
    assert.equal(table.isSuspended(tenantId), false, 'the stored change replaces the lost one')
    table.apply(change('tenant-suspended', 4))
    table.forgetTenants(table.tenants(), new Revocations())
    assert.deepEqual([table.isSuspended(tenantId), table.size], [false, 0])
  })
})

test('everything is forgotten when the tokens that it concerns have expired, and not before', () => {
  const table = revocationsOf(
    session(1, 5),
    { kind: 'resource', tenantId, resourceId: 8, until: UNTIL },
    { kind: 'tenant-paused', tenantId, until: UNTIL },
    { kind: 'tenant-claimed', tenantId: 'claimed', until: UNTIL },
    { kind: 'tenant-suspended', tenantId, generation: 1, until: UNTIL },
    lost(46, 99),
  )
  table.prune(UNTIL - 1)
  assert.equal(table.size, 6)
  assert.deepEqual(
    [table.isPaused(tenantId), table.isSuspended(tenantId), table.isDeleted(8)],
    [true, true, true],
  )
  table.prune(UNTIL)
  assert.equal(table.size, 0)
})

test('ranges of lost sessions that share an end are different ranges', () => {
  const table = revocationsOf(lost(10, 20), lost(10, 30), lost(5, 30))
  assert.deepEqual([table.isRevoked(25, 0), table.isRevoked(5, 0), table.size], [true, true, 3])
})

describe('what another database lacks', () => {
  test('names the sessions and resources that it revokes less far, with the newest generation', () => {
    const table = revocationsOf(
      session(1, 5),
      session(2, ALL_GENERATIONS),
      session(3, 2),
      session(2 ** 32 + 4, 1),
      session(50, 9),
      { kind: 'resource', tenantId, resourceId: 8, until: UNTIL },
      { kind: 'resource', tenantId, resourceId: 9, until: UNTIL },
    )
    const stored = revocationsOf(session(1, 4), session(3, 2), lost(46, 99), {
      kind: 'resource',
      tenantId,
      resourceId: 9,
      until: UNTIL,
    })
    const missing = [...table.missingIn(stored, NOW)].map((each) =>
      each.kind === 'session' ? [each.sessionId, each.generation, each.until] : [each.resourceId],
    )
    assert.deepEqual(
      missing.sort((one, other) => Number(one[0]) - Number(other[0])),
      [[1, 5, UNTIL], [2, ALL_GENERATIONS, UNTIL], [8], [2 ** 32 + 4, 1, UNTIL]],
    )
    assert.deepEqual([...table.missingIn(stored, UNTIL)], [], 'no token can need them any more')
    assert.deepEqual([...table.missingIn(table, NOW)], [])
  })

  test('a pause and a claim that were undone are forgotten, and newer ones stay', () => {
    const paused = (id: string): Revocation => ({
      kind: 'tenant-paused',
      tenantId: id,
      until: UNTIL,
    })
    const table = revocationsOf(paused('undone'), paused('stored'), {
      kind: 'tenant-claimed',
      tenantId: 'undone',
      until: UNTIL,
    })
    const before = table.tenants()
    table.apply(paused('newer'))
    table.forgetTenants(before, revocationsOf(paused('stored')))
    assert.deepEqual(
      ['undone', 'stored', 'newer'].map((id) => table.isPaused(id)),
      [false, true, true],
    )
    assert.equal(table.isRecentlyClaimed('undone'), false)
  })
})
