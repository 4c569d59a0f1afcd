import type { App, HttpDependencies } from '../../dependencies.ts'
import { brandSection } from '../settings/brand.ts'
import { clientRoute } from '../settings/client-page.ts'
import { domainsSection } from '../settings/domains.ts'
import { idTokensSection } from '../settings/id-tokens.ts'
import { invitationsSection } from '../settings/invitations.ts'
import { providersSection } from '../settings/providers.ts'
import {
  accessSection,
  callbacksSection,
  consentSection,
  nameSection,
  tokensSection,
} from '../settings/sections.ts'
import { settingsRoute } from '../settings/settings-page.ts'
import { webhookRoute } from '../settings/webhook-page.ts'
import { webhooksSection } from '../settings/webhooks.ts'
import { dangerRoute, deletionRoute } from './danger.ts'
import { keyFileRoute, keysRoute, newKeysRoute } from './keys.ts'
import { liveActivityRoute } from './live-activity.ts'
import { newProjectRoute } from './new-project.ts'
import { overviewRoute } from './overview.ts'
import { sessionsRoute } from './sessions.ts'
import { userRoute } from './user-page.ts'
import { usersRoute } from './users.ts'

const ROUTES = [
  newProjectRoute,
  overviewRoute,
  liveActivityRoute,
  usersRoute,
  userRoute,
  sessionsRoute,
  settingsRoute('general', nameSection),
  settingsRoute('callbacks', callbacksSection),
  settingsRoute('access', accessSection, invitationsSection),
  settingsRoute('pages', brandSection, domainsSection, consentSection),
  settingsRoute('providers', providersSection),
  settingsRoute('tokens', tokensSection, idTokensSection),
  settingsRoute('webhooks', webhooksSection),
  clientRoute,
  webhookRoute,
  keysRoute,
  newKeysRoute,
  keyFileRoute,
  dangerRoute,
  deletionRoute,
]

/** The pages of projects, each with its forms. */
export function projectRoutes(app: App, deps: HttpDependencies): void {
  for (const route of ROUTES) {
    route(app, deps)
  }
}
