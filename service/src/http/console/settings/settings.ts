import { changeSettings as changeSettingsEndpoint } from '@gatehouse/contract'
import type { Domain } from '../../../domain/brand/domain.ts'
import { readCallbackList } from '../../../domain/callbacks/url.ts'
import { type DescribedBrand, readBrand } from '../../../operations/brand/brand.ts'
import { listDomains } from '../../../operations/brand/domains.ts'
import { listProviders } from '../../../operations/providers/providers.ts'
import { changeSettings, findSettings, provisionSocialLogin } from '../../../operations/social-login/provision.ts'
import { renameProject } from '../../../operations/tenants/status.ts'
import { listWebhooks } from '../../../operations/webhooks/endpoints.ts'
import { ownerAuthor } from '../../callers/author.ts'
import { readSettingsChange } from '../../control/social-login.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { parseBody } from '../../mount-endpoint.ts'
import { type Html, html } from '../../pages/markup.ts'
import { scriptedPage } from '../../responses.ts'
import { readSocialLoginConfiguration } from '../../views.ts'
import type { OwnerPost } from '../form.ts'
import { accountPaths } from '../paths.ts'
import { consolePage, type Frame } from '../projects/project-page.ts'
import { type OwnedProject, projectPage, projectPost, readFrame } from '../projects/project-route.ts'
import { brandRoutes, brandSection } from './brand.ts'
import { testFormActions } from './client-page.ts'
import { clientRoutes } from './clients.ts'
import { domainRoutes, domainsSection } from './domains.ts'
import type { RejectedForm } from './form-state.ts'
import { type ProjectProviders, projectProviderRoutes, providersSection, testMessage } from './providers.ts'
import {
  afterCallbacks,
  formHandler,
  listField,
  numberField,
  type SectionNotice,
  type ShowAgain,
  sectionLinks,
  settingsSection,
} from './section.ts'
import {
  type Access,
  accessSection,
  type Callbacks,
  callbacksSection,
  type Logins,
  loginsSection,
  nameSection,
} from './sections.ts'
import { type ProjectWebhook, webhooksSection } from './webhook-page.ts'
import { webhookRoutes } from './webhooks.ts'

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

  projectPage(app, deps, accountPaths.settings, (c, project) => show(c, project, null, 200))
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

/** The form of `nameSection`. */
function projectNameRoutes(app: App, deps: HttpDependencies, show: ShowAgain): void {
  projectPost(
    app,
    deps,
    accountPaths.renameProject,
    formHandler('name', show, async (c, { owner, tenant, form }) => {
      await renameProject(deps.ctx, tenant, form.get('name') ?? '', ownerAuthor(c, owner))
      return `${accountPaths.settings(tenant.id)}?done=renamed#name`
    }),
  )
}

/** Fits 500 addresses of 254 characters, each of which may be three in a form. */
const ACCESS_MAX_BYTES = 512 * 1_024

/** The forms of the sections "Callback URLs", "Who can sign in" and "Logins". */
function signInSettingsRoutes(app: App, deps: HttpDependencies, show: ShowAgain): void {
  const { ctx } = deps
  const saved = (tenantId: string, section: string): string =>
    `${accountPaths.settings(tenantId)}?done=${section}#${section}`

  const change = async (c: Call, { owner, tenant }: OwnedProject & OwnerPost, fields: object): Promise<void> => {
    const body = parseBody(changeSettingsEndpoint.body, fields)
    const settings = { settings: readSettingsChange(body), names: Object.keys(body) }
    await changeSettings(ctx, tenant, settings, ownerAuthor(c, owner))
  }

  projectPost(
    app,
    deps,
    accountPaths.saveCallbacks,
    formHandler('callbacks', show, async (c, { owner, tenant, form }) => {
      const configuration = readSocialLoginConfiguration({ callback_urls: listField(form, 'callback_urls') })
      await provisionSocialLogin(ctx, tenant, configuration, ownerAuthor(c, owner))
      return saved(tenant.id, 'callbacks')
    }),
  )

  projectPost(
    app,
    deps,
    accountPaths.saveAccess,
    formHandler('access', show, async (c, post) => {
      const { form } = post
      await change(c, post, {
        allowed_domains: listField(form, 'allowed_domains'),
        allowed_emails: listField(form, 'allowed_emails'),
      })
      return saved(post.tenant.id, 'access')
    }),
    { maxBytes: ACCESS_MAX_BYTES },
  )

  projectPost(
    app,
    deps,
    accountPaths.saveLogins,
    formHandler('logins', show, async (c, post) => {
      const { form } = post
      await change(c, post, {
        callback_mode: form.get('callback_mode'),
        remember_consent: form.has('remember_consent'),
        refresh_leeway_seconds: numberField(form.get('refresh_leeway_seconds')),
      })
      return saved(post.tenant.id, 'logins')
    }),
  )
}

export interface Settings {
  readonly callbacks: Callbacks
  /** null: no callback is registered yet. */
  readonly signIn: (Access & Logins) | null
  readonly brand: DescribedBrand | null
  readonly domains: readonly Domain[]
  readonly providers: ProjectProviders['providers']
  readonly availableProviders: ProjectProviders['available']
  readonly webhooks: readonly ProjectWebhook[]
  readonly notice?: SectionNotice | undefined
  readonly rejected: RejectedForm | null
}

/** `/account/projects/:tenantId/settings`. */
export const settingsPage = (frame: Frame, settings: Settings): Html => {
  const { csrf, now, project } = frame
  const { callbacks, signIn, brand, domains, providers, availableProviders, webhooks, notice, rejected } = settings
  return consolePage(
    frame,
    'settings',
    html`
      ${sectionLinks(project.tenantId)}
      ${settingsSection('name', notice, nameSection(frame, rejected))}
      ${settingsSection('callbacks', notice, callbacksSection(frame, callbacks, rejected))}
      ${settingsSection('access', notice, signIn === null ? afterCallbacks : accessSection(frame, signIn, rejected))}
      ${settingsSection('logins', notice, signIn === null ? afterCallbacks : loginsSection(frame, signIn, rejected))}
      ${settingsSection('brand', notice, signIn === null ? afterCallbacks : brandSection(frame, brand, rejected))}
      ${settingsSection('domains', notice, domainsSection(frame, domains, rejected))}
      ${settingsSection(
        'providers',
        notice,
        providers === null
          ? afterCallbacks
          : providersSection({ csrf, tenantId: project.tenantId, now, providers, available: availableProviders }),
      )}
      ${settingsSection('webhooks', notice, webhooksSection(frame, webhooks, rejected))}
    `,
  )
}
