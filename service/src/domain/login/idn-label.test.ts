import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIdnLabel } from './idn-label.ts'

test('a label is international when it is what its own name encodes to', () => {
  const cases: readonly (readonly [label: string, valid: boolean])[] = [
    ['xn--bcher-kva', true],
    ['xn--mnchen-3ya', true],
    ['xn--strae-oqa', true],
    ['xn--p1ai', true],
    ['xn--80akhbyknj4f', true],
    ['xn--fiqs8s', true],
    ['xn--wgv71a119e', true],
    ['xn--4dbrk0ce', true],
    ['xn--n3h', true],
    // Nothing encoded, or plain ASCII in disguise.
    ['xn--', false],
    ['xn---', false],
    ['xn--abc-', false],
    // A control character, half of a surrogate pair, beyond Unicode, cut off, overflowing.
    ['xn--a', false],
    ['xn--ib9b', false],
    ['xn--ls8h=', false],
    ['xn--b', false],
    ['xn--bcher-kv', false],
    ['xn--99999999', false],
    [`xn--${'9'.repeat(59)}`, false],
    // Names that mapping would change: "bÜcher", "a。b" (a full stop), "a／b" (a slash), "a" and an accent.
    ['xn--bcher-2pa', false],
    ['xn--ab-r13a', false],
    ['xn--ab-1u3n', false],
    ['xn--ab-8tb', false],
    ['xn--Bcher-kva', false],
  ]
  for (const [label, valid] of cases) assert.equal(isIdnLabel(label), valid, label)
})
