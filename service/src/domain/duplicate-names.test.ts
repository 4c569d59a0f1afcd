import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/generated.ts'
import { hasDuplicateName } from './duplicate-names.ts'

test('a duplicate name in a JSON object is found at any depth and in any escaping', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{ "a" : 1 ,\n "b":2, "a"\t: [] }',
    '{"x":{"a":1,"b":{"c":1,"c":2}}}',
    '[1,{"a":[{"b":0,"b":0}]}]',
    '{"":1,"":2}',
    '{"a\\"":1,"a\\"":2}',
    '{"\\\\":1,"\\\\":2}',
    '{"a":"b","b":"a","a":"c"}',
  ]) {
    assert.equal(JSON.parse(text) !== undefined && hasDuplicateName(text), true, text)
  }
})

test('the same name in two objects, equal values, and names inside strings are no duplicates', () => {
  for (const text of [
    '{}',
    '[]',
    '"a"',
    '1',
    'null',
    '["a","a"]',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":"{\\"b\\":1,\\"b\\":1}"}',
    '{"a":1,"A":2,"a ":3}',
    '{"a":["b","b"],"b":":"}',
  ]) {
    assert.equal(JSON.parse(text) !== undefined && hasDuplicateName(text), false, text)
  }
})

test('the output of JSON.stringify has no duplicate names until one of its names is appended again', () => {
  const object = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), {
    minKeys: 1,
    maxKeys: 4,
  })
  fc.assert(
    fc.property(object, fc.integer({ min: 0, max: 3 }), (value, spaces) => {
      const names = Object.keys(value).filter((name) => name !== '__proto__')
      fc.pre(names.length > 0)
      const text = JSON.stringify(value, null, spaces)
      assert.equal(hasDuplicateName(text), false)
      assert.equal(
        hasDuplicateName(`${text.slice(0, text.lastIndexOf('}'))},${JSON.stringify(names[0])}:0}`),
        true,
      )
    }),
    { numRuns: 100 },
  )
})
