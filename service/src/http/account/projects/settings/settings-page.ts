import type { Domain } from '../../../../domain/brand/domain.ts'
import type { DescribedBrand } from '../../../../operations/brand/brand.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { consolePage, type Frame } from '../console.ts'
import { type Access, accessSection } from './access-section.ts'
import { brandSection } from './brand/brand-section.ts'
import { domainsSection } from './brand/domains-section.ts'
import { type Callbacks, callbacksSection } from './callbacks-section.ts'
import type { RejectedForm } from './form-state.ts'
import { type Logins, loginsSection } from './logins-section.ts'
import { nameSection } from './name-section.ts'
import { type ProjectProviders, providersSection } from './providers-section.ts'
import { afterCallbacks, type SectionNotice, sectionLinks, settingsSection } from './section.ts'
import { webhooksSection } from './webhooks/webhooks-section.ts'
import type { ProjectWebhook } from './webhooks/webhooks-table.ts'

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
