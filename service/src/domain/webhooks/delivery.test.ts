import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backOff, isDelivered, retryAt } from './delivery.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

test('only a status from 200 to 299 is a delivery', () => {
  const delivered = [null, 100, 199, 200, 204, 299, 300, 302, 410, 500].filter((status) =>
    isDelivered({ status }),
  )
  assert.deepEqual(delivered, [200, 204, 299])
})

test('a delivery is retried nine times, later each time, with a jitter of a fifth', () => {
  const delays = Array.from({ length: 9 }, (_, index) => retryAt(index + 1, 0, null, 0.5))
  const minutes = [5, 30, 120, 300, 600, 840, 1_200, 1_440].map((delay) => delay * MINUTE)
  assert.deepEqual(delays, [5 * SECOND, ...minutes])
  assert.deepEqual([retryAt(2, 0, null, 0), retryAt(2, 0, null, 1)], [4 * MINUTE, 6 * MINUTE])
  assert.equal(retryAt(10, 0, null, 0.5), null)
})

test('Retry-After delays a retry, by a day at most, and never makes it earlier', () => {
  assert.equal(retryAt(1, 0, HOUR, 0.5), HOUR)
  assert.equal(retryAt(2, 0, SECOND, 0.5), 5 * MINUTE)
  assert.equal(retryAt(1, 0, 25 * HOUR, 0.5), 24 * HOUR)
})

test('an endpoint that fails rests for 5 seconds, then twice as long each time up to a minute, and as Retry-After says', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 1_000].map((failures) => backOff(failures, null)),
    [5 * SECOND, 10 * SECOND, 20 * SECOND, 40 * SECOND, MINUTE, MINUTE],
  )
  assert.deepEqual(
    [backOff(1, HOUR), backOff(1, 25 * HOUR), backOff(5, 1)],
    [HOUR, 24 * HOUR, MINUTE],
  )
})
