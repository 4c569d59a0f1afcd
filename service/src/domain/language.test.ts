import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanUiLocales, type LanguageTag, pickLanguage, requestedLanguage } from './language.ts'

const HUGE = `de${',fr'.repeat(200)}`

describe('Accept-Language', () => {
  for (const [accepted, tag] of [
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE-ch', 'de'],
    ['de-CH-1996,en;q=0.9', 'de'],
    ['sv-SE,sv;q=0.9,fr;q=0.5', 'fr'],
    ['fr;q=0.3, de;q=0.7, en;q=0.1', 'de'],
    ['fr;q=0.5,de;q=0.5', 'fr'],
    ['de;q=0', 'en'],
    ['de;q=0, it;q=0.001', 'it'],
    ['de;q=2, it;q=0.1', 'it'],
    ['de;q=abc', 'en'],
    ['pt-PT', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['zh-CN', 'zh-Hans'],
    ['zh-Hans-SG', 'zh-Hans'],
    ['zh-Hans-x-private', 'zh-Hans'],
    [`de${' '.repeat(498)}`, 'de'],
    [`de${' '.repeat(499)}`, 'en'],
    ['ar-EG', 'ar'],
    ['hi-IN', 'hi'],
    ['*', 'en'],
    ['*, ja;q=0.1', 'ja'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['sv', 'en'],
    ['de-', 'en'],
    ['-de', 'en'],
    ['de_DE', 'en'],
    ['<script>alert(1)</script>', 'en'],
    ['constructor', 'en'],
    ['__proto__', 'en'],
    [`${'x,'.repeat(19)}de`, 'de'],
    [`${'x,'.repeat(20)}de`, 'en'],
    [HUGE, 'en'],
    [' ;;;,,,\u0000', 'en'],
  ] satisfies [string | undefined, LanguageTag][]) {
    // proves C236
    test(`${accepted?.slice(0, 50)} is answered in ${tag}`, () => {
      assert.equal(pickLanguage({ accepted }), tag)
    })
  }
})

describe('ui_locales', () => {
  for (const [uiLocales, tag] of [
    [undefined, null],
    ['', null],
    ['de', 'de'],
    ['sv de-CH fr', 'de'],
    ['fr-CA fr en', 'fr'],
    ['de,fr', null],
    ['x-de', null],
    ['de;q=0', null],
    ['toString', null],
    [`de${' fr'.repeat(200)}`, null],
    ['de'.padEnd(500), 'de'],
    ['de'.padEnd(501), null],
    [`${'sv '.repeat(19)}de`, 'de'],
    [`${'sv '.repeat(20)}de`, null],
  ] satisfies [string | undefined, LanguageTag | null][]) {
    test(`${uiLocales?.slice(0, 50)} asks for ${tag}`, () => {
      assert.equal(requestedLanguage(uiLocales), tag)
    })
  }

  test('of this request wins over the start of the sign-in, which wins over Accept-Language', () => {
    assert.equal(pickLanguage({ uiLocales: 'de', kept: 'fr', accepted: 'it' }), 'de')
    assert.equal(pickLanguage({ uiLocales: 'sv', kept: 'fr', accepted: 'it' }), 'fr')
    assert.equal(pickLanguage({ uiLocales: 'sv', kept: null, accepted: 'it' }), 'it')
  })

  test('a provider gets only what is well-formed, in languages of any kind', () => {
    assert.equal(cleanUiLocales('sv  de-CH "fr" <b> en&prompt=none'), 'sv de-CH')
    assert.equal(cleanUiLocales('&prompt=none'), undefined)
    assert.equal(cleanUiLocales('x '.repeat(300)), undefined)
    assert.equal(cleanUiLocales(undefined), undefined)
  })
})
