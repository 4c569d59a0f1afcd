import { ApiError } from '../../domain/api-error.ts'
import type { Call } from '../dependencies.ts'

/**
 * Prevents CSRF: a form post must come from one of the service's own pages. Those pages send no referrer, so browsers send
 * `Origin: null` from them (Fetch, "append a request Origin header"); `Sec-Fetch-Site` then tells same-origin from
 * cross-site. If a browser sends neither header, the CSRF token alone decides.
 */
export function requireSameOrigin(c: Call, baseUrl: string): void {
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  const foreignSite = site !== undefined && site !== 'same-origin'
  const foreignOrigin = origin !== undefined && origin !== 'null' && origin !== new URL(baseUrl).origin
  if (foreignSite || foreignOrigin) {
    throw new ApiError(
      'decisionNotOurs',
      'This decision came from another site. Go back, and press the button on our page.',
    )
  }
}
