import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readControls } from '../../../test/support/actors/html-controls.ts'
import { OPERATOR } from '../../../test/support/actors/page-checks.ts'
import { ENGLISH } from '../pages/languages/language.ts'
import { type Claim, type ClaimOutcome, claimOutcomePage, claimPage } from './claim-page.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-15T14:03:20Z')
const TENANT = 'swift-fox-running-k3qd'

const PROJECT = {
  id: TENANT,
  createdAt: NOW - 3 * HOUR,
  expiresAt: NOW + 69 * HOUR,
  pausedAt: null,
}

const claim = (changes: Partial<Claim> = {}): string =>
  String(
    claimPage({
      operator: OPERATOR,
      language: ENGLISH,
      now: NOW,
      csrf: 'c5rf',
      tenant: PROJECT,
      callbackHosts: ['localhost:3000', 'notes.example.com'],
      users: 1,
      signIns: 41,
      claim: { confirmationCode: 'K7QM2X' },
      viewer: {
        signedIn: true,
        person: { email: 'ada@example.com', name: 'Ada Lovelace' },
        decideAction: '/claim/7/decide',
        switchAction: '/claim/7/switch',
      },
      ...changes,
    }),
  )

const signedOut = { signedIn: false, signInAction: '/claim/7/sign-in' } as const

const textOf = (page: string): string =>
  page
    .replace(/^.*<main>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** The action, fields and buttons of each form. */
const formsOf = (page: string) =>
  readControls(page).forms.map(({ action, fields, buttons }) => [
    action,
    fields,
    buttons.map(({ text, field }) => [text, field]),
  ])

describe('the claim page', () => {
  test('describes the project, with and without a session', () => {
    for (const page of [claim(), claim({ viewer: signedOut })]) {
      const text = textOf(page)
      assert.match(text, /Keep this project\?/)
      assert.match(text, /Project swift-fox-running-k3qd/)
      assert.match(text, /Created 3 hours ago 15 Nov 2026, 11:03 UTC/)
      assert.match(text, /Callback hosts localhost:3000 notes\.example\.com/)
      assert.match(text, /Activity 1 user, 41 sign-ins/)
      assert.match(text, /Ends unless you approve in 3 days 18 Nov 2026, 11:03 UTC/)
      assert.match(text, /Anyone with the key file can manage the project and see its users\./)
      assert.match(text, /names, usage and activity of your other projects, never their users/)
      assert.match(text, /K7QM2X If your agent gave you a code, it must match\./)
    }
  })

  test('without a session offers to sign in, and no decision', () => {
    assert.deepEqual(formsOf(claim({ viewer: signedOut })), [
      ['/claim/7/sign-in', [['csrf', 'c5rf']], [['Continue with Google', null]]],
    ])
    assert.doesNotMatch(claim({ viewer: signedOut }), /Deny/)
  })

  test('with a session offers Approve, Deny and another account', () => {
    const decisions = [
      ['Approve', ['decision', 'approve']],
      ['Deny', ['decision', 'deny']],
    ]
    assert.deepEqual(formsOf(claim()), [
      [
        '/claim/7/decide',
        [
          ['csrf', 'c5rf'],
          ['keys', 'keep'],
        ],
        decisions,
      ],
      ['/claim/7/switch', [['csrf', 'c5rf']], [['Use another account', null]]],
    ])
    assert.match(claim(), /If it doesn’t, press Deny\./)
    assert.match(claim(), /If you didn’t ask for this, press Deny\./)
    assert.match(claim(), /<bdi>ada@<wbr>example<wbr>\.com<\/bdi>/)
  })

  test('says that approving a paused project ends the pause', () => {
    assert.match(
      textOf(claim({ tenant: { ...PROJECT, pausedAt: NOW } })),
      /This project is paused\..*Approving ends the pause\./,
    )
    assert.doesNotMatch(claim(), /pause/)
  })

  test('describes a project without users, sign-ins and callback hosts', () => {
    const text = textOf(claim({ users: 0, signIns: 0, callbackHosts: [] }))
    assert.match(text, /None yet, so users can’t sign in\./)
    assert.match(text, /0 users, 0 sign-ins/)
  })

  test('lists every callback host, and truncates none', () => {
    const hosts = Array.from(
      { length: 50 },
      (_, index) => `${'a'.repeat(60)}.${'b'.repeat(60)}.host-${index}.example:65535`,
    )
    const page = claim({ callbackHosts: hosts })
    for (const host of hosts) {
      assert.ok(page.includes(`<strong dir="ltr">${host}</strong>`), host)
    }
    assert.match(page, /<summary>44 more<\/summary>/)
  })
})

/** The links of a page, without those of its footer. */
const linksOf = (page: string) =>
  readControls(page.replace(/<footer>.*<\/footer>/s, '')).links.map(({ href }) => href)

describe('the claim outcome page', () => {
  const outcome = (what: ClaimOutcome): string => String(claimOutcomePage(what, OPERATOR, ENGLISH))

  test('approved: links to the account and offers to replace the keys', () => {
    const page = outcome({
      outcome: 'approved',
      tenantId: TENANT,
      csrf: 'c5rf',
      keptKeys: true,
      keyGeneration: 3,
    })
    assert.deepEqual(linksOf(page), ['/account'])
    assert.deepEqual(formsOf(page), [
      [
        `/account/projects/${TENANT}/keys/replace`,
        [
          ['csrf', 'c5rf'],
          ['generation', '3'],
        ],
        [['Replace the keys', null]],
      ],
    ])
    assert.match(textOf(page), /The old keys work for 24 more hours/)
    assert.match(textOf(page), /its keys keep working/)
    const replaced = outcome({
      outcome: 'approved',
      tenantId: TENANT,
      csrf: 'c5rf',
      keptKeys: false,
      keyGeneration: 3,
    })
    assert.doesNotMatch(textOf(replaced), /keep working\./)
  })

  test('denied: says that nothing was changed, and when the project ends', () => {
    const page = outcome({
      outcome: 'denied',
      tenantId: TENANT,
      expiresAt: NOW + 50 * HOUR,
      now: NOW,
    })
    assert.match(
      textOf(page),
      /Request denied Nothing was changed\..*ends in 2 days, on 17 Nov 2026, 16:03 UTC/,
    )
    assert.deepEqual(readControls(page).forms, [])
  })

  test('already claimed: links to the project for its owner only', () => {
    const links = (byYou: boolean) =>
      linksOf(outcome({ outcome: 'already', tenantId: TENANT, byYou }))
    assert.deepEqual(links(true), [`/account/projects/${TENANT}`])
    assert.deepEqual(links(false), ['/account'])
  })

  test('a link that no longer works says why, and what to do', () => {
    const cases = [
      ['superseded', /There’s a newer link.*Open the last link/],
      ['expired', /This link has expired.*30 minutes.*Ask your agent for a new one/],
      ['ended', /This project has ended.*72 hours.*Ask your agent to create a new one/],
    ] as const
    for (const [what, words] of cases) {
      const page = outcome({ outcome: what, tenantId: TENANT })
      assert.match(textOf(page), words)
      assert.match(textOf(page), new RegExp(TENANT))
      assert.deepEqual(readControls(page).forms, [])
    }
  })
})
