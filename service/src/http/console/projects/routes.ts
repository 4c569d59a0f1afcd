import type { App, HttpDependencies } from '../../dependencies.ts'
import { clientRoute } from '../settings/client-page.ts'
import { settingsRoute } from '../settings/settings.ts'
import { webhookRoute } from '../settings/webhook-page.ts'
import { dangerRoute, deletionRoute } from './danger.ts'
import { keyFileRoute, keysRoute, newKeysRoute } from './keys.ts'
import { newProjectRoute } from './new-project.ts'
import { liveActivityRoute, overviewRoute } from './overview.ts'
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
  settingsRoute,
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
  for (const route of ROUTES) route(app, deps)
}
