import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CONSENT_KEPT_MS,
  type ConsentFacts,
  canRemember,
  isConsentRemembered,
} from './remembered-consent.ts'

const NOW = 1_800_000_000_000

const resource = { rememberConsent: true, callbackUrls: ['https://app.example.com/cb'] }
const attempt = {
  redirectUri: 'https://app.example.com/cb',
  challenge: 'c',
  provider: 'google',
  chooser: true,
  openId: null,
} as const
const FACTS: ConsentFacts = {
  resource,
  attempt,
  owned: true,
  consent: { brandHash: 'as shown', at: NOW - CONSENT_KEPT_MS },
  brandHash: 'as shown',
}

test('consent is skipped if all conditions hold, for 30 days', () => {
  assert.equal(isConsentRemembered(FACTS, NOW), true)
  for (const provider of ['google', 'github', 'microsoft'] as const) {
    assert.equal(
      isConsentRemembered({ ...FACTS, attempt: { ...attempt, provider } }, NOW),
      true,
      provider,
    )
  }
})

const at = (redirectUri: string, callbackUrls = [redirectUri]): Partial<ConsentFacts> => ({
  resource: { ...resource, callbackUrls },
  attempt: { ...attempt, redirectUri },
})

for (const [condition, changes] of [
  ['the tenant is a guest', { owned: false }],
  ['the setting is off', { resource: { ...resource, rememberConsent: false } }],
  ['the login ends with tokens', { attempt: { ...attempt, challenge: null } }],
  ['the callback is a wildcard', at('https://app.example.com/cb', ['https://*.example.com/cb'])],
  ['the callback is http', at('http://localhost:3000/cb', ['http://localhost/cb'])],
  ['the callback is on this computer', at('https://localhost:3000/cb', ['https://localhost/cb'])],
  [
    'the callback is no longer registered',
    at('https://app.example.com/cb', ['https://app.example.com/other']),
  ],
  ['no chooser was shown', { attempt: { ...attempt, chooser: false } }],
  ['the provider has no chooser', { attempt: { ...attempt, provider: 'apple' } }],
  [
    'the provider may ignore the wish for a chooser',
    { attempt: { ...attempt, provider: 'oidc-acme' } },
  ],
  ['the app asks for the page', { attempt: { ...attempt, openId: { asksConsent: true } } }],
  ['there is no consent of this user, host, provider and browser', { consent: null }],
  ['30 days have passed', { consent: { brandHash: 'as shown', at: NOW - CONSENT_KEPT_MS - 1 } }],
  ['the app looks different', { brandHash: 'changed' }],
] satisfies [string, Partial<ConsentFacts>][]) {
  // proves C233, S018, S129, S130
  test(`consent is asked for if ${condition}`, () => {
    assert.equal(isConsentRemembered({ ...FACTS, ...changes }, NOW), false)
  })
}

test('Continue is remembered also if no chooser was shown, but never for a login with tokens or another callback', () => {
  assert.equal(canRemember({ resource, attempt: { ...attempt, chooser: false } }), true)
  assert.equal(canRemember({ resource, attempt: { ...attempt, challenge: null } }), false)
  assert.equal(
    canRemember({ resource, attempt: { ...attempt, redirectUri: 'https://x.example.com/cb' } }),
    false,
  )
  assert.equal(canRemember({ resource: { ...resource, rememberConsent: false }, attempt }), false)
})

test('a callback that is registered exactly counts beside a wildcard that also matches it', () => {
  const callbackUrls = ['https://*.example.com/cb', 'https://app.example.com/cb']
  assert.equal(
    isConsentRemembered({ ...FACTS, resource: { ...resource, callbackUrls } }, NOW),
    true,
  )
})
