import assert from 'node:assert/strict'
import { test } from 'node:test'
import { structureOf } from './body.ts'

/** [text, depth, values] */
const TEXTS: readonly [string, number, number][] = [
  ['1', 0, 1],
  ['"text"', 0, 1],
  ['{}', 1, 1],
  ['[ \n ]', 1, 1],
  ['[1]', 1, 2],
  ['[1,2,3]', 1, 4],
  ['[[],[]]', 2, 3],
  ['[[1],[2]]', 2, 5],
  ['{"a":1}', 1, 2],
  ['{ "a" : { "b" : [ 1 , { } ] } , "c" : null }', 4, 6],
  ['"[1,2,3]"', 0, 1],
  ['["a,b","\\"[,{","\\\\"]', 1, 4],
  ['{"[,":"{,"}', 1, 2],
]

test('the nesting and the values of a JSON text are counted outside of its strings', () => {
  for (const [text, depth, values] of TEXTS) {
    assert.deepEqual(structureOf(text), { depth, values }, text)
    assert.equal(countOf(JSON.parse(text)), values, text)
  }
})

const countOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 1
    : Object.values(value).reduce((count: number, inner) => count + countOf(inner), 1)
