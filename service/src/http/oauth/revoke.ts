import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import { revokeToken } from '../../operations/oauth/tokens.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { readForm } from '../request/body.ts'
import { allowAnyOrigin, noStoreHeaders } from './cors.ts'
import { oauthProblem } from './errors.ts'

const PATH = '/oauth/revoke'

/**
 * RFC 7009: 200 for any token, known or not (section 2.2). The body is `{}`, because many clients parse every response. Prevents a false success: if the token could not be revoked, the
 * response is an error (fosite CVE-2020-15223).
 */
export function revokeRoutes(app: App, deps: HttpDependencies): void {
  allowAnyOrigin(app, PATH, 'POST')
  app.post(PATH, async (c) => {
    try {
      const form = await readForm(c)
      const token = form.get('token')
      if (token === null || token === '') throw new OAuthError('invalid_request', 'The parameter token is missing.')
      await revokeToken(deps.ctx, { token, clientId: form.get('client_id') ?? undefined })
      noStoreHeaders(c)
      return c.json({}, 200)
    } catch (error) {
      return oauthProblem(deps, c, error)
    }
  })
}
