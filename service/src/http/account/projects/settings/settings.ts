import { readCallbackList } from '../../../../domain/callbacks/url.ts'
import { readBrand } from '../../../../operations/brand/brand.ts'
import { listDomains } from '../../../../operations/brand/domains.ts'
import { listProviders } from '../../../../operations/providers/providers.ts'
import { findSettings } from '../../../../operations/social-login/provision.ts'
import { listWebhooks } from '../../../../operations/webhooks/endpoints.ts'
import type { App, Call, HttpDependencies } from '../../../dependencies.ts'
import { scriptedPage } from '../../../responses.ts'
import { type OwnedProject, projectPage, readFrame } from '../project-route.ts'
import { brandRoutes } from './brand/brand.ts'
import { domainRoutes } from './brand/domains.ts'
import { testFormActions } from './clients/client-page.ts'
import { clientRoutes } from './clients/clients.ts'
import type { RejectedForm } from './form-state.ts'
import { projectProviderRoutes, testMessage } from './providers.ts'
import { projectNameRoutes } from './rename.ts'
import type { SectionNotice } from './section.ts'
import { type Settings, settingsPage } from './settings-page.ts'
import { signInSettingsRoutes } from './sign-in-settings.ts'
import { webhookRoutes } from './webhooks/webhooks.ts'

/** By the query parameter `done`. Other values show nothing, so a link can't put words on the page. */
const NOTICES: ReadonlyMap<string, SectionNotice> = new Map([
  ['renamed', { section: 'name', message: 'Name saved.' }],
  ['callbacks', { section: 'callbacks', message: 'Callback URLs saved.' }],
  ['access', { section: 'access', message: 'Saved. It applies from the next sign-in on; sessions stay.' }],
  ['logins', { section: 'logins', message: 'Saved.' }],
  ['provider-on', { section: 'providers', message: 'Provider switched on.' }],
  ['provider-off', { section: 'providers', message: 'Provider removed. Users who signed in with it stay signed in.' }],
  ['brand', { section: 'brand', message: 'Branding saved.' }],
  ['brand-removed', { section: 'brand', message: 'Branding removed.' }],
  ['logo', { section: 'brand', message: 'Logo saved.' }],
  ['logo-removed', { section: 'brand', message: 'Logo removed.' }],
  ['domain-added', { section: 'domains', message: 'Domain added. Publish one of the proofs, then check.' }],
  ['domain-verified', { section: 'domains', message: 'Found. The domain is verified.' }],
  [
    'domain-missing',
    { section: 'domains', message: 'Neither the record nor the file was found. A DNS change can take an hour.' },
  ],
  ['domain-removed', { section: 'domains', message: 'Domain removed.' }],
  ['webhook-deleted', { section: 'webhooks', message: 'Endpoint deleted.' }],
])

const SHAREABLE = ['github', 'microsoft'] as const

/** The tab "Settings". */
export function projectSettingsRoutes(app: App, deps: HttpDependencies): void {
  const show = (c: Call, project: OwnedProject, rejected: RejectedForm | null, status: number): Promise<Response> =>
    showSettings(deps, c, project, rejected, status)
  projectNameRoutes(app, deps, show)
  signInSettingsRoutes(app, deps, show)
  projectProviderRoutes(app, deps)
  clientRoutes(app, deps)
  webhookRoutes(app, deps, show)
  brandRoutes(app, deps, show)
  domainRoutes(app, deps, show)

  projectPage(app, deps, '/settings', (c, project) => show(c, project, null, 200))
}

async function showSettings(
  deps: HttpDependencies,
  c: Call,
  project: OwnedProject,
  rejected: RejectedForm | null,
  status: number,
): Promise<Response> {
  const frame = await readFrame(deps, project, undefined)
  const settings = await readSections(deps, project)
  const html = settingsPage(frame, {
    ...settings,
    rejected,
    notice: rejected === null ? noticeOf(deps, project, c) : undefined,
  })
  return scriptedPage(c, html, status, testFormActions(settings.providers ?? []))
}

async function readSections(
  { ctx }: HttpDependencies,
  { tenant }: OwnedProject,
): Promise<Omit<Settings, 'rejected' | 'notice'>> {
  const resource = await findSettings(ctx, tenant)
  const urls = resource?.callbackUrls ?? []
  const read = readCallbackList(urls)
  const providers = resource === null ? null : await listProviders(ctx, tenant)
  return {
    callbacks: { urls, warnings: read.ok ? read.warnings : [] },
    signIn: resource,
    brand: resource === null ? null : await readBrand(ctx, tenant),
    domains: await listDomains(ctx, tenant),
    providers,
    availableProviders: SHAREABLE.filter(
      (name) => ctx.providers.shared(name) !== null && !providers?.some((provider) => provider.name === name),
    ),
    webhooks: await listWebhooks(ctx, tenant),
  }
}

function noticeOf({ ctx }: HttpDependencies, { tenant }: OwnedProject, c: Call): SectionNotice | undefined {
  const tested = testMessage(ctx, tenant.id, c.req.query())
  return tested === undefined ? NOTICES.get(c.req.query('done') ?? '') : { section: 'providers', message: tested }
}
