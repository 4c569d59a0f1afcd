import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TrieRouter } from 'hono/router/trie-router'
import { TRY_IT_PATH } from '../../src/http/discovery/try-it.ts'
import { mePaths } from '../../src/http/me/paths.ts'
import type { Browser } from '../support/actors/browser.ts'
import { claim, openClaim, requestClaim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { openMe } from '../support/actors/me.ts'
import { OAuthClient } from '../support/actors/oauth-client.ts'
import { addWebhook } from '../support/actors/webhooks.ts'
import { everyRow, type Rows } from '../support/postgres/database-rows.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

/** Every form of the pages, by the route that handles it. A form that is missing here fails the test below. */
const FORMS = [
  '/auth/consent/:attemptId',
  '/try',
  '/account/sign-in',
  '/account/sign-out',
  '/account/sign-out-everywhere',
  '/account/sessions/end',
  '/account/agents/revoke',
  '/account/projects/:tenantId/sessions/end',
  '/account/projects/:tenantId/users/export',
  '/account/projects/:tenantId/users/:userId/end-sessions',
  '/account/projects/:tenantId/users/:userId/merge',
  '/account/projects/:tenantId/users/:userId/remove-identity',
  '/account/projects/:tenantId/users/:userId/pin-identity',
  '/account/projects/:tenantId/users/:userId/block',
  '/account/projects/:tenantId/users/:userId/unblock',
  '/account/projects/:tenantId/users/:userId/metadata',
  '/account/projects/:tenantId/users/:userId/claims',
  '/account/projects/:tenantId/users/:userId/delete',
  '/account/projects/:tenantId/settings/name',
  '/account/projects/:tenantId/keys/replace',
  '/account/projects/:tenantId/danger/delete',
  '/account/projects/:tenantId/settings/callbacks',
  '/account/projects/:tenantId/settings/access',
  '/account/projects/:tenantId/settings/tokens',
  '/account/projects/:tenantId/settings/tokens/preset',
  '/account/projects/:tenantId/settings/tokens/id-tokens',
  '/account/projects/:tenantId/settings/tokens/id-tokens/off',
  '/account/projects/:tenantId/settings/pages/consent',
  '/account/projects/:tenantId/settings/access/invitations',
  '/account/projects/:tenantId/settings/access/invitations/delete',
  '/account/projects/:tenantId/settings/webhooks',
  '/account/projects/:tenantId/settings/webhooks/:webhookId/change',
  '/account/projects/:tenantId/settings/webhooks/:webhookId/status',
  '/account/projects/:tenantId/settings/webhooks/:webhookId/test',
  '/account/projects/:tenantId/settings/webhooks/:webhookId/rotate',
  '/account/projects/:tenantId/settings/webhooks/:webhookId/replay',
  '/account/projects/:tenantId/settings/webhooks/:webhookId/delete',
  '/account/projects/:tenantId/settings/pages/brand',
  '/account/projects/:tenantId/settings/pages/brand/delete',
  '/account/projects/:tenantId/settings/pages/logo',
  '/account/projects/:tenantId/settings/pages/logo/delete',
  '/account/projects/:tenantId/settings/pages/domains',
  '/account/projects/:tenantId/settings/pages/domains/check',
  '/account/projects/:tenantId/settings/pages/domains/delete',
  '/account/new-project',
  '/account/projects/:tenantId/settings/clients/:provider',
  '/account/projects/:tenantId/settings/providers/test',
  '/account/projects/:tenantId/settings/providers/share',
  '/account/projects/:tenantId/settings/providers/remove',
  '/feedback',
  '/claim/:claimId/sign-in',
  '/claim/:claimId/switch',
  '/claim/:claimId/decide',
  '/oauth/consent/:approvalId',
  '/oauth/consent/:approvalId/sign-in',
  '/oauth/consent/:approvalId/switch',
  '/me/sign-in',
  '/me/leave',
  '/me/apps/sign-out',
  '/me/apps/forget-consent',
  '/me/apps/remove-identity',
  '/me/apps/sign-out-everywhere',
  '/me/apps/remove',
  '/me/apps/keep',
] as const

/** Forms that change no data of a user and therefore have no CSRF token. The origin is still checked. */
const WITHOUT_TOKEN: readonly (typeof FORMS)[number][] = [
  '/try',
  '/account/sign-in',
  '/claim/:claimId/sign-in',
  '/me/sign-in',
]

/** The fields of every form about a webhook. */
const HOOK = { url: 'https://evil.test/hook', event_logout: 'yes', status: 'disabled', after: '0' }

/** API clients post to these with their own credential, and Apple its response; cookies have no effect. */
const WITHOUT_COOKIES =
  /^\/(api\/|edge\/|(oauth\/)?(token|register|revoke)$|auth\/apple\/callback$)/

test('every form of every page is covered by the cross-site test', async (t) => {
  const { mock } = t.mock.method(TrieRouter.prototype, 'add')
  const { agent } = await world(t)
  // The first request loads the routes.
  await agent.call('GET', '/')
  const posted = mock.calls.flatMap(({ arguments: [method, route] }) =>
    method === 'POST' ? [route] : [],
  )
  const forms = posted.filter((route) => !WITHOUT_COOKIES.test(route))
  assert.deepEqual([...new Set(forms)].sort(), [...FORMS].sort())
})

interface FormPost {
  readonly address: string
  readonly fields: Readonly<Record<string, string>>
  readonly csrf: string
}

/** A signed-in owner with every form open: a login, a claim, an account with a project, and an OAuth consent. */
async function openEveryForm(
  service: World,
): Promise<{ owner: Browser; forms: Record<(typeof FORMS)[number], FormPost> }> {
  const { agent, browser, baseUrl } = service
  const [owned, offered] = [await agent.createTenant(), await agent.createTenant()]
  const owner = browser()
  await claim(owned, owner)
  await owner.open(`${baseUrl}/account`)
  const account = csrfOf(owner)
  await openClaim(owner, await requestClaim(offered))
  const claimed = { at: owner.page.url.href, csrf: csrfOf(owner) }
  const client = await OAuthClient.register(service)
  await client.open(owner)
  const oauthConsent = { at: owner.page.url.href, csrf: csrfOf(owner) }
  await owned.signIn(owner)
  await openMe(owner, baseUrl)
  const me = csrfOf(owner)
  await owner.open(owned.loginUrl)
  await owner.press('Ada Lovelace')
  const login = { at: owner.page.url.href, csrf: csrfOf(owner) }
  const ofAccount = (at: string, fields: Record<string, string> = {}): FormPost => ({
    address: `${baseUrl}/account${at}`,
    fields,
    csrf: account,
  })
  const ofMe = (address: string): FormPost => ({
    address: baseUrl + address,
    fields: { app: owned.id },
    csrf: me,
  })
  const project = `/projects/${owned.id}`
  const webhook = `${project}/settings/webhooks/${(await addWebhook(owned, 'https://app.example.com/hook')).id}`
  const scopes = { 'mcp:tenant:read': 'yes' }
  return {
    owner,
    forms: {
      '/auth/consent/:attemptId': {
        address: login.at,
        fields: { decision: 'allow' },
        csrf: login.csrf,
      },
      '/try': { address: baseUrl + TRY_IT_PATH, fields: {}, csrf: '' },
      '/feedback': {
        address: `${baseUrl}/feedback`,
        fields: { project: owned.id, feedback: 'x' },
        csrf: account,
      },
      '/account/sign-in': { ...ofAccount('/sign-in', { next: '/account' }), csrf: '' },
      '/account/sign-out': ofAccount('/sign-out'),
      '/account/sign-out-everywhere': ofAccount('/sign-out-everywhere'),
      '/account/sessions/end': ofAccount('/sessions/end', { session: '1' }),
      '/account/agents/revoke': ofAccount('/agents/revoke', { grant: '1' }),
      '/account/projects/:tenantId/sessions/end': ofAccount(`${project}/sessions/end`, {
        session: '1',
      }),
      '/account/projects/:tenantId/users/export': ofAccount(`${project}/users/export`, {
        format: 'csv',
      }),
      '/account/projects/:tenantId/users/:userId/end-sessions': ofAccount(
        `${project}/users/1/end-sessions`,
      ),
      '/account/projects/:tenantId/users/:userId/merge': ofAccount(`${project}/users/1/merge`),
      '/account/projects/:tenantId/users/:userId/remove-identity': ofAccount(
        `${project}/users/1/remove-identity`,
      ),
      '/account/projects/:tenantId/users/:userId/pin-identity': ofAccount(
        `${project}/users/1/pin-identity`,
      ),
      '/account/projects/:tenantId/users/:userId/block': ofAccount(`${project}/users/1/block`),
      '/account/projects/:tenantId/users/:userId/unblock': ofAccount(`${project}/users/1/unblock`),
      '/account/projects/:tenantId/users/:userId/metadata': ofAccount(
        `${project}/users/1/metadata`,
        {
          metadata: '{}',
        },
      ),
      '/account/projects/:tenantId/users/:userId/claims': ofAccount(`${project}/users/1/claims`, {
        claims: '{}',
      }),
      '/account/projects/:tenantId/users/:userId/delete': ofAccount(`${project}/users/1/delete`, {
        confirm: 'yes',
      }),
      '/account/projects/:tenantId/settings/name': ofAccount(`${project}/settings/name`, {
        name: 'x',
      }),
      '/account/projects/:tenantId/keys/replace': ofAccount(`${project}/keys/replace`),
      '/account/projects/:tenantId/danger/delete': ofAccount(`${project}/danger/delete`, {
        confirm: owned.id,
      }),
      '/account/projects/:tenantId/settings/callbacks': ofAccount(`${project}/settings/callbacks`, {
        callback_urls: 'https://evil.test/callback',
      }),
      '/account/projects/:tenantId/settings/access': ofAccount(`${project}/settings/access`, {
        allowed_emails: 'eve@evil.test',
      }),
      '/account/projects/:tenantId/settings/pages/consent': ofAccount(
        `${project}/settings/pages/consent`,
        {
          remember_consent: 'yes',
        },
      ),
      '/account/projects/:tenantId/settings/tokens': ofAccount(`${project}/settings/tokens`, {
        callback_mode: 'code',
        refresh_leeway_seconds: '1',
      }),
      '/account/projects/:tenantId/settings/tokens/preset': ofAccount(
        `${project}/settings/tokens/preset`,
        {
          audience: 'convex',
        },
      ),
      '/account/projects/:tenantId/settings/tokens/id-tokens': ofAccount(
        `${project}/settings/tokens/id-tokens`,
        {
          audiences: 'evil',
          claims: '{}',
        },
      ),
      '/account/projects/:tenantId/settings/tokens/id-tokens/off': ofAccount(
        `${project}/settings/tokens/id-tokens/off`,
      ),
      '/account/projects/:tenantId/settings/access/invitations': ofAccount(
        `${project}/settings/access/invitations`,
        {
          uses: '1',
          expires_in: '7',
        },
      ),
      '/account/projects/:tenantId/settings/access/invitations/delete': ofAccount(
        `${project}/settings/access/invitations/delete`,
        {
          invitation: 'inv_1234567890abcdef',
        },
      ),
      '/account/projects/:tenantId/settings/webhooks': ofAccount(
        `${project}/settings/webhooks`,
        HOOK,
      ),
      '/account/projects/:tenantId/settings/webhooks/:webhookId/change': ofAccount(
        `${webhook}/change`,
        HOOK,
      ),
      '/account/projects/:tenantId/settings/webhooks/:webhookId/status': ofAccount(
        `${webhook}/status`,
        HOOK,
      ),
      '/account/projects/:tenantId/settings/webhooks/:webhookId/test': ofAccount(
        `${webhook}/test`,
        HOOK,
      ),
      '/account/projects/:tenantId/settings/webhooks/:webhookId/rotate': ofAccount(
        `${webhook}/rotate`,
        HOOK,
      ),
      '/account/projects/:tenantId/settings/webhooks/:webhookId/replay': ofAccount(
        `${webhook}/replay`,
        HOOK,
      ),
      '/account/projects/:tenantId/settings/webhooks/:webhookId/delete': ofAccount(
        `${webhook}/delete`,
        HOOK,
      ),
      '/account/projects/:tenantId/settings/pages/brand': ofAccount(
        `${project}/settings/pages/brand`,
        {
          name: 'Evil',
        },
      ),
      '/account/projects/:tenantId/settings/pages/brand/delete': ofAccount(
        `${project}/settings/pages/brand/delete`,
      ),
      '/account/projects/:tenantId/settings/pages/logo': ofAccount(
        `${project}/settings/pages/logo`,
      ),
      '/account/projects/:tenantId/settings/pages/logo/delete': ofAccount(
        `${project}/settings/pages/logo/delete`,
      ),
      '/account/projects/:tenantId/settings/pages/domains': ofAccount(
        `${project}/settings/pages/domains`,
        {
          host: 'evil.test',
        },
      ),
      '/account/projects/:tenantId/settings/pages/domains/check': ofAccount(
        `${project}/settings/pages/domains/check`,
        {
          host: 'app.example.com',
        },
      ),
      '/account/projects/:tenantId/settings/pages/domains/delete': ofAccount(
        `${project}/settings/pages/domains/delete`,
        {
          host: 'app.example.com',
        },
      ),
      '/account/new-project': ofAccount('/new-project', {
        callback_urls: 'https://evil.test/callback',
        nonce: 'a'.repeat(22),
      }),
      '/account/projects/:tenantId/settings/clients/:provider': ofAccount(
        `${project}/settings/clients/google`,
        {
          client_id: '1-a.apps.googleusercontent.com',
          client_secret: 'the-secret-of-evil',
        },
      ),
      '/account/projects/:tenantId/settings/providers/test': ofAccount(
        `${project}/settings/providers/test`,
        {
          provider: 'google',
        },
      ),
      '/account/projects/:tenantId/settings/providers/share': ofAccount(
        `${project}/settings/providers/share`,
        {
          provider: 'github',
        },
      ),
      '/account/projects/:tenantId/settings/providers/remove': ofAccount(
        `${project}/settings/providers/remove`,
        {
          provider: 'google',
        },
      ),
      '/claim/:claimId/sign-in': { address: `${claimed.at}/sign-in`, fields: {}, csrf: '' },
      '/claim/:claimId/switch': { address: `${claimed.at}/switch`, fields: {}, csrf: claimed.csrf },
      '/claim/:claimId/decide': {
        address: `${claimed.at}/decide`,
        fields: { decision: 'approve' },
        csrf: claimed.csrf,
      },
      '/me/sign-in': { ...ofMe(mePaths.signIn), csrf: '' },
      '/me/leave': ofMe(mePaths.leave),
      '/me/apps/sign-out': ofMe(mePaths.signOut),
      '/me/apps/forget-consent': ofMe(mePaths.forgetConsent),
      '/me/apps/remove-identity': ofMe(mePaths.removeIdentity),
      '/me/apps/sign-out-everywhere': ofMe(mePaths.signOutEverywhere),
      '/me/apps/remove': ofMe(mePaths.remove),
      '/me/apps/keep': ofMe(mePaths.keep),
      '/oauth/consent/:approvalId': {
        address: oauthConsent.at,
        fields: { decision: 'allow', ...scopes },
        csrf: oauthConsent.csrf,
      },
      '/oauth/consent/:approvalId/sign-in': {
        address: `${oauthConsent.at}/sign-in`,
        fields: scopes,
        csrf: oauthConsent.csrf,
      },
      '/oauth/consent/:approvalId/switch': {
        address: `${oauthConsent.at}/switch`,
        fields: scopes,
        csrf: oauthConsent.csrf,
      },
    },
  }
}

/** The headers that browsers send with a form post from another origin. */
const CROSS_SITE: readonly Readonly<Record<string, string>>[] = [
  { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'https://evil.test' },
  { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': 'none' },
]

const rowsWithoutRequestRecords = async (service: World): Promise<Rows> => {
  await service.app.flush()
  const { request_records: _of, ...rest } = await everyRow(service)
  return rest
}

// proves S032, RFC 9700 4.7
test('no form can be posted from another site, without its CSRF token or with the token of another form', {
  skip: slow,
}, async (t) => {
  const service = await world(t)
  const { owner, forms } = await openEveryForm(service)
  const before = await rowsWithoutRequestRecords(service)
  const tokens = new Set(Object.values(forms).map(({ csrf }) => csrf))
  for (const name of FORMS) {
    const { address, fields, csrf } = forms[name]
    const post = async (
      token: string,
      headers: Readonly<Record<string, string>>,
    ): Promise<void> => {
      const response = await owner.request(address, {
        method: 'POST',
        headers: { Accept: 'text/html', ...headers },
        body: new URLSearchParams({ ...fields, csrf: token }),
      })
      assert.deepEqual(
        [response.status, response.headers.get('location')],
        [403, null],
        `${name} ${JSON.stringify(headers)}`,
      )
    }
    await Promise.all(CROSS_SITE.map((headers) => post(csrf, headers)))
    if (WITHOUT_TOKEN.includes(name)) {
      continue
    }
    const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' }
    const wrong = ['x', csrf.slice(1), ...[...tokens].filter((token) => token !== csrf)]
    await Promise.all(wrong.map((token) => post(token, sameOrigin)))
  }
  assert.deepEqual(await rowsWithoutRequestRecords(service), before, 'no row changed')
})
