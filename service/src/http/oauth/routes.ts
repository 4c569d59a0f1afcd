import type { App, Surface } from '../dependencies.ts'
import { authorizeRoutes } from './authorize.ts'
import { oauthConsentRoutes } from './consent.ts'
import { oauthMetadataRoutes } from './metadata.ts'
import { registerRoutes } from './register.ts'
import { revokeRoutes } from './revoke.ts'
import { tokenRoutes } from './token.ts'

/** The authorization server: who it is, who asks, who allows it, and what they get. */
export function oauthRoutes(app: App, surface: Surface): void {
  oauthMetadataRoutes(app, surface)
  registerRoutes(app, surface)
  authorizeRoutes(app, surface)
  oauthConsentRoutes(app, surface)
  tokenRoutes(app, surface)
  revokeRoutes(app, surface)
}
