import { seedDemo } from '../../../../examples/demo/seed.ts'
import { accountPaths } from '../../../src/http/console/paths.ts'
import type { World } from '../world.ts'
import type { PageState, Stage } from './page-state.ts'

const seeded = new WeakMap<World, Promise<{ readonly id: string }>>()

/** Signs in as Ada Lovelace, who owns a project with a month of sign-ins; the second time on a stage does nothing. */
export async function signInToConsole({ here, open, press }: Stage): Promise<string> {
  const known = seeded.get(here)
  const demo = known ?? seedDemo(here.app.ctx)
  seeded.set(here, demo)
  const { id } = await demo
  if (known !== undefined) {
    return id
  }
  await open(accountPaths.home)
  await press('Sign in with Google')
  await press(/Ada Lovelace/)
  return id
}

/** A page of that project, and what is done there. */
const ofProject = (
  name: string,
  pathOf: (tenantId: string) => string,
  then: (stage: Stage) => Promise<void> = async () => {},
): PageState => ({
  name,
  async show(stage) {
    await stage.open(pathOf(await signInToConsole(stage)))
    await then(stage)
  },
})

/** The owner's console, and what else an owner sees. All of them can be shown on one stage, in this order. */
export const CONSOLE_STATES: readonly PageState[] = [
  { name: 'account', show: async (stage) => void (await signInToConsole(stage)) },
  ofProject('feedback', () => '/feedback'),
  ofProject(
    'feedback-rejected',
    () => '/feedback',
    async ({ page, press }) => {
      await page.getByLabel('Your message').fill('  ')
      await press('Send')
    },
  ),
  ofProject('new-project', () => accountPaths.newProject),
  ofProject(
    'new-project-rejected',
    () => accountPaths.newProject,
    async ({ page, press }) => {
      await page.getByLabel(/callback/i).fill('http://notes.example.com/callback')
      await press(/Create/)
    },
  ),
  ofProject(
    'new-project-created',
    () => accountPaths.newProject,
    async ({ page, press }) => {
      await page.getByLabel(/callback/i).fill('https://notes.example.com/callback')
      await press(/Create/)
    },
  ),
  ofProject(
    'project-first-steps',
    () => accountPaths.newProject,
    async ({ page, open, press }) => {
      await page.getByLabel(/callback/i).fill('https://notes.example.com/callback')
      await press(/Create/)
      await open((await page.getByRole('link', { name: 'Hono' }).getAttribute('href')) ?? '')
      await page.getByText('Use any OpenID library').click()
    },
  ),
  ofProject('project', accountPaths.project),
  ofProject('project-users', accountPaths.users),
  ofProject('project-user', (tenantId) => accountPaths.user(tenantId, 1)),
  ofProject(
    'project-user-not-merged',
    (tenantId) => accountPaths.user(tenantId, 1),
    async ({ page, press }) => {
      await page.getByText('Merge another user').click()
      await page.getByLabel('Id of the other user').fill('1')
      await press('Merge users')
    },
  ),
  ofProject(
    'project-users-by-name',
    (tenantId) => `${accountPaths.users(tenantId)}?q=bar&sort=name`,
  ),
  ofProject('project-sessions', accountPaths.sessions),
  ...(
    ['settings', 'callbacks', 'access', 'signInPages', 'providers', 'tokens', 'webhooks'] as const
  ).map((page) => ofProject(`project-settings-${page.toLowerCase()}`, accountPaths[page])),
  ofProject('project-id-tokens', accountPaths.tokens, ({ press }) =>
    press('Switch on for Supabase'),
  ),
  ofProject('project-own-client', (tenantId) => accountPaths.client(tenantId, 'google')),
  ofProject('project-oidc-client', (tenantId) => accountPaths.client(tenantId, 'oidc')),
  ofProject('project-keys', accountPaths.keys),
  ofProject('project-new-keys', accountPaths.keys, ({ press }) => press('Replace keys')),
  ofProject('project-webhook', accountPaths.webhooks, async ({ page, press }) => {
    await page.getByLabel('URL of the endpoint').fill('https://notes.example.com/hooks')
    await press('Add endpoint')
  }),
  ofProject('project-danger', accountPaths.danger),
  ofProject('project-not-deleted', accountPaths.danger, async ({ page, press }) => {
    await page.getByRole('textbox').last().fill('another name')
    await press(/Delete/)
  }),
]
