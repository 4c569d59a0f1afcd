import type { App, HttpDependencies } from '../dependencies.ts'
import { authorizeRoutes } from './authorize.ts'
import { oauthConsentRoutes } from './consent.ts'
import { decidedRoutes } from './decided.ts'
import { oauthMetadataRoutes, registerRoutes } from './register.ts'
import { revokeRoutes, tokenRoutes } from './token.ts'

/** The authorization server: metadata, registration, authorization, consent, tokens and revocation. */
export function oauthRoutes(app: App, deps: HttpDependencies): void {
  oauthMetadataRoutes(app, deps)
  registerRoutes(app, deps)
  authorizeRoutes(app, deps)
  oauthConsentRoutes(app, deps)
  decidedRoutes(app, deps)
  tokenRoutes(app, deps)
  revokeRoutes(app, deps)
}
