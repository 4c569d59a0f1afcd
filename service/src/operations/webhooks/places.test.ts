import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId } from '../../domain/ids.ts'
import type { QueuedWebhook } from '../../domain/stores/stores.ts'
import { Places, type Turn } from './places.ts'

const endpoint = (id: string, owner: number | null, failures = 0): QueuedWebhook =>
  ({ id, owner: owner as AccountId | null, failures }) as QueuedWebhook

const FAILING = 1

/** So many endpoints of an owner wait. */
function queue(places: Places, owner: number | null, size: number, failures = 0): void {
  for (let each = 0; each < size; each++) {
    assert.ok(places.wait(endpoint(`${owner}-${failures}-${each}`, owner, failures)))
  }
}

function takeAll(places: Places): Turn[] {
  const turns: Turn[] = []
  for (let turn = places.take(); turn !== undefined; turn = places.take()) {
    turns.push(turn)
  }
  return turns
}

for (const [owner, name] of [
  [1, 'one owner'],
  [null, 'all guests together'],
] as const) {
  // proves S012
  test(`${name} can have 16 places of fast endpoints and 8 of slow ones, and the next owner gets one at once`, () => {
    const places = new Places()
    queue(places, owner, 50)
    queue(places, owner, 50, FAILING)
    const lanes = takeAll(places).map(({ lane }) => lane)
    assert.equal(lanes.filter((lane) => lane === 'fast').length, 16)
    assert.equal(lanes.filter((lane) => lane === 'slow').length, 8)

    places.wait(endpoint('fast', 2))
    places.wait(endpoint('slow', 2, FAILING))
    assert.deepEqual(
      takeAll(places).map(({ webhook }) => webhook.id),
      ['fast', 'slow'],
    )
  })
}

test('a process sends to 64 fast endpoints and 32 slow ones at a time', () => {
  const places = new Places()
  for (let owner = 0; owner < 10; owner++) {
    queue(places, owner, 10)
    queue(places, owner, 10, FAILING)
  }
  const lanes = takeAll(places).map(({ lane }) => lane)
  assert.equal(lanes.filter((lane) => lane === 'fast').length, 64)
  assert.equal(lanes.filter((lane) => lane === 'slow').length, 32)
})

test('a place goes to the owner with the fewest, and to the endpoint that has waited longest', () => {
  const places = new Places()
  for (const owner of [1, 2, 3, 4]) {
    queue(places, owner, 16)
  }
  const taken = takeAll(places)
  queue(places, 5, 2)
  queue(places, 6, 1)
  for (const turn of taken.slice(0, 3)) {
    places.leave(turn)
  }
  assert.deepEqual(
    takeAll(places).map(({ webhook }) => webhook.id),
    ['5-0-0', '6-0-0', '5-0-1'],
  )
})

test('an endpoint is slow while it fails, or if its last delivery took a second', () => {
  const places = new Places()
  const laneAfter = (took: number): Turn['lane'] => {
    const webhook = endpoint(`took-${took}`, 1) as QueuedWebhook
    places.remember(webhook, took)
    places.wait(webhook)
    const turn = places.take() ?? assert.fail()
    places.leave(turn)
    return turn.lane
  }
  assert.deepEqual([laneAfter(999), laneAfter(1_000)], ['fast', 'slow'])
  const recovered = endpoint('took-1000', 1)
  places.remember(recovered, 999)
  places.wait(recovered)
  places.wait(endpoint('failing', 1, FAILING))
  const [fast = assert.fail(), slow = assert.fail()] = takeAll(places)
  assert.deepEqual([fast.lane, slow.lane], ['fast', 'slow'])
  assert.deepEqual([places.atOnce(fast), places.atOnce(slow)], [8, 1])
})

test('a process remembers the last 10,000 endpoints that were slow', () => {
  const places = new Places()
  const idOf = (each: number): string => `slow-${each}`
  for (let each = 0; each < 10_001; each++) {
    places.remember(endpoint(idOf(each), each), 1_000)
  }
  for (const each of [0, 1, 10_000]) {
    places.wait(endpoint(idOf(each), each))
  }
  assert.deepEqual(
    takeAll(places).map(({ webhook, lane }) => [webhook.id, lane]),
    [
      [idOf(0), 'fast'],
      [idOf(1), 'slow'],
      [idOf(10_000), 'slow'],
    ],
  )
})

test('a hundred endpoints of an owner wait, each once, and those of another owner beside them', () => {
  const places = new Places()
  queue(places, null, 100)
  assert.equal(places.wait(endpoint('one-more', null)), false)
  assert.equal(places.wait(endpoint('null-0-0', null)), true, 'it waits already')
  assert.equal(places.wait(endpoint('of-an-owner', 1)), true)
  assert.equal(takeAll(places).length, 17)
})

test('an endpoint with more to get leaves for one that may have its place, and only then', () => {
  const places = new Places()
  queue(places, 1, 16)
  const [turn = assert.fail()] = takeAll(places)
  assert.equal(places.mustLeave(turn, turn.webhook), false, 'no other endpoint waits')
  places.wait(endpoint('slow', 1, FAILING))
  assert.equal(takeAll(places).length, 1)
  queue(places, 1, 8, FAILING)
  takeAll(places)
  assert.equal(places.mustLeave(turn, turn.webhook), false, 'only a slow one waits')
  places.wait(endpoint('next', 1))
  assert.equal(places.mustLeave(turn, turn.webhook), true)
  assert.equal(places.take(), undefined, 'it has its place until it leaves')

  const other = new Places()
  queue(other, 1, 17)
  takeAll(other)
  queue(other, 2, 1)
  const [ofOther = assert.fail()] = takeAll(other)
  assert.equal(other.mustLeave(ofOther, ofOther.webhook), false, 'the one that waits gains nothing')
})

test('an endpoint that became slow or fast leaves, so that it gets a place of its new kind', () => {
  const places = new Places()
  places.wait(endpoint('one', 1))
  const turn = places.take() ?? assert.fail()
  places.remember(turn.webhook, 1_000)
  assert.equal(places.mustLeave(turn, turn.webhook), true)
  places.remember(turn.webhook, 10)
  assert.equal(places.mustLeave(turn, turn.webhook), false)
})
