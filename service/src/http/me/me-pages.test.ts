import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readControls } from '../../../test/support/actors/html-controls.ts'
import {
  assertOwnAssetsOnly,
  assertSameTags,
  HOSTILE,
  OPERATOR,
  textOf,
} from '../../../test/support/actors/page-checks.ts'
import { ENGLISH } from '../pages/languages/language.ts'
import { type Me, type MeApp, mePage, meSignInPage } from './me-page.ts'
import { privacyPage } from './privacy.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-15T14:03:20Z')

const app = (text: string, changes: Partial<MeApp> = {}): MeApp => ({
  tenantId: text,
  callbackHosts: [text, `*.${text}`],
  user: { email: text, name: text, firstSeen: NOW - 48 * HOUR, lastSeen: NOW - HOUR },
  owned: true,
  sessions: [{ createdAt: NOW - 2 * HOUR, rotatedAt: NOW - HOUR }],
  moreSessions: true,
  removalDueAt: null,
  consentRemembered: true,
  identities: [{ provider: 'github', subject: text, email: text }],
  ...changes,
})

const me = (text: string, changes: Partial<Me> = {}): string =>
  String(
    mePage({
      operator: { ...OPERATOR, name: text },
      language: ENGLISH,
      now: NOW,
      csrf: 'c5rf',
      person: { email: text, name: text },
      provider: 'google',
      providers: ['google'],
      apps: [
        app(text),
        app(text, { removalDueAt: NOW + 24 * HOUR }),
        app(text, { owned: false, sessions: [] }),
      ],
      page: 1,
      hasMore: true,
      statusMessage: 'Done.',
      ...changes,
    }),
  )

/** Every page, with `text` wherever untrusted text is shown. */
const pages = (text: string): Readonly<Record<string, string>> => ({
  me: me(text),
  'me sign-in': String(
    meSignInPage({
      operator: { ...OPERATOR, name: text },
      language: ENGLISH,
      providers: ['google', 'github'],
    }),
  ),
  privacy: String(privacyPage({ ...OPERATOR, name: text }, ['google', 'github'], null)),
})

const harmless = pages('Ada')

for (const [name, page] of Object.entries(pages(HOSTILE))) {
  describe(`the ${name} page`, () => {
    test('has the same tags and attributes whatever the untrusted text contains, and loads no third-party resource', () => {
      assertSameTags(page, harmless[name] ?? '')
      assertOwnAssetsOnly(page)
      assert.doesNotMatch(textOf(page), /[\u202e\u200b]/)
    })

    test('has one h1 and unique ids, and links and posts to paths of this site only', () => {
      assert.equal(page.match(/<h1[ >]/g)?.length, 1)
      const ids = page.match(/(?<= id=")[^"]*/g) ?? []
      assert.equal(new Set(ids).size, ids.length)
      const { forms, links } = readControls(page)
      for (const address of [
        ...forms.map(({ action }) => action),
        ...links.map(({ href }) => href),
      ]) {
        assert.match(address, /^(?:\/(?![/\\])|#)/)
      }
    })
  })
}

const formsOf = (page: string) =>
  readControls(page).forms.map(({ action, fields, buttons }) => [
    action,
    fields,
    buttons.map(({ text }) => text),
  ])

test('each app of /me has a button to sign out if there is a session, to forget a remembered consent, and to remove or to keep the data', () => {
  const csrf = ['csrf', 'c5rf']
  const named = [csrf, ['app', 'swift-fox']]
  const removed = [...named, ['provider', 'github'], ['subject', 'swift-fox']]
  const apps = [
    app('swift-fox'),
    app('swift-fox', { identities: [], sessions: [], removalDueAt: NOW, consentRemembered: false }),
  ]
  assert.deepEqual(formsOf(me('Ada', { apps })), [
    ['/me/leave', [csrf], ['Sign out of this page']],
    ['/me/apps/remove-identity', removed, ['Remove GitHub']],
    ['/me/apps/sign-out', named, ['Sign out of this app']],
    ['/me/apps/forget-consent', named, ['Forget consent']],
    ['/me/apps/remove', named, ['Remove my data']],
    ['/me/apps/keep', named, ['Keep my data']],
    ['/me/apps/sign-out-everywhere', [csrf], ['Sign out everywhere']],
  ])
  assert.deepEqual(formsOf(me('Ada', { apps: [], page: 0, hasMore: false })), [
    ['/me/leave', [csrf], ['Sign out of this page']],
  ])
})

test('/me says what happens to the data of a temporary app, and of one with an owner', () => {
  assert.match(
    textOf(me('Ada', { apps: [app('x', { owned: false })] })),
    /so we remove your data now.*can’t be undone/,
  )
  assert.match(
    textOf(me('Ada', { apps: [app('x')] })),
    /We ask the app’s owner.*we remove it after 30 days/,
  )
})

test('a long list of apps on /me continues on further pages', () => {
  const links = (changes: Partial<Me>) =>
    readControls(me('Ada', changes))
      .links.map(({ href }) => href)
      .filter((href) => href.startsWith('/me?'))
  assert.deepEqual(links({ page: 0, hasMore: false }), [])
  assert.deepEqual(links({ page: 0, hasMore: true }), ['/me?page=2'])
  assert.deepEqual(links({ page: 1, hasMore: true }), ['/me?page=1', '/me?page=3'])
})

// proves C346
test('/me names the provider of the person, and what it cannot show on this service', () => {
  const shown = (changes: Partial<Me>): string => textOf(me('Ada', changes))
  const google = shown({ providers: ['google'] })
  assert.match(google, /signed in to with this Google account/)
  assert.match(
    google,
    /Apps that you sign in to with GitHub or Microsoft: this service has no client there/,
  )
  const everywhere = shown({ provider: 'github', providers: ['google', 'github', 'microsoft'] })
  assert.match(everywhere, /signed in to with this GitHub account/)
  assert.doesNotMatch(everywhere, /has no client there|Google/)
  assert.match(
    shown({ provider: 'microsoft', apps: [], page: 0 }),
    /No app here has data about this Microsoft account/,
  )
  for (const text of [google, everywhere]) {
    assert.match(text, /their own client with Apple or another OpenID provider/)
  }
})

test('the sign-in page of /me has a button for every provider of this service', () => {
  const page = String(
    meSignInPage({ operator: OPERATOR, language: ENGLISH, providers: ['google', 'microsoft'] }),
  )
  assert.deepEqual(formsOf(page), [
    ['/me/sign-in', [['provider', 'google']], ['Sign in with Google']],
    ['/me/sign-in', [['provider', 'microsoft']], ['Sign in with Microsoft']],
  ])
})

// proves C346
test('/privacy names the providers with which people see their data on this service', () => {
  const privacy = (providers: Parameters<typeof privacyPage>[1]): string =>
    textOf(String(privacyPage(OPERATOR, providers, null)))
  assert.match(privacy(['google']), /sign in with the same Google account/)
  assert.match(
    privacy(['google', 'github', 'microsoft']),
    /with the same Google, GitHub or Microsoft account/,
  )
  assert.doesNotMatch(privacy(['google']), /GitHub|Microsoft/)
})

test('/privacy says for how long the history is kept, if the operator has set that', () => {
  const privacy = (days: number | null): string =>
    textOf(String(privacyPage(OPERATOR, ['google'], days)))
  assert.match(privacy(400), /no longer names you\. The history is removed after 400 days\./)
  assert.doesNotMatch(privacy(null), /history is removed/)
})
