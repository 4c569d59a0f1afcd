import type { App, HttpDependencies } from '../../dependencies.ts'
import { authorizeRoutes } from './authorize.ts'
import { discoveryRoutes } from './discovery.ts'
import { tokenRoutes } from './token.ts'
import { userRoutes } from './user.ts'

/** Every tenant is an OpenID Provider for its app (decision 70). */
export function openIdRoutes(app: App, deps: HttpDependencies): void {
  discoveryRoutes(app, deps)
  authorizeRoutes(app, deps)
  tokenRoutes(app, deps)
  userRoutes(app, deps)
}
