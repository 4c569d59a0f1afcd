import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AUDIT_ACTIONS, AUTH_EVENT_KINDS } from '@gatehouse/contract'
import { readControls } from '../../../test/support/actors/html-controls.ts'
import {
  assertOwnAssetsOnly,
  assertSameTags,
  HOSTILE,
  OPERATOR,
  textOf,
} from '../../../test/support/actors/page-checks.ts'
import { claimOutcomePage } from './claim-outcome-page.ts'
import { claimPage } from './claim-page.ts'
import { type Dashboard, dashboardPage } from './dashboard-page.ts'
import { EVENT_WORDS } from './projects/activity.ts'
import { ACTION_WORDS } from './projects/changes-table.ts'
import { newKeysPage } from './projects/new-keys-page.ts'
import { projectDeletedPage } from './projects/project-deleted-page.ts'
import { type Project, projectPage } from './projects/project-page.ts'
import { accountSignInPage } from './sign-in-page.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-15T14:03:20Z')
const TENANT = 'swift-fox-running-k3qd'
const DAILY = [{ day: '2026-11-14', logins: 5, refreshes: 9, logouts: 1, failures: 2 }]

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
          tenantId: TENANT,
          createdAt: NOW - 48 * HOUR,
          claimedAt: NOW - 47 * HOUR,
          usersTotal: 12,
          activeSessions: 3,
          loginUrl: text,
          callbackHosts: [text],
          daily: DAILY,
          lastActivity: { event: 'authorize', userId: 1, email: text, createdAt: NOW, errorCode: null },
        },
      ],
      agents: [{ id: 7, name: text, describedAt: text, permissions: ['See'], createdAt: NOW - HOUR, lastUsedAt: NOW }],
      sessions: [
        { id: 's1', current: true, createdAt: NOW, lastUsedAt: NOW },
        { id: 's2', current: false, createdAt: NOW - 9 * HOUR, lastUsedAt: NOW - HOUR },
      ],
      statusMessage: text,
      ...changes,
    }),
  )

const OWN_CLIENT = {
  tenantId: TENANT,
  id: 'pc_1',
  provider: 'oidc-a',
  mode: 'own',
  sealed: null,
  redirectUri: 'https://app.example.com/relay',
  createdAt: NOW,
  testedAt: NOW,
  retiredAt: null,
} as const

const project = (text: string, changes: Partial<Project> = {}): string =>
  String(
    projectPage({
      operator: OPERATOR,
      now: NOW,
      csrf: 'c5rf',
      tenantId: TENANT,
      createdAt: NOW - 48 * HOUR,
      claimedAt: NOW - 47 * HOUR,
      loginUrl: text,
      callbackHosts: [text],
      users: { total: 1_204, recent: [{ id: 4, email: text, name: text, firstSeen: NOW - HOUR, lastSeen: NOW }] },
      sessions: { total: 1, recent: [{ id: 91, email: text, createdAt: NOW - HOUR, rotatedAt: NOW }] },
      daily: DAILY,
      keyGeneration: 0,
      activity: [
        { event: 'login_failed', userId: null, email: null, createdAt: NOW, errorCode: text },
        { event: 'logout', userId: 1, email: text, createdAt: NOW - HOUR, errorCode: null },
      ],
      removals: {
        removals: [{ userId: 4, email: text, requestedAt: NOW - HOUR, dueAt: NOW + 719 * HOUR }],
        hasMore: true,
      },
      providers: (['pending', 'failing', 'active'] as const).map((status, index) => ({
        name: `oidc-${index}${index}` as const,
        client: { ...OWN_CLIENT, status, clientId: text, displayName: text, issuer: `https://a.example/${text}` },
        inUse: null,
        redirectUri: text,
      })),
      availableProviders: ['github'],
      webhooks: [{ url: `https://app.example.com/${text}`, disabledReason: null, failingSince: NOW }],
      refusals: [{ code: 'invalidRedirectUri', sent: text, count: 2, lastAt: NOW, fix: text }],
      changes: [{ action: 'session.ended', actor: text, target: text, at: NOW }],
      statusMessage: text,
      wrongConfirmation: true,
      ...changes,
    }),
  )

/** Every page, with `text` wherever untrusted text is shown. */
const pages = (text: string): Readonly<Record<string, string>> => ({
  'account sign-in': String(
    accountSignInPage({ operator: OPERATOR, action: '/account/sign-in', csrf: text, next: text, statusMessage: text }),
  ),
  claim: String(
    claimPage({
      operator: OPERATOR,
      now: NOW,
      csrf: text,
      tenantId: text,
      createdAt: NOW,
      expiresAt: NOW,
      callbackHosts: [text],
      users: 0,
      signIns: 0,
      paused: true,
      confirmationCode: text,
      viewer: { signedIn: true, person: { email: text, name: text }, decideAction: '/d', switchAction: '/s' },
    }),
  ),
  'claim outcome': String(
    claimOutcomePage({ outcome: 'approved', tenantId: text, csrf: text, keptKeys: true, keyGeneration: 0 }, OPERATOR),
  ),
  dashboard: dashboard(text),
  project: project(text),
  'new keys': String(
    newKeysPage({
      operator: OPERATOR,
      now: NOW,
      csrf: text,
      tenantId: text,
      credentialsFileContent: text,
      oldKeysUntil: NOW + 24 * HOUR,
    }),
  ),
  'project deleted': String(projectDeletedPage({ tenantId: text, operator: OPERATOR })),
})

const harmless = pages('Ada')

for (const [name, page] of Object.entries(pages(HOSTILE))) {
  describe(`the ${name} page`, () => {
    test('has the same tags and attributes whatever the untrusted text contains', () => {
      assertSameTags(page, harmless[name] ?? '')
    })

    test('loads no third-party resource', () => {
      assertOwnAssetsOnly(page)
    })

    test('has one h1, unique ids and unique region names', () => {
      assert.equal(page.match(/<h1[ >]/g)?.length, 1)
      for (const names of [page.match(/(?<= id=")[^"]*/g), page.match(/(?<=role="region" aria-label=")[^"]*/g)]) {
        assert.equal(new Set(names).size, names?.length ?? 0)
      }
    })

    test('links and posts to paths of this site only', () => {
      const { forms, links } = readControls(page)
      for (const address of [...forms.map(({ action }) => action), ...links.map(({ href }) => href)]) {
        assert.match(address, /^\/(?![/\\])/)
      }
    })

    test('sends every form as a POST with the CSRF token', () => {
      for (const { method, names } of readControls(page).forms) {
        assert.equal(method, 'POST')
        assert.ok(names.has('csrf'))
      }
    })
  })
}

test('untrusted text cannot hide or reorder the words around it', () => {
  const { 'new keys': _verbatim, ...others } = pages('Ada\u202e\u200b')
  for (const [name, page] of Object.entries(others)) {
    // Status messages and code are shown verbatim.
    const shown = textOf(page.replaceAll(/<p class="notice" role="status">.*?<\/p>|<pre.*?<\/pre>/gs, ''))
    assert.doesNotMatch(shown, /[\u202e\u200b]/, name)
  }
})

/** The action, fields and buttons of each form. */
const formsOf = (page: string) =>
  readControls(page).forms.map(({ action, fields, buttons }) => [action, fields, buttons.map(({ text }) => text)])

describe('the account sign-in page', () => {
  test('has one button, and keeps the page to return to', () => {
    assert.deepEqual(
      formsOf(
        String(accountSignInPage({ operator: OPERATOR, action: '/account/sign-in', csrf: 'c5rf', next: '/claim/7' })),
      ),
      [
        [
          '/account/sign-in',
          [
            ['csrf', 'c5rf'],
            ['next', '/claim/7'],
          ],
          ['Sign in with Google'],
        ],
      ],
    )
  })

  test('has no CSRF field without a token', () => {
    const page = String(accountSignInPage({ operator: OPERATOR, action: '/account/sign-in', next: '/account' }))
    assert.deepEqual(formsOf(page), [['/account/sign-in', [['next', '/account']], ['Sign in with Google']]])
  })
})

describe('the dashboard', () => {
  test('has a form to end each session except the current one', () => {
    const csrf = ['csrf', 'c5rf']
    assert.deepEqual(formsOf(dashboard('Ada')), [
      ['/account/sign-out', [csrf], ['Sign out']],
      ['/account/agents/revoke', [csrf, ['grant', '7']], ['Revoke']],
      ['/account/sessions/end', [csrf, ['session', 's2']], ['End this session']],
      ['/account/sign-out-everywhere', [csrf], ['Sign out everywhere']],
    ])
    assert.match(dashboard('Ada'), /This browser/)
  })

  test('links to each project', () => {
    assert.ok(readControls(dashboard('Ada')).links.some(({ href }) => href === `/account/projects/${TENANT}`))
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
    assert.match(text, /Ask your agent.*POST \/api\/claim\/url.*Approve/s)
  })

  test('describes each "End this session" button with the session it ends', () => {
    const page = dashboard('Ada')
    const id = page.match(/aria-describedby="([^"]*)"/)?.[1]
    assert.ok(id && page.includes(`id="${id}"`))
  })
})

describe('the project page', () => {
  test('has a form for each action of the owner', () => {
    const csrf = ['csrf', 'c5rf']
    const at = `/account/projects/${TENANT}`
    assert.deepEqual(formsOf(project('Ada')), [
      ['/account/sign-out', [csrf], ['Sign out']],
      ...['oidc-00', 'oidc-11', 'oidc-22'].flatMap((name) => [
        [`${at}/providers/test`, [csrf, ['provider', name]], ['Test sign-in']],
        [`${at}/providers/remove`, [csrf, ['provider', name]], ['Remove']],
      ]),
      [`${at}/providers/share`, [csrf, ['provider', 'github']], ['Switch on GitHub']],
      [`${at}/sessions/end`, [csrf, ['session', '91']], ['End this session']],
      [`${at}/keys`, [csrf, ['generation', '0'], ['keys', 'overlap']], ['Replace keys']],
      [`${at}/delete`, [csrf, ['confirm', '']], ['Delete permanently']],
    ])
  })

  test('says how many of all users and sessions it lists', () => {
    assert.match(project('Ada'), /1 of 1,204 users, newest first/)
    assert.match(project('Ada'), /1 active session, last used first/)
  })

  test('has words for every kind of event', () => {
    for (const event of AUTH_EVENT_KINDS) {
      const page = project('Ada', { activity: [{ event, userId: null, email: null, createdAt: NOW, errorCode: null }] })
      assert.ok(page.includes(EVENT_WORDS[event]))
      assert.doesNotMatch(textOf(page), /login_|consent_|token_/)
    }
  })

  test('has words for every change and for who made it', () => {
    for (const action of AUDIT_ACTIONS) {
      const page = project('Ada', { changes: [{ action, actor: 'account:1', target: null, at: NOW }] })
      assert.ok(page.includes(ACTION_WORDS[action]))
      assert.match(page, /<td>You<\/td>/)
      assert.ok(!textOf(page).includes(action))
    }
  })

  test('says that nothing was deleted after a wrong confirmation', () => {
    assert.match(project('Ada'), /<details class="danger" open>.*Nothing was deleted\./s)
    const folded = project('Ada', { wrongConfirmation: false })
    assert.match(folded, /<details class="danger">/)
    assert.doesNotMatch(folded, /Nothing was deleted|aria-invalid/)
  })

  test('requires the project id to delete it', () => {
    assert.match(
      project('Ada'),
      new RegExp(`<label for="confirm">To confirm, type <code class="tenant">${TENANT}</code>`),
    )
    assert.match(project('Ada'), /<input id="confirm" name="confirm" type="text" required /)
  })

  test('has a sentence for each empty section', () => {
    const page = project('Ada', {
      loginUrl: null,
      callbackHosts: [],
      users: { total: 0, recent: [] },
      sessions: { total: 0, recent: [] },
      daily: [],
      activity: [],
      refusals: [],
      webhooks: [],
      removals: { removals: [], hasMore: false },
      changes: [],
    })
    for (const words of [
      /No changes/,
      /No user has asked to be removed/,
      /None in the last 24 hours/,
      /No users yet/,
      /No active sessions/,
      /No activity yet/,
      /No callback hosts yet/,
    ]) {
      assert.match(page, words)
    }
    assert.doesNotMatch(page, /NaN|undefined|null/)
  })

  test('keeps wide tables in a focusable region with a name', () => {
    for (const name of [
      'Recent activity',
      'Users',
      'Active sessions',
      'Refused sign-ins',
      'Webhooks',
      'Changes',
      'Removal requests',
    ]) {
      assert.ok(project('Ada').includes(`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table>`))
    }
  })
})

describe('the new keys page', () => {
  const content = '# Keep it.\nbase_url=https://gatehouse.example\ncoh_management_key=svc_man_a\n'
  const page = String(
    newKeysPage({
      operator: OPERATOR,
      now: NOW,
      csrf: 'c5rf',
      tenantId: TENANT,
      credentialsFileContent: content,
      oldKeysUntil: NOW + 24 * HOUR,
    }),
  )

  test('shows the key file verbatim, once', () => {
    assert.equal(page.split(`<code>${content}</code>`).length, 2)
    assert.equal(page.split('svc_man_a').length, 2)
  })

  test('says that the keys are shown once, and until when the old ones work', () => {
    assert.match(textOf(page), /shown once/)
    assert.match(textOf(page), /The old keys work until 16 Nov 2026, 14:03 UTC \(in 24 hours\)/)
  })
})
