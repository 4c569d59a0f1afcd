import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayText, initials } from './text.ts'

const cases: readonly [name: string, given: string, shown: string][] = [
  ['plain text is unchanged', 'Ada Lovelace', 'Ada Lovelace'],
  ['a letter and a combining accent are composed (NFC)', 'Zoe\u0308', 'Zo\u00eb'],
  ['a letter and an accent are composed across a zero-width joiner', 'Zoe\u200d\u0308', 'Zo\u00eb'],
  ['a right-to-left override is removed', 'a\u202egro.knab\u202c', 'agro.knab'],
  ['isolates and direction marks are removed', '\u2066a\u2069\u200e\u200f\u061c', 'a'],
  ['zero-width characters are removed', 'pay\u200bp\u2060a\ufeffl\u00ad', 'paypal'],
  ['blank letters are removed', 'a\u3164\u115fb', 'ab'],
  ['control characters are removed', 'a\u0000\u001b[31mb\u0085', 'a[31mb'],
  ['white space of every kind becomes one space', ' a\t\r\n\u00a0\u2028\u3000b ', 'a b'],
  ['invisible text becomes the empty string', '\u200b \u202e', ''],
  ['a lone surrogate becomes U+FFFD', 'a\ud83d', 'a\ufffd'],
  ['markup is not escaped', '<b>&', '<b>&'],
]

for (const [name, given, shown] of cases) {
  test(name, () => {
    assert.equal(displayText(given), shown)
    assert.equal(displayText(displayText(given)), shown)
  })
}

test('text of the maximum length is not truncated', () => {
  assert.equal(displayText('a'.repeat(80)), 'a'.repeat(80))
  assert.equal(displayText('abcd', 4), 'abcd')
})

test('longer text is truncated to the maximum length, with an ellipsis', () => {
  assert.equal(displayText('a'.repeat(81)), `${'a'.repeat(79)}…`)
  assert.equal(displayText('abcde', 4), 'abc…')
  assert.equal(displayText('ab cde', 4), 'ab…')
})

test('truncation never splits a grapheme cluster', () => {
  assert.equal(displayText('ab👍🏽cd', 5), 'ab…')
  assert.equal(displayText(`a${'\u0301'.repeat(500)}`, 10), '…')
})

test('initials come from the first and the last word, in any script', () => {
  const cases = [
    ['Ada Lovelace', 'AL'],
    ['Ada King, Countess of Lovelace', 'AL'],
    ['ada@example.com', 'A'],
    ['Ада Лавлейс', 'АЛ'],
    ['𝒜da', '𝒜'],
    ['(none) 😀', ''],
    ['', ''],
  ] as const
  for (const [name, letters] of cases) {
    assert.equal(initials(name), letters)
  }
  assert.equal(
    initials('\u0623\u062d\u0645\u062f \u0639\u0644\u064a'),
    '\u0623\u200c\u0639',
    'Arabic letters stay apart',
  )
})
