import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AUDIT_ACTIONS, AUTH_EVENT_KINDS } from '@gatehouse-auth/contract'
import { describePages, formsOf } from '../../../../test/support/actors/describe-pages.ts'
import { readControls } from '../../../../test/support/actors/html-controls.ts'
import { OPERATOR, textOf } from '../../../../test/support/actors/page-checks.ts'
import type { RejectedForm } from '../form-state.ts'
import { brandSection } from '../settings/brand.ts'
import { clientRoute } from '../settings/client-page.ts'
import { domainsSection } from '../settings/domains.ts'
import { idTokensSection } from '../settings/id-tokens.ts'
import { invitationsSection } from '../settings/invitations.ts'
import { providersSection } from '../settings/providers.ts'
import {
  accessSection,
  callbacksSection,
  consentSection,
  nameSection,
  tokensSection,
} from '../settings/sections.ts'
import { type SettingsPage, settingsPage } from '../settings/settings-page.ts'
import { webhookRoute } from '../settings/webhook-page.ts'
import { webhooksSection } from '../settings/webhooks.ts'
import { EVENT_WORDS } from './activity.ts'
import { ACTION_WORDS } from './changes.ts'
import { dangerRoute, projectDeletedPage } from './danger.ts'
import { firstSteps } from './first-steps.ts'
import { keysRoute } from './keys.ts'
import { newKeysPage } from './new-keys.ts'
import { newProjectPage } from './new-project.ts'
import { type Overview, overviewRoute } from './overview.ts'
import { type Frame, projectLayout } from './project-page.ts'
import { type Sessions, sessionsRoute } from './sessions.ts'
import { type UserDetails, userRoute } from './user-page.ts'
import { type Users, usersRoute } from './users.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-15T14:03:20Z')
const TENANT = 'swift-fox-running-k3qd'
const AT = `/account/projects/${TENANT}`
const CSRF = ['csrf', 'c5rf']
const EVENT_BOXES = (kinds: readonly string[]) => kinds.map((kind) => [`event_${kind}`, 'yes'])

const frame = (text: string): Frame => ({
  operator: OPERATOR,
  now: NOW,
  csrf: 'c5rf',
  project: {
    tenantId: TENANT,
    name: text,
    ownName: text,
    callbackHosts: [text],
    logo: null,
    suspension: { at: NOW, reason: text },
    rowsLeft: 12_000,
  },
  notice: { message: text },
})

const STEPS = {
  baseUrl: 'https://gatehouse.example',
  tenantId: TENANT,
  loginUrl: 'https://gatehouse.example/edge/auth/x/google',
  keysUsed: false,
  signedIn: false,
}

const overview = (text: string, changes: Partial<Overview> = {}): string =>
  String(
    overviewRoute.page(frame(text), {
      createdAt: NOW - 48 * HOUR,
      claimedAt: NOW - 47 * HOUR,
      steps: { ...STEPS, loginUrl: text, tenantId: text },
      usage: [{ label: text, used: 9, limit: 10, resetsAt: NOW, reachedAt: NOW }],
      users: 1_204,
      sessions: 1,
      daily: [
        {
          day: '2026-11-14',
          logins: 5,
          refreshes: 9,
          logouts: 1,
          failures: 2,
          starts: 0,
          denials: 0,
        },
      ],
      query: { days: 7, chart: 'refreshes', event: 'logout', user: 4, before: 90 },
      olderThan: 12,
      activity: [
        {
          id: 9,
          event: 'login_failed',
          userId: null,
          email: null,
          createdAt: NOW,
          errorCode: text,
        },
        { id: 8, event: 'logout', userId: 1, email: text, createdAt: NOW - HOUR, errorCode: null },
      ],
      refusals: [{ code: 'invalidRedirectUri', sent: text, count: 2, lastAt: NOW, fix: text }],
      changes: [{ action: 'session.ended', actor: text, target: text, at: NOW }],
      ...changes,
    }),
  )

const USER = {
  id: 4,
  email: 'Ada',
  name: 'Ada',
  picture: null,
  firstSeen: NOW - HOUR,
  lastSeen: NOW,
  blockedAt: NOW,
}

const users = (text: string, changes: Partial<Users> = {}): string =>
  String(
    usersRoute.page(frame(text), {
      search: { q: text, blocked: true, sort: undefined, after: 9 },
      users: [{ ...USER, email: text, name: text }],
      hasMore: true,
      total: 1_204,
      isSortable: true,
      removals: {
        removals: [{ userId: 4, email: text, requestedAt: NOW - HOUR, dueAt: NOW + 719 * HOUR }],
        hasMore: true,
      },
      ...changes,
    }),
  )

const IDENTITIES = [
  { provider: 'google', issuer: 'i', subject: 's1', email: 'Ada', pinned: true, lastSeen: NOW },
  { provider: null, issuer: 'i', subject: 's2', email: 'Ada', pinned: false, lastSeen: NOW - HOUR },
] as const

const INVITATION = {
  tenantId: 't',
  id: 'inv_1',
  claims: {},
  uses: 1,
  used: 0,
  createdAt: NOW,
  expiresAt: NOW + 1,
}

const user = (
  text: string,
  changes: Partial<UserDetails> = {},
  around: Partial<Frame> = {},
): string =>
  String(
    userRoute.page(
      { ...frame(text), ...around },
      {
        user: { ...USER, email: text, name: text },
        identities: IDENTITIES.map((identity) => ({ ...identity, issuer: text, email: text })),
        invitations: [{ ...INVITATION, email: text }],
        sessions: {
          sessions: [{ id: 7, createdAt: NOW - HOUR, rotatedAt: NOW, expiresAt: NOW + HOUR }],
          hasMore: true,
        },
        activity: [
          { id: 1, event: 'authorize', userId: 4, email: text, createdAt: NOW, errorCode: null },
        ],
        metadata: { value: { text }, etag: '"x"' },
        claims: { text },
        ...changes,
      },
    ),
  )

const KEY = {
  id: '1a2b3c4d',
  issuedToOwner: true,
  createdAt: NOW - 48 * HOUR,
  expiresAt: null,
} as const

const KEYS: Parameters<typeof keysRoute.page>[1] = {
  keyGeneration: 0,
  fileIsKept: true,
  keys: [
    { ...KEY, kind: 'management', lastUsedAt: NOW - HOUR / 2 },
    { ...KEY, kind: 'application', lastUsedAt: null, expiresAt: NOW + HOUR, issuedToOwner: false },
  ],
}

const SESSION = { id: 91, userId: 4, email: 'Ada', createdAt: NOW - HOUR, rotatedAt: NOW }

const sessions = (text: string, changes: Partial<Sessions> = {}): string => {
  const page: Sessions = {
    total: 1,
    sessions: [{ ...SESSION, email: text }],
    hasMore: false,
    before: undefined,
  }
  return String(sessionsRoute.page(frame(text), { ...page, ...changes }))
}

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

const DOMAIN = {
  tenantId: TENANT,
  host: 'app.example.com',
  status: 'pending',
  method: null,
  verifiedAt: null,
  checkedAt: NOW,
  nextCheckAt: null,
  misses: 0,
  createdAt: NOW,
} as const

const settings = (text: string, name: SettingsPage): string => {
  const at = frame(text)
  const settings = {
    callback_mode: 'either',
    refresh_leeway_seconds: 5,
    remember_consent: false,
  } as const
  const pages = {
    general: [[nameSection, { name: text }]],
    callbacks: [[callbacksSection, { urls: [text], warnings: [text] }]],
    access: [
      [accessSection, { admission: 'open', allowed_domains: [text], allowed_emails: [text] }],
      [invitationsSection, { invitations: [{ ...INVITATION, email: text }], link: text }],
    ],
    pages: [
      [
        brandSection,
        {
          brand: {
            name: text,
            privacyUrl: text,
            termsUrl: text,
            accent: 'blue',
            logo: null,
            shownOn: [text],
          },
        },
      ],
      [domainsSection, [DOMAIN]],
      [consentSection, settings],
    ],
    providers: [
      [
        providersSection,
        {
          providers: (['pending', 'failing', 'active'] as const).map((status, index) => ({
            name: `oidc-${index}${index}` as const,
            client: {
              ...OWN_CLIENT,
              status,
              clientId: text,
              displayName: text,
              issuer: `https://a.example/${text}`,
            },
            inUse: null,
            redirectUri: text,
          })),
          available: ['github'],
        },
      ],
    ],
    tokens: [
      [tokensSection, settings],
      [
        idTokensSection,
        {
          issuer: 'https://login.example.com/edge/auth/t',
          settings: { audiences: ['convex', 'neon', text], claims: { role: text } },
        },
      ],
    ],
    webhooks: [
      [
        webhooksSection,
        [
          {
            id: 'wh_1',
            url: `https://app.example.com/${text}`,
            disabledReason: null,
            failingSince: NOW,
          },
        ],
      ],
    ],
  } as const
  return String(projectLayout(at, 'settings', settingsPage(at, name, ...pages[name])))
}

const SETTINGS: readonly SettingsPage[] = [
  ...(['general', 'callbacks', 'access', 'pages', 'providers', 'tokens', 'webhooks'] as const),
]

const newKeys = (
  text: string,
  credentialsFileContent = text,
  event: 'created' | 'replaced' = 'created',
): string =>
  String(
    newKeysPage({
      operator: OPERATOR,
      now: NOW,
      csrf: 'c5rf',
      tenantId: text,
      credentialsFileContent,
      fileIsKept: false,
      oldKeysUntil: NOW + 24 * HOUR,
      event,
      steps: { ...STEPS, tenantId: text },
    }),
  )

const webhook = (text: string, secret: string | null = null): string =>
  String(
    webhookRoute.page(frame(text), {
      webhook: {
        id: 'wh_1',
        url: `https://app.example.com/${text}`,
        events: ['authorize', 'logout'],
        disabledReason: null,
        failingSince: NOW - HOUR,
        waitingRetries: 2,
        replay: { after: 0, until: 9 },
      },
      deliveries: [
        {
          id: 2,
          type: 'social_login.authorize',
          eventId: 9,
          attempt: 1,
          at: NOW,
          status: 200,
          ms: 41,
          error: null,
        },
        {
          id: 1,
          type: 'webhook.test',
          eventId: null,
          attempt: 1,
          at: NOW - HOUR,
          status: null,
          ms: 15_000,
          error: 'timeout',
        },
      ],
      secret,
    }),
  )

const rejectedWith = (id: string, fields: Record<string, string>, path = 'name'): RejectedForm => ({
  id,
  form: new URLSearchParams(fields),
  message: 'Nothing was changed.',
  problems: [{ path, problem: 'Enter another.' }],
  status: 400,
})

describePages(
  (text) => ({
    webhook: webhook(text, text),
    overview: overview(text),
    users: users(text),
    user: user(text),
    sessions: sessions(text, { hasMore: true }),
    ...Object.fromEntries(SETTINGS.map((name) => [name, settings(text, name)])),
    keys: String(keysRoute.page(frame(text), KEYS)),
    client: String(
      clientRoute.page(frame(text), {
        kind: 'oidc',
        provider: {
          name: 'oidc-a',
          client: {
            ...OWN_CLIENT,
            status: 'pending',
            clientId: text,
            issuer: 'https://id.example.com',
            displayName: text,
          },
          inUse: null,
          redirectUri: text,
        },
        providers: [],
        redirectUri: text,
        relay: text,
      }),
    ),
    'new client': String(
      clientRoute.page(
        { ...frame(text), rejected: rejectedWith('client', { name: text, client_secret: text }) },
        {
          kind: 'oidc',
          provider: null,
          providers: [],
          redirectUri: text,
          relay: null,
        },
      ),
    ),
    danger: String(
      dangerRoute.page(
        { ...frame(text), rejected: rejectedWith('delete', { confirm: text }, 'confirm') },
        null,
      ),
    ),
    'new keys': newKeys(text),
    'new project': String(
      newProjectPage({
        operator: OPERATOR,
        csrf: 'c5rf',
        nonce: 'n',
        rejected: rejectedWith('new-project', { name: text, callback_urls: text }),
      }),
    ),
    'project deleted': String(
      projectDeletedPage({
        tenantId: text,
        rowsLeft: 12_000,
        rowsTotal: 90_000,
        operator: OPERATOR,
      }),
    ),
  }),
  ['new keys', 'user', 'users'],
)

test('every tab links to all of them and marks itself as the current one', () => {
  const pages = [overview('Ada'), users('Ada'), sessions('Ada')]
  for (const [index, path] of ['', '/users', '/sessions'].entries()) {
    const page = pages[index] ?? ''
    assert.deepEqual(page.match(/(?<=<a href=")[^"]*(?=" aria-current="page")/g), [AT + path])
    assert.deepEqual(
      readControls(page)
        .links.filter(({ href }) => href.startsWith(AT))
        .map(({ text }) => text)
        .slice(0, 6),
      ['Overview', 'Users', 'Sessions', 'Settings', 'Keys', 'Danger'],
    )
  }
})

test('beside new keys, which are shown once, the first steps open the page about OpenID libraries in another tab', () => {
  const linkOf = (besideKeys: boolean) =>
    /<a href="\/docs\/openid"[^>]*>/.exec(String(firstSteps({ ...STEPS, besideKeys })))?.[0]
  assert.equal(linkOf(true), '<a href="/docs/openid" target="_blank">')
  assert.equal(linkOf(false), '<a href="/docs/openid">')
})

describe('the overview', () => {
  test('has words for every kind of event', () => {
    for (const event of AUTH_EVENT_KINDS) {
      const page = overview('Ada', {
        activity: [{ id: 1, event, userId: null, email: null, createdAt: NOW, errorCode: null }],
        query: { days: 7, chart: 'refreshes', event, user: undefined, before: undefined },
      })
      assert.ok(page.includes(EVENT_WORDS[event]))
      assert.doesNotMatch(textOf(page), /login_|consent_|token_/)
    }
  })

  test('has words for every change and for who made it', () => {
    for (const action of AUDIT_ACTIONS) {
      const page = overview('Ada', {
        changes: [{ action, actor: 'account:1', target: null, at: NOW }],
      })
      assert.ok(page.includes(ACTION_WORDS[action]))
      assert.match(page, /<td>You<\/td>/)
      assert.ok(!textOf(page).includes(action))
    }
  })

  test('has a sentence for each empty section', () => {
    const page = overview('Ada', {
      query: { days: 30, chart: 'sign-ins', event: undefined, user: undefined, before: undefined },
      olderThan: null,
      steps: { ...STEPS, loginUrl: null },
      daily: [],
      activity: [],
      refusals: [],
      changes: [],
    })
    for (const words of [/No changes/, /No activity yet/, /Register a callback first/]) {
      assert.match(page, words)
    }
    assert.doesNotMatch(page, /NaN|undefined|null/)
  })

  test('shows the whole fix of a refused sign-in, and the whole address that was sent', () => {
    const sent = `https://app.example.com/${'callback/'.repeat(19)}`
    const fix = `Send ${sent.slice(0, -1)} or register ${sent} with this project. To let it end there, add the address.`
    const refusal = { code: 'invalidRedirectUri', sent, count: 2, lastAt: NOW, fix } as const
    const page = overview('Ada', { refusals: [refusal] })
    assert.ok(page.includes(`<code class="sent">${sent}</code>`))
    assert.ok(page.includes(`<td class="refusal">${fix}</td>`))
  })
})

describe('the other tabs', () => {
  test('have a form for each action of the owner', () => {
    const signOut = ['/account/sign-out', [CSRF], ['Sign out']]
    const pages: Readonly<Record<SettingsPage, unknown[]>> = {
      general: [[`${AT}/settings/name`, [CSRF, ['name', 'Ada']], ['Save name']]],
      callbacks: [
        [`${AT}/settings/callbacks`, [CSRF, ['callback_urls', '\nAda']], ['Save callback URLs']],
      ],
      access: [
        [
          `${AT}/settings/access`,
          [CSRF, ['admission', 'open'], ['allowed_domains', '\nAda'], ['allowed_emails', '\nAda']],
          ['Save who can sign in'],
        ],
        [`${AT}/settings/access/invitations/delete`, [CSRF, ['invitation', 'inv_1']], ['Delete']],
        [
          `${AT}/settings/access/invitations`,
          [CSRF, ['email', ''], ['role', ''], ['uses', '1'], ['expires_in', '7']],
          ['Create invitation'],
        ],
      ],
      pages: [
        [
          `${AT}/settings/pages/brand`,
          [CSRF, ['name', 'Ada'], ['privacy_url', 'Ada'], ['terms_url', 'Ada'], ['accent', 'blue']],
          ['Save branding'],
        ],
        [`${AT}/settings/pages/logo`, [CSRF, ['logo', '']], ['Upload logo']],
        [`${AT}/settings/pages/brand/delete`, [CSRF], ['Remove branding']],
        [`${AT}/settings/pages/domains/check`, [CSRF, ['host', 'app.example.com']], ['Check now']],
        [`${AT}/settings/pages/domains/delete`, [CSRF, ['host', 'app.example.com']], ['Remove']],
        [`${AT}/settings/pages/domains`, [CSRF, ['host', '']], ['Add domain']],
        [`${AT}/settings/pages/consent`, [CSRF], ['Save consent']],
      ],
      providers: [
        ...['oidc-00', 'oidc-11', 'oidc-22'].flatMap((name) => [
          [`${AT}/settings/providers/test`, [CSRF, ['provider', name]], ['Test sign-in']],
          [`${AT}/settings/providers/remove`, [CSRF, ['provider', name]], ['Remove']],
        ]),
        [`${AT}/settings/providers/share`, [CSRF, ['provider', 'github']], ['Switch on GitHub']],
      ],
      tokens: [
        [
          `${AT}/settings/tokens`,
          [CSRF, ['callback_mode', 'either'], ['refresh_leeway_seconds', '5']],
          ['Save tokens'],
        ],
        [
          `${AT}/settings/tokens/preset`,
          [CSRF, ['audience', 'authenticated']],
          ['Switch on for Supabase'],
        ],
        [
          `${AT}/settings/tokens/id-tokens`,
          [CSRF, ['audiences', '\nconvex\nneon\nAda'], ['claims', '\n{\n  "role": "Ada"\n}']],
          ['Save ID tokens'],
        ],
        [`${AT}/settings/tokens/id-tokens/off`, [CSRF], ['Switch off']],
      ],
      webhooks: [
        [
          `${AT}/settings/webhooks`,
          [
            CSRF,
            ['url', ''],
            ...EVENT_BOXES(['consent_denied', 'authorize', 'login_failed', 'logout']),
          ],
          ['Add endpoint'],
        ],
      ],
    }
    for (const name of SETTINGS) {
      assert.deepEqual(formsOf(settings('Ada', name)).slice(1), pages[name])
    }
    const hook = `${AT}/settings/webhooks/wh_1`
    assert.deepEqual(formsOf(webhook('Ada')), [
      signOut,
      [`${hook}/test`, [CSRF], ['Send a test']],
      [`${hook}/status`, [CSRF, ['status', 'disabled']], ['Pause']],
      [`${hook}/replay`, [CSRF, ['event_ids', '9']], ['Send again']],
      [`${hook}/replay`, [CSRF, ['after', '0']], ['Send them again']],
      [
        `${hook}/change`,
        [CSRF, ['url', 'https://app.example.com/Ada'], ...EVENT_BOXES(['authorize', 'logout'])],
        ['Save endpoint'],
      ],
      [`${hook}/rotate`, [CSRF], ['Replace the secret']],
      [`${hook}/delete`, [CSRF], ['Delete this endpoint']],
    ])
    assert.deepEqual(formsOf(sessions('Ada')), [
      signOut,
      [`${AT}/sessions/end`, [CSRF, ['session', '91']], ['End this session']],
    ])
    assert.deepEqual(formsOf(String(keysRoute.page(frame('Ada'), KEYS))), [
      signOut,
      [`${AT}/keys/replace`, [CSRF, ['generation', '0'], ['keys', 'overlap']], ['Replace keys']],
    ])
    assert.deepEqual(formsOf(String(dangerRoute.page(frame('Ada'), null))), [
      signOut,
      [`${AT}/danger/delete`, [CSRF, ['confirm', '']], ['Delete permanently']],
    ])
  })

  test('say how many of all users and sessions they list', () => {
    assert.match(users('Ada'), /1,204 users found, newest first/)
    assert.match(sessions('Ada', { total: 1_204 }), /1,204 active sessions, newest first/)
  })

  test('have a sentence for each empty section', () => {
    const page = users('Ada', {
      search: { q: '', blocked: false, sort: undefined, after: 0 },
      users: [],
      total: 0,
      removals: { removals: [], hasMore: false },
    })
    assert.match(page, /No users yet/)
    assert.match(page, /No user has asked to be removed/)
    assert.match(sessions('Ada', { total: 0, sessions: [] }), /No active sessions/)
    assert.match(sessions('Ada', { sessions: [], before: 4 }), /No older sessions/)
    const unregistered = {
      ...frame('Ada'),
      project: { ...frame('Ada').project, callbackHosts: [] },
    }
    assert.match(String(keysRoute.page(unregistered, KEYS)), /No callback hosts yet/)
    assert.match(
      settingsPage(frame('Ada'), 'webhooks', [webhooksSection, []]).toString(),
      /None yet/,
    )
    assert.match(
      settingsPage(frame('Ada'), 'providers', [providersSection, null]).toString(),
      /Available after you/,
    )
  })

  test('keep wide tables in a focusable region with a name', () => {
    const pages = [overview('Ada'), users('Ada'), settings('Ada', 'webhooks')].join()
    for (const name of [
      'Recent activity',
      'Users',
      'Refused sign-ins',
      'Webhooks',
      'Changes',
      'Removal requests',
    ]) {
      assert.ok(
        pages.includes(
          `<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table>`,
        ),
      )
    }
  })
})

const JSON_OF_ADA = `\n${JSON.stringify({ text: 'Ada' }, null, 2)}`

describe('the page of a user', () => {
  const at = `${AT}/users/4`

  test('has a form for each action of the owner', () => {
    assert.deepEqual(formsOf(user('Ada')).slice(1), [
      [`${at}/end-sessions`, [CSRF], ['End all sessions']],
      [`${at}/unblock`, [CSRF], ['Unblock']],
      [
        `${at}/pin-identity`,
        [CSRF, ['provider', 'google'], ['subject', 's1'], ['pinned', 'false']],
        ['Unpin'],
      ],
      [
        `${at}/remove-identity`,
        [CSRF, ['provider', 'google'], ['subject', 's1']],
        ['Remove this identity'],
      ],
      [`${at}/merge`, [CSRF, ['from', '']], ['Merge users']],
      [`${AT}/sessions/end`, [CSRF, ['session', '7'], ['user', '4']], ['End this session']],
      [`${at}/metadata`, [CSRF, ['etag', '"x"'], ['metadata', JSON_OF_ADA]], ['Save metadata']],
      [`${at}/claims`, [CSRF, ['claims', JSON_OF_ADA]], ['Save claims']],
      [`${at}/delete`, [CSRF], ['Delete user']],
    ])
    const unblocked = user('Ada', {
      identities: IDENTITIES.slice(0, 1),
      user: { ...USER, blockedAt: null },
      sessions: { sessions: [], hasMore: false },
    })
    assert.ok(formsOf(unblocked).some(([action]) => action === `${at}/block`))
    assert.ok(!unblocked.includes('end-sessions'))
    assert.ok(!unblocked.includes('remove-identity'), 'the only identity stays')
    assert.doesNotMatch(unblocked, /aria-invalid|Nothing was|Blocked</)
  })

  test('shows the problem of a form beside its field', () => {
    const rejected = rejectedWith('metadata', { metadata: '{' }, 'metadata')
    assert.match(user('Ada', {}, { rejected }), /id="metadata-metadata-problem"><p>Enter another\./)
    assert.match(
      user('Ada', {}, { rejected: rejectedWith('delete', {}, 'confirm') }),
      /class="problem">Enter another/,
    )
  })
})

describe('the users tab', () => {
  test('keeps the search in its links to other pages', () => {
    const links = readControls(users('Ada')).links.map(({ href }) => href.replaceAll('&amp;', '&'))
    assert.ok(links.includes(`${AT}/users?q=Ada&blocked=true`))
    assert.ok(links.includes(`${AT}/users?q=Ada&blocked=true&after=4`))
    const search = { q: '', blocked: false, sort: 'name', after: 25 } as const
    const sorted = readControls(users('Ada', { search })).links.map(({ href }) =>
      href.replaceAll('&amp;', '&'),
    )
    assert.ok(
      sorted.includes(`${AT}/users?sort=name&after=50`),
      'the next page of a sorted list is a number of users away',
    )
    const large = users('Ada', { search, isSortable: false, total: null })
    assert.doesNotMatch(large, /Sort by|sort=name/)
    assert.ok(links.includes(`${AT}/users/4`))
  })
})

describe('the danger tab', () => {
  test('requires the project id to delete it', () => {
    const page = String(dangerRoute.page(frame('Ada'), null))
    assert.ok(page.includes(`<code class="tenant">${TENANT}</code>`))
    assert.match(page, /<input id="delete-confirm" name="confirm" type="text" value="" .*required/)
  })
})

describe('the new keys page', () => {
  const content = '# Keep it.\nbase_url=https://gatehouse.example\ncoh_management_key=svc_man_a\n'
  const page = newKeys(TENANT, content, 'replaced')

  test('shows the key file verbatim, once', () => {
    assert.equal(page.split(`<code>${content}</code>`).length, 2)
    assert.equal(page.split('svc_man_a').length, 2)
  })

  test('says that the keys are shown once, and until when the old ones work', () => {
    assert.match(textOf(page), /shown once/)
    assert.match(textOf(page), /The old keys work until 16 Nov 2026, 14:03 UTC \(in 1 day\)/)
  })
})
