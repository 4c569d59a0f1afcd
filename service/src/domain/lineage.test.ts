import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AskedServer,
  choosePrimary,
  confirmByPatroni,
  type DatabaseHistory,
  idFloor,
  idsToSkip,
  mayReplace,
  type PatroniNode,
  type PrimaryChoice,
  relationTo,
} from './lineage.ts'

const history = (
  mark: string | null,
  ancestors: readonly string[],
  timeline: number,
  sinceMs = 0,
): DatabaseHistory => ({
  mark,
  ancestors,
  timeline,
  sinceMs,
})

const server = (name: string, of: DatabaseHistory, isStandby = false): AskedServer => ({
  ...of,
  url: name,
  server: name,
  isStandby,
})

const BASE = history('base', [], 1)
/** Two promotions of one backup: both are on timeline 2. */
const ONE = history('one', ['base'], 2, 1_000)
const TWO = history('two', ['base'], 2, 2_000)

// proves C359
test('a lineage is recognized by its mark and its ancestors, and not by the number of its timeline', () => {
  assert.equal(relationTo(BASE, BASE), 'same')
  assert.equal(relationTo(BASE, ONE), 'successor')
  assert.equal(relationTo(BASE, history('three', ['one', 'base'], 3)), 'successor')
  assert.equal(relationTo(ONE, BASE), 'former')
  assert.equal(relationTo(ONE, TWO), 'branch')
  assert.equal(
    relationTo(BASE, history('base', [], 2)),
    'successor',
    'promoted, and no connection has marked it yet',
  )
  assert.equal(relationTo(history('base', [], 2), BASE), 'former')
})

// proves C359
test('a process goes to a successor or a later branch, and never back', () => {
  assert.equal(mayReplace(BASE, ONE), true)
  assert.equal(mayReplace(ONE, ONE), true)
  assert.equal(mayReplace(ONE, BASE), false)
  assert.equal(mayReplace(ONE, TWO), true, 'the second recovery of one backup')
  assert.equal(mayReplace(TWO, ONE), false)
})

test('of a former primary and its successor the successor is used, in any order and before it is marked', () => {
  for (const successor of [ONE, history('base', [], 2)]) {
    for (const known of [null, BASE]) {
      const asked = [server('old', BASE), server('new', successor), server('standby', BASE, true)]
      assert.deepEqual(choosePrimary(asked, known), { use: 'new', refuse: null })
      assert.deepEqual(choosePrimary(asked.reverse(), known), { use: 'new', refuse: null })
    }
  }
})

// proves C362
test('two servers of which neither continues the other are both refused', () => {
  const refused = { use: null, refuse: 'two PostgreSQL servers accept writes' }
  assert.deepEqual(choosePrimary([server('a', ONE), server('b', TWO)], null), refused)
  const unmarked = history('base', [], 2)
  assert.deepEqual(choosePrimary([server('a', unmarked), server('b', unmarked)], BASE), refused)
  assert.deepEqual(
    choosePrimary([server('a', history(null, [], 0)), server('b', history(null, [], 0))], null),
    refused,
  )
})

test('two names of one server are one primary', () => {
  const asked = [server('a', ONE), { ...server('b', ONE), server: 'a' }]
  assert.deepEqual(choosePrimary(asked, ONE), { use: 'a', refuse: null })
})

test('a former primary is refused if a standby shows that another server has replaced it, or if this process knows', () => {
  const refused = { use: null, refuse: 'only a former primary of PostgreSQL accepts writes' }
  assert.deepEqual(
    choosePrimary([server('old', BASE), server('standby', ONE, true)], null),
    refused,
  )
  assert.deepEqual(choosePrimary([server('old', BASE)], ONE), refused)
})

test('a standby that is behind its promoted primary changes nothing, and without a primary none is chosen', () => {
  assert.deepEqual(choosePrimary([server('new', ONE), server('behind', BASE, true)], BASE), {
    use: 'new',
    refuse: null,
  })
  assert.deepEqual(choosePrimary([server('standby', ONE, true)], ONE), { use: null, refuse: null })
  assert.deepEqual(choosePrimary([], ONE), { use: null, refuse: null })
})

const UNUSABLE = 'the leader that Patroni names cannot be used'
const leader = (server: string | null): PatroniNode => ({ isLeader: true, server })
const follower = (server: string): PatroniNode => ({ isLeader: false, server })

/** What Patroni on the nodes says of the server `a`, which the lineage admits, and why it is refused. */
const PATRONI: readonly (readonly [string, readonly PatroniNode[], string | null])[] = [
  ['the leader is the chosen server', [leader('a'), follower('b'), follower('c')], null],
  ['the nodes of the standbys do not respond', [leader('a')], null],
  ['two names of one node', [leader('a'), leader('a')], null],
  [
    'its Patroni is dead or hangs, and the lock has not run out',
    [follower('b')],
    'Patroni names no leader',
  ],
  ['its lock ran out', [follower('a'), follower('b')], 'Patroni names no leader'],
  ['a standby has the lock, before its promotion', [follower('a'), leader('b')], UNUSABLE],
  ['a standby has the lock, and the Patroni of the former leader is dead', [leader('b')], UNUSABLE],
  ['two nodes hold the lock by their own word', [leader('a'), leader('b')], UNUSABLE],
  ['the PostgreSQL of the leader does not respond', [leader(null), follower('b')], UNUSABLE],
  ['the leader is no host of ours', [leader('x')], UNUSABLE],
  ['Patroni responds on no node', [], 'Patroni responds on no node'],
]

for (const [situation, nodes, refuse] of PATRONI) {
  test(`Patroni: ${situation}: the server that the lineage admits is ${refuse === null ? 'used' : 'refused'}`, () => {
    const expected = refuse === null ? { use: 'a', refuse } : { use: null, refuse }
    assert.deepEqual(confirmByPatroni({ use: 'a', refuse: null }, 'a', nodes), expected)
    // The server in use doesn't respond to one more connection: what holds for the chosen one holds for it.
    assert.deepEqual(confirmByPatroni({ use: null, refuse: null }, 'a', nodes), {
      use: null,
      refuse,
    })
  })
}

// proves C363
test('Patroni never admits a server that the lineage refuses, or one that was never used', () => {
  const former: PrimaryChoice = {
    use: null,
    refuse: 'only a former primary of PostgreSQL accepts writes',
  }
  for (const [, nodes] of PATRONI) {
    assert.deepEqual(confirmByPatroni(former, 'a', nodes), former)
  }
  for (const server of ['a', null]) {
    assert.notEqual(
      confirmByPatroni({ use: null, refuse: null }, null, [leader(server)]).refuse,
      null,
    )
  }
})

// proves C360
test('two branches of one backup assign different ids: the later one starts above what the other can have assigned', () => {
  const [newestRowAt, used] = [1_000_000, 7]
  const startOf = (now: number): number => idFloor(used, idsToSkip(newestRowAt, now))
  const [first, second] = [startOf(1_060_000), startOf(1_180_000)]
  // One id in each millisecond that lies between them.
  assert.ok(second >= first + 120_000)
  assert.equal(startOf(1_003_000), 23_000, 'a switchover of three seconds raises ids by little')
  assert.equal(idsToSkip(newestRowAt, newestRowAt - 5_000), 10_000, 'a clock that is behind')
  assert.ok(idFloor(1_234_567, 1) > 1_234_567)
})
