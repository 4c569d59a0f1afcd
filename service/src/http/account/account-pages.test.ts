import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AUTH_EVENT_KINDS } from '@gatehouse/contract'
import { readControls } from '../../../test/support/actors/html-controls.ts'
import { assertOwnAssetsOnly, assertSameTags, HOSTILE, textOf } from '../../../test/support/actors/page-checks.ts'
import { claimOutcomePage } from './claim-outcome-page.ts'
import { claimPage } from './claim-page.ts'
import { type Dashboard, dashboardPage } from './dashboard-page.ts'
import { EVENT_WORDS } from './projects/activity.ts'
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
      agents: [{ id: 7, name: text, describedAt: text, may: ['See'], createdAt: NOW - HOUR, lastUsedAt: NOW }],
      sessions: [
        { id: 's1', current: true, createdAt: NOW, lastUsedAt: NOW },
        { id: 's2', current: false, createdAt: NOW - 9 * HOUR, lastUsedAt: NOW - HOUR },
      ],
      revocation: text,
      ...changes,
    }),
  )

const project = (text: string, changes: Partial<Project> = {}): string =>
  String(
    projectPage({
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
      activity: [
        { event: 'login_failed', userId: null, email: null, createdAt: NOW, errorCode: text },
        { event: 'logout', userId: 1, email: text, createdAt: NOW - HOUR, errorCode: null },
      ],
      revocation: text,
      wrongConfirmation: true,
      ...changes,
    }),
  )

/** Every page, with `text` in each place that somebody outside can fill. */
const pages = (text: string): Readonly<Record<string, string>> => ({
  'account sign-in': String(
    accountSignInPage({ action: '/account/sign-in', csrf: text, next: text, revocation: text }),
  ),
  claim: String(
    claimPage({
      now: NOW,
      csrf: text,
      tenantId: text,
      createdAt: NOW,
      expiresAt: NOW,
      callbackHosts: [text],
      people: 0,
      signIns: 0,
      paused: true,
      confirmationCode: text,
      viewer: { signedIn: true, person: { email: text, name: text }, decideAction: '/d', switchAction: '/s' },
    }),
  ),
  'claim outcome': String(claimOutcomePage({ outcome: 'approved', tenantId: text, csrf: text })),
  dashboard: dashboard(text),
  project: project(text),
  'new keys': String(
    newKeysPage({ now: NOW, csrf: text, tenantId: text, credentialsFileContent: text, oldKeysUntil: NOW + 24 * HOUR }),
  ),
  'project deleted': String(projectDeletedPage({ tenantId: text })),
})

const harmless = pages('Ada')

for (const [name, page] of Object.entries(pages(HOSTILE))) {
  describe(`the ${name} page`, () => {
    test('has the same tags and attributes whatever the text from outside says', () => {
      assertSameTags(page, harmless[name] ?? '')
    })

    test('asks only our own site for its style and pictures', () => {
      assertOwnAssetsOnly(page)
    })

    test('has one heading of the first rank, and no two places with the same id or region with the same name', () => {
      assert.equal(page.match(/<h1[ >]/g)?.length, 1)
      for (const names of [page.match(/(?<= id=")[^"]*/g), page.match(/(?<=role="region" aria-label=")[^"]*/g)]) {
        assert.equal(new Set(names).size, names?.length ?? 0)
      }
    })

    test('links and posts only to paths of ours', () => {
      const { forms, links } = readControls(page)
      for (const address of [...forms.map(({ action }) => action), ...links.map(({ href }) => href)]) {
        assert.match(address, /^\/(?![/\\])/)
      }
    })

    test('posts every form, with the csrf token', () => {
      for (const { method, names } of readControls(page).forms) {
        assert.equal(method, 'POST')
        assert.ok(names.has('csrf'))
      }
    })
  })
}

test('text that a stranger chose cannot hide or turn the words around it', () => {
  const { 'new keys': _verbatim, ...others } = pages('Ada\u202e\u200b')
  for (const [name, page] of Object.entries(others)) {
    // Our own sentences come from us as they are.
    const shown = textOf(page.replaceAll(/<p class="notice" role="status">.*?<\/p>|<pre.*?<\/pre>/gs, ''))
    assert.doesNotMatch(shown, /[\u202e\u200b]/, name)
  }
})

/** What each form of a page sends and which buttons it has. */
const formsOf = (page: string) =>
  readControls(page).forms.map(({ action, fields, buttons }) => [action, fields, buttons.map(({ text }) => text)])

describe('the sign-in to the account', () => {
  test('is one button, and remembers where to go', () => {
    assert.deepEqual(
      formsOf(String(accountSignInPage({ action: '/account/sign-in', csrf: 'c5rf', next: '/claim/7' }))),
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

  test('has no empty token where there is none', () => {
    const page = String(accountSignInPage({ action: '/account/sign-in', next: '/account' }))
    assert.deepEqual(formsOf(page), [['/account/sign-in', [['next', '/account']], ['Sign in with Google']]])
  })
})

describe('the dashboard', () => {
  test('has a form for each way out, and none for the session it is shown in', () => {
    const csrf = ['csrf', 'c5rf']
    assert.deepEqual(formsOf(dashboard('Ada')), [
      ['/account/sign-out', [csrf], ['Sign out']],
      ['/account/agents/revoke', [csrf, ['grant', '7']], ['Revoke']],
      ['/account/sessions/end', [csrf, ['session', 's2']], ['End this session']],
      ['/account/sign-out-everywhere', [csrf], ['Sign out everywhere']],
    ])
    assert.match(dashboard('Ada'), /This browser/)
  })

  test('leads to each project', () => {
    assert.ok(readControls(dashboard('Ada')).links.some(({ href }) => href === `/account/projects/${TENANT}`))
  })

  test('says which tier it is', () => {
    for (const [tier, words] of [
      ['free', /Free tier/],
      ['plus', /Plus tier/],
      ['pro', /Pro tier/],
    ] as const) {
      assert.match(dashboard('Ada', { account: { email: 'a@b.example', name: null, tier } }), words)
    }
  })

  test('without projects tells how to get one', () => {
    const text = textOf(dashboard('Ada', { projects: [], sessions: [], usage: [] }))
    assert.match(text, /No project yet/)
    assert.match(text, /Ask your agent.*POST \/api\/claim\/url.*approve/s)
  })

  test('a button that ends a session is tied to the words that say which', () => {
    const page = dashboard('Ada')
    const place = page.match(/aria-describedby="([^"]*)"/)?.[1]
    assert.ok(place && page.includes(`id="${place}"`))
  })
})

describe('a project', () => {
  test('has a form for each thing its owner can do', () => {
    const csrf = ['csrf', 'c5rf']
    const at = `/account/projects/${TENANT}`
    assert.deepEqual(formsOf(project('Ada')), [
      ['/account/sign-out', [csrf], ['Sign out']],
      [`${at}/sessions/end`, [csrf, ['session', '91']], ['End this session']],
      [`${at}/keys`, [csrf], ['Replace keys']],
      [`${at}/delete`, [csrf, ['confirm', '']], ['Delete for ever']],
    ])
  })

  test('tells the newest people from all of them', () => {
    assert.match(project('Ada'), /1 of 1,204 people, newest first/)
    assert.match(project('Ada'), /1 active session, last used first/)
  })

  test('has words for every kind of event', () => {
    for (const event of AUTH_EVENT_KINDS) {
      const page = project('Ada', { activity: [{ event, userId: null, email: null, createdAt: NOW, errorCode: null }] })
      assert.ok(page.includes(EVENT_WORDS[event]))
      assert.doesNotMatch(textOf(page), /login_|consent_|token_/)
    }
  })

  test('a wrong confirmation opens the fold and says that nothing was deleted', () => {
    assert.match(project('Ada'), /<details class="danger" open>.*Nothing was deleted\./s)
    const calm = project('Ada', { wrongConfirmation: false })
    assert.match(calm, /<details class="danger">/)
    assert.doesNotMatch(calm, /Nothing was deleted|aria-invalid/)
  })

  test('asks for its id before it is deleted', () => {
    assert.match(
      project('Ada'),
      new RegExp(`<label for="confirm">To confirm, type <code class="tenant">${TENANT}</code>`),
    )
    assert.match(project('Ada'), /<input id="confirm" name="confirm" type="text" required /)
  })

  test('with nothing in it is still a page', () => {
    const page = project('Ada', {
      loginUrl: null,
      callbackHosts: [],
      users: { total: 0, recent: [] },
      sessions: { total: 0, recent: [] },
      daily: [],
      activity: [],
    })
    for (const words of [
      /Nobody has signed in yet/,
      /Nobody is signed in/,
      /Nothing has happened yet/,
      /No address yet/,
    ]) {
      assert.match(page, words)
    }
    assert.doesNotMatch(page, /NaN|undefined|null/)
  })

  test('keeps wide tables in a region that can be focused and has a name', () => {
    for (const name of ['Recent activity', 'People', 'Active sessions']) {
      assert.ok(project('Ada').includes(`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table>`))
    }
  })
})

describe('new keys', () => {
  const content = '# Keep it.\nbase_url=https://gatehouse.example\ncoh_management_key=svc_man_a\n'
  const page = String(
    newKeysPage({
      now: NOW,
      csrf: 'c5rf',
      tenantId: TENANT,
      credentialsFileContent: content,
      oldKeysUntil: NOW + 24 * HOUR,
    }),
  )

  test('are shown as they are to be saved, once on the page', () => {
    assert.equal(page.split(`<code>${content}</code>`).length, 2)
    assert.equal(page.split('svc_man_a').length, 2)
  })

  test('say that they are shown once, and until when the old ones work', () => {
    assert.match(textOf(page), /shown once/)
    assert.match(textOf(page), /The old keys work until 16 Nov 2026, 14:03 UTC \(in 24 hours\)/)
  })
})
