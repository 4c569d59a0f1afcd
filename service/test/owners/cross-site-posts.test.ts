import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
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
  'edge/consent.ts PATH',
  'discovery/try-it/try-it.ts TRY_IT_PATH',
  'account/account.ts SIGN_IN',
  'account/account.ts accountPaths.signOut',
  'account/account.ts accountPaths.signOutEverywhere',
  'account/account.ts accountPaths.endSession',
  'account/agents.ts accountPaths.revokeAgent',
  'account/projects/sessions/sessions.ts /sessions/end',
  'account/projects/users/users.ts /users/export',
  'account/projects/users/user.ts /users/:userId/end-sessions',
  'account/projects/users/user.ts /users/:userId/block',
  'account/projects/users/user.ts /users/:userId/unblock',
  'account/projects/users/user.ts /users/:userId/metadata',
  'account/projects/users/user.ts /users/:userId/delete',
  'account/projects/settings/rename.ts /name',
  'account/projects/keys/keys.ts /keys/replace',
  'account/projects/danger/danger.ts /danger/delete',
  'account/projects/settings/sign-in-settings.ts /settings/callbacks',
  'account/projects/settings/sign-in-settings.ts /settings/access',
  'account/projects/settings/sign-in-settings.ts /settings/logins',
  'account/projects/settings/webhooks/webhooks.ts /settings/webhooks',
  'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/change',
  'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/status',
  'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/test',
  'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/rotate',
  'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/replay',
  'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/delete',
  'account/projects/settings/brand/brand.ts /settings/brand',
  'account/projects/settings/brand/brand.ts /settings/brand/delete',
  'account/projects/settings/brand/brand.ts /settings/logo',
  'account/projects/settings/brand/brand.ts /settings/logo/delete',
  'account/projects/settings/brand/domains.ts /settings/domains',
  'account/projects/settings/brand/domains.ts /settings/domains/check',
  'account/projects/settings/brand/domains.ts /settings/domains/delete',
  'account/projects/new-project.ts accountPaths.newProject',
  'account/projects/settings/clients/clients.ts /settings/clients/:provider',
  'account/projects/settings/providers.ts /providers/test',
  'account/projects/settings/providers.ts /providers/share',
  'account/projects/settings/providers.ts /providers/remove',
  'discovery/feedback/feedback.ts FEEDBACK_PATH',
  'account/claim.ts …/sign-in',
  'account/claim.ts …/switch',
  'account/claim.ts …/decide',
  'oauth/consent.ts PATH',
  'oauth/consent.ts …/sign-in',
  'oauth/consent.ts …/switch',
  'me/me.ts mePaths.signIn',
  'me/me.ts mePaths.leave',
  'me/me.ts mePaths.signOut',
  'me/me.ts mePaths.forgetConsent',
  'me/me.ts mePaths.signOutEverywhere',
  'me/me.ts mePaths.remove',
  'me/me.ts mePaths.keep',
] as const

/** Forms that change no data of a user and therefore have no CSRF token. The origin is still checked. */
const WITHOUT_TOKEN: readonly (typeof FORMS)[number][] = [
  'discovery/try-it/try-it.ts TRY_IT_PATH',
  'account/account.ts SIGN_IN',
  'account/claim.ts …/sign-in',
  'me/me.ts mePaths.signIn',
]

/** The fields of every form about a webhook. */
const HOOK = { url: 'https://evil.test/hook', event_logout: 'yes', status: 'disabled', after: '0' }

const HTTP = path.resolve(import.meta.dirname, '../../src/http')

test('every form of every page is covered by the cross-site test', () => {
  const mounted = globSync('**/*.ts', { cwd: HTTP }).flatMap((file) =>
    [
      ...readFileSync(path.join(HTTP, file), 'utf8').matchAll(
        /(?:(?:page|translated)Route\(app, deps, 'POST', |(?:owner|person|project)Post\(\s*app,\s*deps,\s*|app\.post\()([^,]+),/g,
      ),
    ].map(([, at = '']) => `${file} ${at.replace(/^`.*\}(.*)`$/, '…$1').replace(/^'(.*)'$/, '$1')}`),
  )
  // API clients post to these with their own credential, and Apple its response; cookies have no effect.
  const programs = ['oauth/revoke.ts PATH', 'oauth/register.ts path', 'oauth/token.ts path'].concat(
    'control/tenants.ts createGuestTenantEndpoint.path',
    'edge/callback.ts APPLE_PATH',
  )
  const generic = ['account/form.ts path', 'me/me.ts path', 'account/projects/project-route.ts PROJECT_ROUTE + path']
  assert.deepEqual(mounted.filter((at) => !programs.includes(at) && !generic.includes(at)).sort(), [...FORMS].sort())
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
  const ofMe = (address: string): FormPost => ({ address: baseUrl + address, fields: { app: owned.id }, csrf: me })
  const project = `/projects/${owned.id}`
  const webhook = `${project}/settings/webhooks/${(await addWebhook(owned, 'https://app.example.com/hook')).id}`
  const scopes = { 'mcp:tenant:read': 'yes' }
  return {
    owner,
    forms: {
      'edge/consent.ts PATH': { address: login.at, fields: { decision: 'allow' }, csrf: login.csrf },
      'discovery/try-it/try-it.ts TRY_IT_PATH': { address: baseUrl + TRY_IT_PATH, fields: {}, csrf: '' },
      'discovery/feedback/feedback.ts FEEDBACK_PATH': {
        address: `${baseUrl}/feedback`,
        fields: { project: owned.id, feedback: 'x' },
        csrf: account,
      },
      'account/account.ts SIGN_IN': { ...ofAccount('/sign-in', { next: '/account' }), csrf: '' },
      'account/account.ts accountPaths.signOut': ofAccount('/sign-out'),
      'account/account.ts accountPaths.signOutEverywhere': ofAccount('/sign-out-everywhere'),
      'account/account.ts accountPaths.endSession': ofAccount('/sessions/end', { session: '1' }),
      'account/agents.ts accountPaths.revokeAgent': ofAccount('/agents/revoke', { grant: '1' }),
      'account/projects/sessions/sessions.ts /sessions/end': ofAccount(`${project}/sessions/end`, { session: '1' }),
      'account/projects/users/users.ts /users/export': ofAccount(`${project}/users/export`, { format: 'csv' }),
      'account/projects/users/user.ts /users/:userId/end-sessions': ofAccount(`${project}/users/1/end-sessions`),
      'account/projects/users/user.ts /users/:userId/block': ofAccount(`${project}/users/1/block`),
      'account/projects/users/user.ts /users/:userId/unblock': ofAccount(`${project}/users/1/unblock`),
      'account/projects/users/user.ts /users/:userId/metadata': ofAccount(`${project}/users/1/metadata`, {
        metadata: '{}',
      }),
      'account/projects/users/user.ts /users/:userId/delete': ofAccount(`${project}/users/1/delete`, {
        confirm: 'yes',
      }),
      'account/projects/settings/rename.ts /name': ofAccount(`${project}/name`, { name: 'x' }),
      'account/projects/keys/keys.ts /keys/replace': ofAccount(`${project}/keys/replace`),
      'account/projects/danger/danger.ts /danger/delete': ofAccount(`${project}/danger/delete`, { confirm: owned.id }),
      'account/projects/settings/sign-in-settings.ts /settings/callbacks': ofAccount(`${project}/settings/callbacks`, {
        callback_urls: 'https://evil.test/callback',
      }),
      'account/projects/settings/sign-in-settings.ts /settings/access': ofAccount(`${project}/settings/access`, {
        allowed_emails: 'eve@evil.test',
      }),
      'account/projects/settings/sign-in-settings.ts /settings/logins': ofAccount(`${project}/settings/logins`, {
        callback_mode: 'code',
        refresh_leeway_seconds: '1',
      }),
      'account/projects/settings/webhooks/webhooks.ts /settings/webhooks': ofAccount(
        `${project}/settings/webhooks`,
        HOOK,
      ),
      'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/change': ofAccount(
        `${webhook}/change`,
        HOOK,
      ),
      'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/status': ofAccount(
        `${webhook}/status`,
        HOOK,
      ),
      'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/test': ofAccount(
        `${webhook}/test`,
        HOOK,
      ),
      'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/rotate': ofAccount(
        `${webhook}/rotate`,
        HOOK,
      ),
      'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/replay': ofAccount(
        `${webhook}/replay`,
        HOOK,
      ),
      'account/projects/settings/webhooks/webhook-actions.ts /settings/webhooks/:webhookId/delete': ofAccount(
        `${webhook}/delete`,
        HOOK,
      ),
      'account/projects/settings/brand/brand.ts /settings/brand': ofAccount(`${project}/settings/brand`, {
        name: 'Evil',
      }),
      'account/projects/settings/brand/brand.ts /settings/brand/delete': ofAccount(`${project}/settings/brand/delete`),
      'account/projects/settings/brand/brand.ts /settings/logo': ofAccount(`${project}/settings/logo`),
      'account/projects/settings/brand/brand.ts /settings/logo/delete': ofAccount(`${project}/settings/logo/delete`),
      'account/projects/settings/brand/domains.ts /settings/domains': ofAccount(`${project}/settings/domains`, {
        host: 'evil.test',
      }),
      'account/projects/settings/brand/domains.ts /settings/domains/check': ofAccount(
        `${project}/settings/domains/check`,
        { host: 'app.example.com' },
      ),
      'account/projects/settings/brand/domains.ts /settings/domains/delete': ofAccount(
        `${project}/settings/domains/delete`,
        { host: 'app.example.com' },
      ),
      'account/projects/new-project.ts accountPaths.newProject': ofAccount('/new-project', {
        callback_urls: 'https://evil.test/callback',
        nonce: 'a'.repeat(22),
      }),
      'account/projects/settings/clients/clients.ts /settings/clients/:provider': ofAccount(
        `${project}/settings/clients/google`,
        { client_id: '1-a.apps.googleusercontent.com', client_secret: 'the-secret-of-evil' },
      ),
      'account/projects/settings/providers.ts /providers/test': ofAccount(`${project}/providers/test`, {
        provider: 'google',
      }),
      'account/projects/settings/providers.ts /providers/share': ofAccount(`${project}/providers/share`, {
        provider: 'github',
      }),
      'account/projects/settings/providers.ts /providers/remove': ofAccount(`${project}/providers/remove`, {
        provider: 'google',
      }),
      'account/claim.ts …/sign-in': { address: `${claimed.at}/sign-in`, fields: {}, csrf: '' },
      'account/claim.ts …/switch': { address: `${claimed.at}/switch`, fields: {}, csrf: claimed.csrf },
      'account/claim.ts …/decide': {
        address: `${claimed.at}/decide`,
        fields: { decision: 'approve' },
        csrf: claimed.csrf,
      },
      'me/me.ts mePaths.signIn': { ...ofMe(mePaths.signIn), csrf: '' },
      'me/me.ts mePaths.leave': ofMe(mePaths.leave),
      'me/me.ts mePaths.signOut': ofMe(mePaths.signOut),
      'me/me.ts mePaths.forgetConsent': ofMe(mePaths.forgetConsent),
      'me/me.ts mePaths.signOutEverywhere': ofMe(mePaths.signOutEverywhere),
      'me/me.ts mePaths.remove': ofMe(mePaths.remove),
      'me/me.ts mePaths.keep': ofMe(mePaths.keep),
      'oauth/consent.ts PATH': {
        address: oauthConsent.at,
        fields: { decision: 'allow', ...scopes },
        csrf: oauthConsent.csrf,
      },
      'oauth/consent.ts …/sign-in': { address: `${oauthConsent.at}/sign-in`, fields: scopes, csrf: oauthConsent.csrf },
      'oauth/consent.ts …/switch': { address: `${oauthConsent.at}/switch`, fields: scopes, csrf: oauthConsent.csrf },
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

test('no form can be posted from another site, without its CSRF token or with the token of another form', {
  skip: slow,
}, async (t) => {
  const service = await world(t)
  const { owner, forms } = await openEveryForm(service)
  const before = await rowsWithoutRequestRecords(service)
  const tokens = new Set(Object.values(forms).map(({ csrf }) => csrf))
  for (const name of FORMS) {
    const { address, fields, csrf } = forms[name]
    const post = async (token: string, headers: Readonly<Record<string, string>>): Promise<void> => {
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
    if (WITHOUT_TOKEN.includes(name)) continue
    const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' }
    const wrong = ['x', csrf.slice(1), ...[...tokens].filter((token) => token !== csrf)]
    await Promise.all(wrong.map((token) => post(token, sameOrigin)))
  }
  assert.deepEqual(await rowsWithoutRequestRecords(service), before, 'no row changed')
})
