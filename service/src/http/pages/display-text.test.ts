import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayText } from './display-text.ts'

const cases: readonly [name: string, given: string, shown: string][] = [
  ['plain text is left alone', 'Ada Lovelace', 'Ada Lovelace'],
  ['a letter and its accent become one', 'Zoe\u0308', 'Zo\u00eb'],
  ['a joint between a letter and its accent does not keep them apart', 'Zoe\u200d\u0308', 'Zo\u00eb'],
  ['an override cannot turn the text around', 'a\u202egro.knab\u202c', 'agro.knab'],
  ['isolates and direction marks go', '\u2066a\u2069\u200e\u200f\u061c', 'a'],
  ['zero-width characters cannot make twins', 'pay\u200bp\u2060a\ufeffl\u00ad', 'paypal'],
  ['letters that draw nothing go', 'a\u3164\u115fb', 'ab'],
  ['control characters go', 'a\u0000\u001b[31mb\u0085', 'a[31mb'],
  ['white space of every kind becomes one space', ' a\t\r\n\u00a0\u2028\u3000b ', 'a b'],
  ['nothing but the invisible is nothing', '\u200b \u202e', ''],
  ['half a character is shown as damage', 'a\ud83d', 'a\ufffd'],
  ['markup is not its business', '<b>&', '<b>&'],
]

for (const [name, given, shown] of cases) {
  test(name, () => {
    assert.equal(displayText(given), shown)
    assert.equal(displayText(displayText(given)), shown)
  })
}

test('text that fits exactly is not shortened', () => {
  assert.equal(displayText('a'.repeat(80)), 'a'.repeat(80))
  assert.equal(displayText('abcd', 4), 'abcd')
})

test('longer text ends in an ellipsis and is never longer than asked', () => {
  assert.equal(displayText('a'.repeat(81)), `${'a'.repeat(79)}…`)
  assert.equal(displayText('abcde', 4), 'abc…')
  assert.equal(displayText('ab cde', 4), 'ab…')
})

test('a character of several parts is kept whole or left out', () => {
  assert.equal(displayText('ab👍🏽cd', 5), 'ab…')
  assert.equal(displayText(`a${'\u0301'.repeat(500)}`, 10), '…')
})
