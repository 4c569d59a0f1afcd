import { SCOPE_DESCRIPTIONS, type Scope } from '@gatehouse/contract'
import { isClientDocumentUrl } from '../../domain/oauth/client.ts'
import { isLoopbackRedirect } from '../../domain/oauth/redirect-uri.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'
import { page } from '../responses.ts'
import { oauthConsentPage } from './consent-page.ts'
import { type ConsentRequest, consentPath } from './consent-request.ts'

interface ConsentView extends ConsentRequest {
  readonly ticked: readonly Scope[]
  /** The user pressed Allow without selecting a scope; nothing was decided. */
  readonly nothingTicked?: boolean
}

export function renderConsent(deps: HttpDependencies, c: Call, consent: ConsentView): Response {
  const { approvalId, approval, owner, csrf, ticked, nothingTicked = false } = consent
  const { clientId, clientName, redirectUri } = approval
  const action = consentPath(approvalId)
  const html = oauthConsentPage({
    operator: deps.operator,
    csrf,
    action,
    signInAction: `${action}/sign-in`,
    switchAction: `${action}/switch`,
    client: {
      name: clientName,
      describedAt: isClientDocumentUrl(clientId) ? new URL(clientId).host : null,
    },
    returnsTo: destinationOf(redirectUri),
    scopes: approval.scopes.map((scope) => ({
      scope,
      words: SCOPE_DESCRIPTIONS[scope],
      ticked: ticked.includes(scope),
    })),
    nothingTicked,
    viewer: owner?.session.account ?? null,
    guestOffered: !approval.accountRequired,
  })
  // A client's page may have opened this one as a popup and needs its handle to receive the result.
  c.header('Cross-Origin-Opener-Policy', 'unsafe-none')
  return page(c, html, nothingTicked ? 400 : 200, [...formActionsOf(redirectUri), ...deps.providerOrigins])
}

/** Where a redirect URI leads, as the pages name it. */
export function destinationOf(redirectUri: string): {
  readonly kind: 'site' | 'loopback' | 'app'
  readonly name: string
} {
  const { protocol, host } = new URL(redirectUri)
  if (isLoopbackRedirect(redirectUri)) return { kind: 'loopback', name: host }
  if (protocol === 'https:') return { kind: 'site', name: host }
  return { kind: 'app', name: host === '' ? protocol : `${protocol}//${host}` }
}

/**
 * The `form-action` sources for the client's redirect URI and for the redirects that follow it. Whole schemes, because a
 * policy cannot name the host `[::1]` or the private-use scheme of an app (`cursor:`) with a host.
 */
const formActionsOf = (redirectUri: string): string[] => [...new Set([new URL(redirectUri).protocol, 'https:'])]
