import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FeedSettings, simulateFeed } from './feed.ts'
import { type HotRowSettings, simulateHotRow } from './hot-row.ts'
import { percentile } from './percentiles.ts'
import { constant, Random } from './random.ts'

const feed = (changes: Partial<FeedSettings> = {}): FeedSettings => ({
  instances: 3,
  writesPerSecond: 50,
  noticeShare: 1,
  transaction: constant(2),
  roundTrip: constant(1),
  perRowMs: 0,
  wakeApartMs: 20,
  pollMs: 1_000,
  lookApartMs: 0,
  seconds: 20,
  partitionMs: 0,
  ...changes,
})

test('the same seed gives the same feed', () => {
  assert.deepEqual(simulateFeed(feed(), new Random(3)), simulateFeed(feed(), new Random(3)))
})

test('a lone notice is known elsewhere after a wake-up and a look: two round trips', () => {
  const { staleness } = simulateFeed(feed({ writesPerSecond: 0.5, seconds: 60 }), new Random(1))
  assert.ok(staleness.length > 20)
  assert.ok(percentile(staleness, 50) <= 2 && percentile(staleness, 50) >= 1.5, `${percentile(staleness, 50)}`)
})

test('nobody misses a notice, also when transactions overlap: each is learned once by every other instance', () => {
  const settings = feed({ transaction: (random) => 200 * random.uniform(), seconds: 30 })
  const { staleness, noticesPerSecond } = simulateFeed(settings, new Random(2))
  const expected = noticesPerSecond * settings.seconds * (settings.instances - 1)
  // Those of the last moments are still on their way.
  assert.ok(staleness.length <= expected && staleness.length > expected * 0.99, `${staleness.length} of ${expected}`)
})

test('without wake-ups the second is the bound, and half of it the middle', () => {
  const { staleness } = simulateFeed(feed({ wakeApartMs: 1e9 }), new Random(4))
  assert.ok(Math.max(...staleness) <= 1_002)
  assert.ok(Math.abs(percentile(staleness, 50) - 500) < 100)
})

test('an instance that is cut off learns what it missed when it is back, and the others notice nothing', () => {
  const { staleness, stalenessCutOff } = simulateFeed(feed({ partitionMs: 5_000 }), new Random(5))
  assert.ok(Math.max(...stalenessCutOff) > 4_500)
  assert.ok(Math.max(...stalenessCutOff) < 6_100)
  assert.ok(percentile(staleness, 99) < 50)
})

const row = (changes: Partial<HotRowSettings> = {}): HotRowSettings => ({
  hotPerSecond: 10,
  othersPerSecond: 0,
  connections: 8,
  before: constant(1),
  holding: constant(4),
  batch: 1,
  seconds: 60,
  ...changes,
})

test('a row that is hardly asked for makes nobody wait', () => {
  const { hot, hotPerSecond } = simulateHotRow(row(), new Random(1))
  assert.ok(Math.abs(hotPerSecond - 10) < 1)
  assert.equal(Math.round(percentile(hot, 50)), 5)
})

test('a row that is held for 4 ms lets 250 a second through, however many come', () => {
  const { hotPerSecond } = simulateHotRow(row({ hotPerSecond: 1_000 }), new Random(1))
  assert.ok(Math.abs(hotPerSecond - 250) < 2, `${hotPerSecond}`)
})

test('half loaded it makes one wait as long as a queue with one server and fixed service does', () => {
  // M/D/1 at load 1/2: the mean wait is half a service time.
  const { hot } = simulateHotRow(
    row({ hotPerSecond: 125, connections: 1_000, before: constant(0), seconds: 600 }),
    new Random(1),
  )
  const mean = hot.reduce((sum, wait) => sum + wait, 0) / hot.length
  assert.ok(Math.abs(mean - 6) < 0.2, `${mean}`)
})

test('sharing a transaction lets as many times more through as may share it', () => {
  const { hotPerSecond } = simulateHotRow(row({ hotPerSecond: 100_000, batch: 32, seconds: 10 }), new Random(1))
  assert.ok(Math.abs(hotPerSecond - 32 * 250) < 200, `${hotPerSecond}`)
})

test('a flooded row takes the connections of all others with it', () => {
  const flooded = simulateHotRow(row({ hotPerSecond: 1_000, othersPerSecond: 100 }), new Random(1))
  const calm = simulateHotRow(row({ hotPerSecond: 10, othersPerSecond: 100 }), new Random(1))
  assert.ok(percentile(calm.others, 99) < 20)
  assert.ok(percentile(flooded.others, 99) > 1_000)
})
