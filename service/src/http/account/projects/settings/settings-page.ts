import { type Html, html } from '../../../pages/markup.ts'
import { consolePage, type Frame } from '../console.ts'
import { type ProjectProviders, providersSection } from './providers-section.ts'
import { type ProjectWebhook, webhooksTable } from './webhooks-table.ts'

export interface Settings {
  readonly providers: ProjectProviders['providers']
  readonly availableProviders: ProjectProviders['available']
  readonly webhooks: readonly ProjectWebhook[]
}

/** `/account/projects/:tenantId/settings`. */
export const settingsPage = (frame: Frame, { providers, availableProviders, webhooks }: Settings): Html => {
  const { csrf, now, project } = frame
  return consolePage(
    frame,
    'settings',
    html`
      <h2>Sign-in providers</h2>
      ${providersSection({ csrf, tenantId: project.tenantId, now, providers, available: availableProviders })}
      <h2>Webhooks</h2>
      ${webhooksTable(webhooks, now)}
    `,
  )
}
