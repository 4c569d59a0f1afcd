import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalidRequest, listedProblems } from './api-error.ts'

const problems = (count: number, problem = 'wrong') =>
  Array.from({ length: count }, () => ({ path: 'name', problem }))

test('an invalid request lists at most 20 problems, and says how many there are', () => {
  assert.equal(invalidRequest('Invalid.', problems(20)).message, 'Invalid.')
  const { message } = invalidRequest('Invalid.', problems(21))
  assert.equal(message, 'Invalid. The first 20 of 21 problems are listed.')
  assert.equal(listedProblems(problems(21)).length, 20)
})

test('listed problems have at most 8 KB as JSON, and each path at most 200 characters', () => {
  const frame = JSON.stringify([{ path: 'name', problem: '' }, 0]).length - 1
  assert.equal(listedProblems(problems(1, 'x'.repeat(8_192 - frame))).length, 1)
  assert.equal(listedProblems(problems(1, 'x'.repeat(8_193 - frame))).length, 0)
  assert.equal(listedProblems(problems(20, 'é'.repeat(1_000))).length, 4)
  assert.equal(listedProblems([{ path: 'x'.repeat(201), problem: '' }])[0]?.path, 'x'.repeat(200))
})
