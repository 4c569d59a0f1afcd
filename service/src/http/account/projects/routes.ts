import type { App, HttpDependencies } from '../../dependencies.ts'
import { projectDangerRoutes } from './danger/danger.ts'
import { deletionRoutes } from './danger/deletion.ts'
import { projectKeyRoutes } from './keys/keys.ts'
import { newProjectRoutes } from './new-project.ts'
import { overviewRoutes } from './overview/overview.ts'
import { projectSessionRoutes } from './sessions/sessions.ts'
import { projectSettingsRoutes } from './settings/settings.ts'
import { projectUserRoutes } from './users/users.ts'

/** The tabs of a project. */
export function projectRoutes(app: App, deps: HttpDependencies): void {
  newProjectRoutes(app, deps)
  overviewRoutes(app, deps)
  projectUserRoutes(app, deps)
  projectSessionRoutes(app, deps)
  projectSettingsRoutes(app, deps)
  projectKeyRoutes(app, deps)
  projectDangerRoutes(app, deps)
  deletionRoutes(app, deps)
}
