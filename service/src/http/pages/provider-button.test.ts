import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from '../../../test/support/actors/page-checks.ts'
import { PAGE_PROVIDERS, providerButton, providerForm } from './provider-button.ts'

test("Google's button has its mark in its four colors, and words that its guidelines allow", () => {
  const button = String(providerButton({ provider: 'google', words: 'continueWith' }))
  assert.deepEqual(
    button.match(/fill="[^"]+"/g),
    ['#EA4335', '#4285F4', '#FBBC05', '#34A853'].map((fill) => `fill="${fill}"`),
  )
  assert.equal(textOf(button).trim(), 'Continue with Google')
  assert.equal(
    textOf(String(providerButton({ provider: 'google', words: 'signInWith' }))).trim(),
    'Sign in with Google',
  )
})

test('every provider has a button with a mark that screen readers skip, without inline style or a request', () => {
  for (const provider of PAGE_PROVIDERS) {
    const form = String(providerForm({ action: '/x', csrf: 'c5rf', provider, words: 'signInWith' }))
    assert.match(form, /<svg [^>]*aria-hidden="true"/)
    assert.doesNotMatch(form, /style=|href=|src=|url\(/)
  }
})
