import { SCOPE_DESCRIPTIONS, type Scope } from '@gatehouse/contract'
import { isClientDocumentUrl } from '../../domain/oauth/client-documents.ts'
import { isLoopbackRedirect } from '../../domain/oauth/redirect-uri.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'
import { page } from '../responses.ts'
import { oauthConsentPage } from './consent-page.ts'
import { type ConsentRequest, consentPath } from './consent-request.ts'

interface Shown extends ConsentRequest {
  readonly ticked: readonly Scope[]
  /** They pressed Allow with nothing ticked: nothing was decided. */
  readonly nothingTicked?: boolean
}

export function renderConsent(deps: HttpDependencies, c: Call, shown: Shown): Response {
  const { approvalId, approval, owner, csrf, ticked, nothingTicked = false } = shown
  const { clientId, clientName, redirectUri } = approval
  const action = consentPath(approvalId)
  const html = oauthConsentPage({
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
  // A client's page may have opened this one in a window of its own, and waits there for it to come back.
  c.header('Cross-Origin-Opener-Policy', 'unsafe-none')
  return page(c, html, nothingTicked ? 400 : 200, [...onward(redirectUri), ...deps.providerOrigins])
}

function destinationOf(redirectUri: string): { readonly kind: 'site' | 'program' | 'app'; readonly name: string } {
  const { protocol, host } = new URL(redirectUri)
  if (isLoopbackRedirect(redirectUri)) return { kind: 'program', name: host }
  if (protocol === 'https:') return { kind: 'site', name: host }
  return { kind: 'app', name: host === '' ? protocol : `${protocol}//${host}` }
}

/**
 * Where the buttons may lead: to where the client is answered, and to wherever that redirects. Whole schemes, because
 * `[::1]` and the addresses of apps (`cursor:`) cannot be written as a host in a policy.
 */
const onward = (redirectUri: string): string[] => [...new Set([new URL(redirectUri).protocol, 'https:'])]
