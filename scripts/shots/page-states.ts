import { seedDemo } from '../../examples/demo/seed.ts'
import { claim, requestClaim } from '../../service/test/support/actors/claim.ts'
import { OAuthClient } from '../../service/test/support/actors/oauth-client.ts'
import { at, type PageState, type Stage } from './page-state.ts'

const NOTES = 'https://notes.example.com/callback'

/** Every page state that `npm run shots` takes a picture of. A new page has its line here. */
export const PAGE_STATES: readonly PageState[] = [
  at('home', '/'),
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
  {
    name: 'feedback',
    async show(stage) {
      await signInToConsole(stage)
      await stage.open('/feedback')
    },
  },

  {
    name: 'chooser',
    show: async ({ here, page }) => void (await page.goto((await here.agent.createTenant([NOTES])).loginUrl)),
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

  at('account-signed-out', '/account'),
  {
    name: 'account-empty',
    async show({ open, press }) {
      await open('/account')
      await press('Sign in with Google')
      await press(/Ada Lovelace/)
    },
  },
  {
    name: 'account',
    async show(stage) {
      await signInToConsole(stage)
    },
  },
  {
    name: 'project',
    async show(stage) {
      const tenantId = await signInToConsole(stage)
      await stage.open(`/account/projects/${tenantId}`)
    },
  },
  ...['settings', 'settings/clients/google', 'settings/clients/oidc', 'keys', 'danger'].map(
    (path): PageState => ({
      name: `project-${path.replaceAll('/', '-')}`,
      async show(stage) {
        const tenantId = await signInToConsole(stage)
        await stage.open(`/account/projects/${tenantId}/${path}`)
      },
    }),
  ),
  {
    name: 'new-project',
    async show(stage) {
      await signInToConsole(stage)
      await stage.open('/account/new-project')
    },
  },
  {
    name: 'new-keys',
    async show(stage) {
      const tenantId = await signInToConsole(stage)
      await stage.open(`/account/projects/${tenantId}/keys`)
      await stage.press('Replace keys')
    },
  },
  {
    name: 'claim-signed-out',
    async show({ here, page }) {
      await page.goto((await requestClaim(await here.agent.createTenant([NOTES]))).approval_url)
    },
  },
  {
    name: 'claim',
    async show({ here, page, press }) {
      await page.goto((await requestClaim(await here.agent.createTenant([NOTES]))).approval_url)
      await press(/Google/)
      await press(/Ada Lovelace/)
    },
  },
  {
    name: 'oauth-consent',
    async show({ here, page, press }) {
      const client = await OAuthClient.register(here, { client_name: 'Example Agent' })
      await page.goto(client.authorizeUrl())
      await press(/Sign in with Google/)
      await press(/Ada Lovelace/)
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

export async function consent({ here, page, press }: Stage, { owned }: { readonly owned: boolean }): Promise<void> {
  const tenant = await here.agent.createTenant([NOTES])
  if (owned) await claim(tenant, here.browser(), 'Grace Hopper')
  await page.goto(tenant.loginUrl)
  await press(/Ada Lovelace/)
}

/** Signs in as Ada Lovelace, who owns a project with a month of sign-ins. */
export async function signInToConsole({ here, open, press }: Stage): Promise<string> {
  const { id } = await seedDemo(here.app.ctx)
  await open('/account')
  await press('Sign in with Google')
  await press(/Ada Lovelace/)
  return id
}
