import { type DescribedProvider, listProviders } from '../../../../operations/providers/list-providers.ts'
import { listWebhooks } from '../../../../operations/webhooks/list-webhooks.ts'
import type { App, HttpDependencies } from '../../../dependencies.ts'
import { page } from '../../../responses.ts'
import { projectPage, readFrame, type StatusMessages, statusMessage } from '../project-route.ts'
import { projectProviderRoutes, testMessage } from './providers.ts'
import { settingsPage } from './settings-page.ts'

const MESSAGES: StatusMessages = new Map([
  ['provider-on', 'Provider switched on.'],
  ['provider-off', 'Provider removed. Users who signed in with it stay signed in.'],
])

const SHAREABLE = ['github', 'microsoft'] as const

/** The tab "Settings". */
export function projectSettingsRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  projectProviderRoutes(app, deps)

  projectPage(app, deps, '/settings', async (c, project) => {
    const frame = await readFrame(deps, project, statusMessage(c, MESSAGES) ?? testMessage(c.req.query()))
    const provisioned = frame.project.callbackHosts.length > 0
    const providers = provisioned ? await listProviders(ctx, project.tenant) : null
    const html = settingsPage(frame, {
      providers,
      availableProviders: SHAREABLE.filter(
        (name) => ctx.providers.shared(name) !== null && !providers?.some((provider) => provider.name === name),
      ),
      webhooks: await listWebhooks(ctx, project.tenant),
    })
    return page(c, html, 200, testFormActions(providers ?? []))
  })
}

/** The button "Test sign-in" redirects to a provider, which may redirect further. */
function testFormActions(providers: readonly DescribedProvider[]): string[] {
  const own = providers.flatMap(({ client }) => (client?.mode === 'own' ? [client] : []))
  const local = own.flatMap(({ issuer }) => (issuer?.startsWith('http:') ? [new URL(issuer).origin] : []))
  return own.length === 0 ? [] : ['https:', ...local]
}
