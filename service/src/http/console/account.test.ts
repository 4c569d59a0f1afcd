import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describePages, formsOf } from '../../../test/support/actors/describe-pages.ts'
import { readControls } from '../../../test/support/actors/html-controls.ts'
import { OPERATOR, textOf } from '../../../test/support/actors/page-checks.ts'
import { ENGLISH } from '../pages/languages/language.ts'
import { accountSignInPage, type Dashboard, dashboardPage } from './account.ts'
import { claimOutcomePage, claimPage } from './claim-page.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-15T14:03:20Z')
const TENANT = 'swift-fox-running-k3qd'
const DAILY = [
  { day: '2026-11-14', logins: 5, refreshes: 9, logouts: 1, failures: 2, starts: 0, denials: 0 },
]

const dashboard = (text: string, changes: Partial<Dashboard> = {}): string =>
  String(
    dashboardPage({
      operator: OPERATOR,
      now: NOW,
      csrf: 'c5rf',
      account: { email: text, name: text, tier: 'free' },
      usage: [{ label: text, used: 4_100, limit: 5_000, resetsAt: NOW + HOUR }],
      projects: [
        {
          tenant: {
            id: TENANT,
            suspension: null,
            createdAt: NOW - 48 * HOUR,
            claimedAt: NOW - 47 * HOUR,
          },
          name: text,
          logo: null,
          eventsThisMonth: 17,
          users: { total: 12 },
          activeSessions: 3,
          callbackHosts: [text],
          daily: DAILY,
          activity: [
            { event: 'authorize', userId: 1, email: text, createdAt: NOW, errorCode: null },
          ],
        },
      ],
      search: { q: '', sort: 'newest' },
      agents: [
        {
          id: 7,
          clientId: 'https://agent.example/client.json',
          clientName: text,
          scopes: ['mcp:tenant:read'],
          createdAt: NOW - HOUR,
          lastUsedAt: NOW,
        },
      ],
      sessions: [
        { id: 1, device: 'Firefox on Linux', createdAt: NOW, lastUsedAt: NOW },
        { id: 2, device: null, createdAt: NOW - 9 * HOUR, lastUsedAt: NOW - HOUR },
      ],
      current: 1,
      statusMessage: text,
      ...changes,
    }),
  )

/** Every page, with `text` wherever untrusted text is shown. */
const pages = (text: string): Readonly<Record<string, string>> => ({
  'account sign-in': String(
    accountSignInPage({ operator: OPERATOR, next: text, statusMessage: text }),
  ),
  claim: String(
    claimPage({
      operator: OPERATOR,
      language: ENGLISH,
      now: NOW,
      csrf: text,
      tenant: { id: text, createdAt: NOW, expiresAt: NOW, pausedAt: NOW },
      callbackHosts: [text],
      users: 0,
      signIns: 0,
      claim: { confirmationCode: text },
      viewer: {
        signedIn: true,
        person: { email: text, name: text },
        decideAction: '/d',
        switchAction: '/s',
      },
    }),
  ),
  'claim outcome': String(
    claimOutcomePage(
      { outcome: 'approved', tenantId: text, csrf: text, keptKeys: true, keyGeneration: 0 },
      OPERATOR,
      ENGLISH,
    ),
  ),
  dashboard: dashboard(text),
})

describePages(pages)

describe('the account sign-in page', () => {
  test('has one button, keeps the page to return to, and has no CSRF field: there is no session', () => {
    const page = String(
      accountSignInPage({ operator: OPERATOR, next: '/claim/7', statusMessage: undefined }),
    )
    assert.deepEqual(formsOf(page), [
      ['/account/sign-in', [['next', '/claim/7']], ['Sign in with Google']],
    ])
  })
})

describe('the dashboard', () => {
  test('has a form to end each session except the current one', () => {
    const csrf = ['csrf', 'c5rf']
    assert.deepEqual(formsOf(dashboard('Ada')), [
      ['/account/sign-out', [csrf], ['Sign out']],
      ['/account/agents/revoke', [csrf, ['grant', '7']], ['Revoke']],
      ['/account/sessions/end', [csrf, ['session', '2']], ['End this session']],
      ['/account/sign-out-everywhere', [csrf], ['Sign out everywhere']],
    ])
    assert.match(dashboard('Ada'), /This browser/)
  })

  test('links to each project', () => {
    assert.ok(
      readControls(dashboard('Ada')).links.some(
        ({ href }) => href === `/account/projects/${TENANT}`,
      ),
    )
  })

  test('shows the tier', () => {
    for (const [tier, words] of [
      ['free', /Free tier/],
      ['plus', /Plus tier/],
      ['pro', /Pro tier/],
    ] as const) {
      assert.match(dashboard('Ada', { account: { email: 'a@b.example', name: null, tier } }), words)
    }
  })

  test('without projects explains how to get one', () => {
    const text = textOf(dashboard('Ada', { projects: [], sessions: [], usage: [] }))
    assert.match(text, /No projects yet/)
    assert.match(text, /tell your coding agent.*claim link.*Approve/s)
  })

  test('describes each "End this session" button with the session it ends', () => {
    const page = dashboard('Ada')
    const id = page.match(/aria-describedby="([^"]*)"/)?.[1]
    assert.ok(id && page.includes(`id="${id}"`))
  })
})
