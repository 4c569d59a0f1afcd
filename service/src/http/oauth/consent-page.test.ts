import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readControls } from '../../../test/support/actors/html-controls.ts'
import { assertSameTags, OPERATOR } from '../../../test/support/actors/page-checks.ts'
import { mark, stylesheet } from '../pages/assets.ts'
import { type OAuthConsent, oauthConsentPage } from './consent-page.ts'

const HOSTILE = `"><script>alert(1)</script><img src=//evil.example onerror='x'>\u202e\u200b`

const consent = (text: string, changes: Partial<OAuthConsent> = {}): string =>
  String(
    oauthConsentPage({
      operator: OPERATOR,
      csrf: 'c5rf',
      action: '/oauth/consent/1',
      signInAction: '/oauth/consent/1/sign-in',
      switchAction: '/oauth/consent/1/switch',
      client: { name: text, describedAt: text },
      returnsTo: { kind: 'site', name: text },
      scopes: [
        { scope: 'mcp:tenant:read', words: 'See', ticked: true },
        { scope: 'mcp:feedback:write', words: 'Tell', ticked: false },
      ],
      nothingTicked: false,
      viewer: { email: text, name: text },
      guestOffered: true,
      ...changes,
    }),
  )

test('the consent page escapes foreign text and loads resources from its own origin only', () => {
  for (const changes of [{}, { viewer: null }, { nothingTicked: true }] as const) {
    const page = consent(HOSTILE, changes)
    assertSameTags(page, consent('Ada', changes))
    assert.doesNotMatch(page, /<script|style=|<style/i)
    assert.doesNotMatch(page, /\u202e|\u200b/)
    assert.deepEqual(new Set(page.match(/(?<=<img src=")[^"]*/g)), new Set([mark.path]))
    assert.deepEqual(page.match(/(?<=<link [^>]*href=")[^"]*/g), [stylesheet.path, mark.path])
    assert.equal(page.match(/<h1>/g)?.length, 1)
    assert.doesNotMatch(
      page,
      /<a (?!href="[^"]*" target="_blank" rel="noopener")/,
      'no link leads away from the decision',
    )
  }
})

test('a signed-in user can allow, deny, switch accounts or continue as a guest; others sign in first', () => {
  const buttons = (changes: Partial<OAuthConsent>) =>
    readControls(consent('Ada', changes)).forms.flatMap((form) =>
      form.buttons.map(({ text, field, action }) => [
        text,
        field?.[1] ?? null,
        action ?? form.action,
      ]),
    )
  assert.deepEqual(buttons({}), [
    ['Allow', 'allow', '/oauth/consent/1'],
    ['Deny', 'deny', '/oauth/consent/1'],
    ['Use another account', null, '/oauth/consent/1/switch'],
    ['Continue as guest', 'guest', '/oauth/consent/1'],
  ])
  assert.deepEqual(buttons({ viewer: null }), [
    ['Sign in with Google', null, '/oauth/consent/1/sign-in'],
    ['Continue as guest', 'guest', '/oauth/consent/1'],
    ['Deny', 'deny', '/oauth/consent/1'],
  ])
  for (const viewer of [null, { email: 'ada@example.com', name: null }]) {
    assert.doesNotMatch(consent('Ada', { viewer, guestOffered: false }), /guest/i)
  }
})

test('the consent page never truncates a host, because its end names the owner', () => {
  const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`
  assert.ok(
    consent('Ada', { returnsTo: { kind: 'site', name: host } }).includes(
      `<strong>${host}</strong>`,
    ),
  )
})
