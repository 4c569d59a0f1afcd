import { LANGUAGE_TAGS } from '../../../src/domain/language.ts'
import { suspendTenant } from '../../../src/operations/tenants/suspension.ts'
import { claim, requestClaim } from '../actors/claim.ts'
import { OAuthClient } from '../actors/oauth-client.ts'
import { OpenIdApp } from '../actors/openid-app.ts'
import type { World } from '../world.ts'
import { CONSOLE_STATES } from './console-states.ts'
import { at, type PageState, type Stage } from './page-state.ts'

const NOTES = 'https://notes.example.com/callback'

/** Every page state that `npm run shots` takes a picture of. A page without a state fails browser/page-states.test.ts. */
export const PAGE_STATES: readonly PageState[] = [
  at('home', '/'),
  {
    name: 'tried',
    async show({ page, open, press }) {
      await open('/')
      await press('Try a sign-in now')
      await press(/Ada Lovelace/)
      await press('Continue')
      await page.waitForURL('**/try/result?*')
    },
  },
  at('docs', '/docs'),
  at('docs-quick-start', '/docs/quick-start'),
  at('docs-sessions', '/docs/sessions'),
  at('docs-limits', '/docs/limits'),
  at('docs-mcp', '/docs/mcp'),
  at('docs-recipe', '/docs/recipes/node'),
  at('docs-api', '/docs/api'),
  at('docs-api-sessions', '/docs/api/sessions'),
  at('docs-search', '/docs/search?q=webhook+signature'),
  at('docs-errors', '/docs/errors'),
  at('developers', '/developers'),
  at('not-found', '/nothing-here'),
  at('privacy', '/privacy'),
  at('status', '/status'),
  at('feedback-signed-out', '/feedback'),
  at('packages', '/packages'),
  {
    name: 'chooser',
    show: async ({ here, page }) =>
      void (await page.goto((await here.agent.createTenant([NOTES])).loginUrl)),
  },
  {
    name: 'openid-choice',
    async show({ here, page }) {
      const app = await openIdApp(here)
      for (const provider of ['github', 'microsoft']) {
        await app.tenant.manage('PUT', `/api/social-login/providers/${provider}`, {
          mode: 'shared',
        })
      }
      await page.goto(app.start().url)
    },
  },
  {
    name: 'openid-signed-out',
    async show({ here, page }) {
      const app = await openIdApp(here)
      const { tokens } = await app.signIn(here.browser())
      await page.goto(`${app.issuer}/oauth/logout?id_token_hint=${tokens.id_token}`)
    },
  },
  {
    name: 'openid-logout-without-hint',
    show: async ({ here, open }) =>
      open(`/edge/auth/${(await openIdApp(here)).tenant.id}/oauth/logout`),
  },
  { name: 'consent', show: (stage) => consent(stage, { owned: true }) },
  { name: 'consent-guest', show: (stage) => consent(stage, { owned: false }) },
  at('error-unknown-app', '/edge/auth/no-such-tenant/google'),
  {
    name: 'error-redirect-uri',
    async show({ here, page }) {
      const tenant = await here.agent.createTenant([NOTES])
      await page.goto(`${tenant.loginUrl}?redirect_uri=https://notes.example.com/calback`)
    },
  },
  at('error-ended', '/auth/consent/nothing'),
  {
    name: 'error-not-ready',
    async show({ here, open }) {
      const { json } = await here.agent.call('POST', '/api/genesis')
      await open(`/edge/auth/${json.tenant_id}/google`)
    },
  },
  {
    name: 'error-provider-off',
    async show({ here, page }) {
      const { loginUrl } = await here.agent.createTenant([NOTES])
      await page.goto(loginUrl.replace(/google$/, 'github'))
    },
  },
  {
    name: 'error-other-browser',
    async show({ here, page }) {
      const elsewhere = here.browser()
      await elsewhere.open((await here.agent.createTenant([NOTES])).loginUrl)
      await elsewhere.press('Ada Lovelace')
      await page.goto(elsewhere.page.url.href)
    },
  },
  {
    name: 'error-suspended',
    async show({ here, page }) {
      const { id, loginUrl } = await here.agent.createTenant([NOTES])
      await suspendTenant(here.app.ctx, id, 'Phishing.')
      await page.goto(loginUrl)
    },
  },
  at('error-method', '/me/leave'),
  {
    name: 'error-after-post',
    async show({ page, open, press }) {
      await open('/me')
      await page
        .locator('[name=provider]')
        .first()
        .evaluate((field) => field.setAttribute('value', 'none'))
      await press(/Google/)
    },
  },
  {
    name: 'error-limit',
    async show({ here, page }) {
      const { loginUrl } = await here.agent.createTenant([NOTES])
      while ((await fetch(loginUrl, { redirect: 'manual' })).status < 400) {}
      await page.goto(loginUrl)
    },
  },
  ...LANGUAGE_TAGS.flatMap((tag) => [
    {
      name: `language-${tag}-consent`,
      async show(stage: Stage) {
        await consent(stage, { owned: false })
        await stage.page.goto(`${stage.page.url()}?ui_locales=${tag}`)
      },
    },
    at(`language-${tag}-error`, `/edge/auth/no-such-tenant/google?ui_locales=${tag}`),
    at(`language-${tag}-me`, `/me?ui_locales=${tag}`),
  ]),

  at('account-signed-out', '/account'),
  {
    name: 'account-empty',
    async show({ open, press }) {
      await open('/account')
      await press('Sign in with Google')
      await press(/Ada Lovelace/)
    },
  },
  ...CONSOLE_STATES,
  {
    name: 'claim-signed-out',
    async show({ here, page }) {
      await page.goto((await requestClaim(await here.agent.createTenant([NOTES]))).approval_url)
    },
  },
  { name: 'claim', show: showClaim },
  {
    name: 'claim-approved',
    async show(stage) {
      await showClaim(stage)
      await stage.press('Approve')
    },
  },
  {
    name: 'claim-denied',
    async show(stage) {
      await showClaim(stage)
      await stage.press('Deny')
    },
  },
  { name: 'oauth-signed-out', show: openOAuth },
  {
    name: 'oauth-consent',
    async show(stage) {
      await openOAuth(stage)
      await stage.press(/Sign in with Google/)
      await stage.press(/Ada Lovelace/)
    },
  },
  {
    name: 'oauth-nothing-ticked',
    async show(stage) {
      await openOAuth(stage)
      await stage.press(/Sign in with Google/)
      await stage.press(/Ada Lovelace/)
      for (const box of await stage.page.getByRole('checkbox').all()) {
        await box.uncheck()
      }
      await stage.press('Allow')
    },
  },
  at('me-signed-out', '/me'),
  {
    name: 'me',
    async show({ here, open, press }) {
      const tenant = await here.agent.createTenant([NOTES])
      await claim(tenant, here.browser(), 'Grace Hopper')
      await tenant.signIn(here.browser())
      await open('/me')
      await press('Sign in with Google')
      await press(/Ada Lovelace/)
    },
  },
]

export async function consent(
  { here, page, press }: Stage,
  { owned }: { readonly owned: boolean },
): Promise<void> {
  const tenant = await here.agent.createTenant([NOTES])
  if (owned) {
    await claim(tenant, here.browser(), 'Grace Hopper')
  }
  await page.goto(tenant.loginUrl)
  await press(/Ada Lovelace/)
}

async function openOAuth({ here, page }: Stage): Promise<void> {
  const client = await OAuthClient.register(here, { client_name: 'Example Agent' })
  await page.goto(client.authorizeUrl())
}

async function showClaim({ here, page, press }: Stage): Promise<void> {
  await page.goto((await requestClaim(await here.agent.createTenant([NOTES]))).approval_url)
  await press(/Google/)
  await press(/Ada Lovelace/)
}

const openIdApp = async (here: World): Promise<OpenIdApp> =>
  new OpenIdApp(here, await here.agent.createTenant([NOTES]), { redirectUri: NOTES })
