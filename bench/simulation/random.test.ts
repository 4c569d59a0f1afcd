import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentile } from './percentiles.ts'
import { lognormal, measured, Random } from './random.ts'

const draw = (count: number, one: (random: Random) => number, seed = 7): number[] => {
  const random = new Random(seed)
  return Array.from({ length: count }, () => one(random))
}

const near = (value: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(value - expected) <= tolerance, `${value} is not near ${expected}`)

test('the same seed says the same, another one something else', () => {
  const uniform = (random: Random) => random.uniform()
  assert.deepEqual(draw(100, uniform), draw(100, uniform))
  assert.notDeepEqual(draw(100, uniform), draw(100, uniform, 8))
})

test('uniform numbers fill every tenth alike and never reach 1', () => {
  const values = draw(100_000, (random) => random.uniform())
  for (let tenth = 0; tenth < 10; tenth++) {
    near(values.filter((value) => Math.floor(value * 10) === tenth).length, 10_000, 400)
  }
  assert.ok(values.every((value) => value >= 0 && value < 1))
})

test('exponential arrivals have the mean they are asked for, and no memory', () => {
  const waits = draw(100_000, (random) => random.exponential(20))
  near(waits.reduce((sum, wait) => sum + wait, 0) / waits.length, 20, 0.3)
  const long = waits.filter((wait) => wait > 20)
  near(long.length / waits.length, Math.exp(-1), 0.01)
  near(long.filter((wait) => wait > 40).length / long.length, Math.exp(-1), 0.01)
})

test('lognormal durations have the middle and the 99th percentile they are asked for', () => {
  const durations = draw(200_000, lognormal(2, 20))
  near(percentile(durations, 50), 2, 0.03)
  near(percentile(durations, 99), 20, 0.8)
  assert.ok(durations.every((duration) => duration > 0))
})

test('measured durations are drawn from what was measured, and from nothing else', () => {
  const durations = new Set(draw(1_000, measured([1, 5, 9])))
  assert.deepEqual([...durations].sort(), [1, 5, 9])
  assert.throws(() => measured([]), RangeError)
})
