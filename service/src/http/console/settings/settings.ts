import type { Domain } from '../../../domain/brand/domain.ts'
import { readCallbackList } from '../../../domain/callbacks/url.ts'
import { type DescribedBrand, readBrand } from '../../../operations/brand/brand.ts'
import { listDomains } from '../../../operations/brand/domains.ts'
import { listProviders } from '../../../operations/providers/providers.ts'
import { listInvitations } from '../../../operations/social-login/invitations.ts'
import { findSettings } from '../../../operations/social-login/provision.ts'
import { listWebhooks } from '../../../operations/webhooks/endpoints.ts'
import { type Html, html } from '../../pages/markup.ts'
import { consolePage, type Notice, type ProjectCall } from '../console-page.ts'
import type { RejectedForm } from '../form-state.ts'
import { statusNotice } from '../layout.ts'
import { accountPaths } from '../paths.ts'
import { type Frame, projectLayout } from '../projects/project-page.ts'
import { brandForms, brandSection } from './brand.ts'
import { testFormActions } from './client-page.ts'
import { domainForms, domainsSection } from './domains.ts'
import { type Invitations, invitationForms, invitationsSection, readNewLink } from './invitations.ts'
import { type ProjectProviders, providerForms, providersSection, testMessage } from './providers.ts'
import {
  type Access,
  accessSection,
  type Callbacks,
  callbacksSection,
  type Logins,
  loginsSection,
  nameSection,
  signInForms,
} from './sections.ts'
import { addWebhookForm, type ProjectWebhook, webhooksSection } from './webhooks.ts'

/** The tab "Settings". */
export const settingsRoute = consolePage({
  path: accountPaths.settings,
  forms: [...signInForms, ...invitationForms, ...brandForms, ...domainForms, ...providerForms, addWebhookForm],
  notices: { 'webhook-deleted': { section: 'webhooks', message: 'Endpoint deleted.' } },
  load: async ({ rejected, notice, ...call }): Promise<Settings> => ({
    ...(await readSections(call)),
    rejected,
    notice: rejected === null ? (testNotice(call) ?? notice) : undefined,
  }),
  view: settingsPage,
  formActions: ({ providers }) => testFormActions(providers ?? []),
})

const SHAREABLE = ['github', 'microsoft'] as const

async function readSections(call: ProjectCall): Promise<Omit<Settings, 'rejected' | 'notice'>> {
  const { ctx, tenant } = call
  const resource = await findSettings(ctx, tenant)
  const urls = resource?.callbackUrls ?? []
  const read = readCallbackList(urls)
  const providers = resource === null ? null : await listProviders(ctx, tenant)
  return {
    callbacks: { urls, warnings: read.ok ? read.warnings : [] },
    signIn: resource,
    invitations: { invitations: await listInvitations(ctx, tenant), link: readNewLink(call) },
    brand: resource === null ? null : await readBrand(ctx, tenant),
    domains: await listDomains(ctx, tenant),
    providers,
    availableProviders: SHAREABLE.filter(
      (name) => ctx.providers.shared(name) !== null && !providers?.some((provider) => provider.name === name),
    ),
    webhooks: await listWebhooks(ctx, tenant),
  }
}

/** The result of a test sign-in. */
function testNotice({ ctx, tenant, c }: ProjectCall): Notice | undefined {
  const message = testMessage(ctx, tenant.id, c.req.query())
  return message === undefined ? undefined : { section: 'providers', message }
}

export interface Settings {
  readonly callbacks: Callbacks
  /** null: no callback is registered yet. */
  readonly signIn: (Access & Logins) | null
  readonly invitations: Invitations
  readonly brand: DescribedBrand | null
  readonly domains: readonly Domain[]
  readonly providers: ProjectProviders['providers'] | null
  readonly availableProviders: ProjectProviders['available']
  readonly webhooks: readonly ProjectWebhook[]
  /** Shown in its section. */
  readonly notice?: Notice | undefined
  readonly rejected: RejectedForm | null
}

/** `/account/projects/:tenantId/settings`. */
export function settingsPage(frame: Frame, settings: Settings): Html {
  const { callbacks, signIn, invitations, brand, domains, providers, availableProviders, webhooks, notice, rejected } =
    settings
  return projectLayout(
    frame,
    'settings',
    html`
      ${sectionLinks(frame.project.tenantId)}
      ${settingsSection('name', notice, nameSection(frame, rejected))}
      ${settingsSection('callbacks', notice, callbacksSection(frame, callbacks, rejected))}
      ${settingsSection('access', notice, signIn === null ? afterCallbacks : accessSection(frame, signIn, rejected))}
      ${settingsSection('invitations', notice, signIn === null ? afterCallbacks : invitationsSection(frame, invitations, rejected))}
      ${settingsSection('logins', notice, signIn === null ? afterCallbacks : loginsSection(frame, signIn, rejected))}
      ${settingsSection('brand', notice, signIn === null ? afterCallbacks : brandSection(frame, brand, rejected))}
      ${settingsSection('domains', notice, domainsSection(frame, domains, rejected))}
      ${settingsSection(
        'providers',
        notice,
        providers === null ? afterCallbacks : providersSection(frame, { providers, available: availableProviders }),
      )}
      ${settingsSection('webhooks', notice, webhooksSection(frame, webhooks, rejected))}
    `,
  )
}

/** The sections of the settings, in the order of the page. Their names are the anchors. */
const SECTIONS = {
  name: 'Name',
  callbacks: 'Callback URLs',
  access: 'Who can sign in',
  invitations: 'Invitations',
  logins: 'Logins',
  brand: 'Branding',
  domains: 'Domains',
  providers: 'Sign-in providers',
  webhooks: 'Webhooks',
} as const

type SectionName = keyof typeof SECTIONS

const settingsSection = (name: SectionName, notice: Notice | undefined, body: Html): Html =>
  html`<section class="card setting" id="${name}">
    <h2>${SECTIONS[name]}</h2>
    ${statusNotice(notice?.section === name ? notice.message : undefined)}
    ${body}
  </section>`

/** Links to the sections: the page is long. */
const sectionLinks = (tenantId: string): Html =>
  html`<nav class="section-links" aria-label="Settings">${Object.entries(SECTIONS).map(
    ([name, title]) => html`<a href="${accountPaths.settings(tenantId)}#${name}">${title}</a>`,
  )}</nav>`

/** Instead of a section that needs social login. */
const afterCallbacks = html`<p class="none">Available after you register a callback URL.</p>`
