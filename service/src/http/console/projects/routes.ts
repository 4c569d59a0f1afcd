import type { App, HttpDependencies } from '../../dependencies.ts'
import { projectSettingsRoutes } from '../settings/settings.ts'
import { deletionRoutes, projectDangerRoutes } from './danger.ts'
import { projectKeyRoutes } from './keys.ts'
import { newProjectRoutes } from './new-project.ts'
import { overviewRoutes } from './overview.ts'
import { projectSessionRoutes } from './sessions.ts'
import { projectUserRoutes } from './users.ts'

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
