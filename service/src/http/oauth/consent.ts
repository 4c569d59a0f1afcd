import { isScope, SCOPE_DESCRIPTIONS, type Scope } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import { isClientDocumentUrl } from '../../domain/oauth/client.ts'
import { isLoopbackRedirect } from '../../domain/oauth/redirect-uri.ts'
import { signOut } from '../../operations/accounts/account-session.ts'
import {
  type Decision,
  decideApproval,
  findApproval,
  guestSubject,
} from '../../operations/oauth/approvals.ts'
import { guestCookie, setGuestCookie } from '../callers/cookies.ts'
import { accountCookie, deleteAccountCookie } from '../callers/sessions.ts'
import { signInAndReturn } from '../console/account.ts'
import { pageRoute } from '../console/form.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { redirectTo } from '../edge/redirect-to.ts'
import { page } from '../responses.ts'
import { oauthConsentPage } from './consent-page.ts'
import {
  type ConsentRequest,
  consentPath,
  decidedPath,
  readConsentForm,
  readConsentRequest,
} from './consent-request.ts'

const PATH = consentPath(':approvalId')

/** The consent page: the user allows a client to act for them, or denies it. */
export function oauthConsentRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  pageRoute(app, deps, 'GET', PATH, async (c) => {
    const request = await readConsentRequest(deps, c)
    // The scopes selected before signing in; otherwise every requested scope.
    const scope = c.req.query('scope')
    const ticked = scope?.split(' ').filter(isScope) ?? request.approval.scopes
    return renderConsent(deps, c, { ...request, ticked, nothingTicked: scope === NONE })
  })

  pageRoute(app, deps, 'POST', PATH, async (c) => {
    const { request, form } = await readConsentForm(deps, c, findApproval)
    const ticked = selectedScopes(form)
    switch (form.get('decision')) {
      case 'deny':
        return decide(deps, c, request, { allow: false })
      case 'allow':
        if (request.owner === null) {
          return c.redirect(consentPath(request.approvalId), 303)
        }
        if (ticked.length === 0) {
          return redirectTo(c, returnPath(request, [NONE]))
        }
        return decide(deps, c, request, {
          allow: true,
          subject: { kind: 'account', accountId: request.owner.session.account.id },
          scopes: ticked,
        })
      case 'guest': {
        if (ticked.length === 0) {
          return redirectTo(c, returnPath(request, [NONE]))
        }
        const guest = guestSubject(ctx, guestCookie(c, ctx.baseUrl), request)
        setGuestCookie(c, ctx.baseUrl, guest.secret)
        return decide(deps, c, request, { allow: true, subject: guest.subject, scopes: ticked })
      }
      default:
        throw new ApiError('invalidRequest', 'Press Allow or Deny.')
    }
  })

  pageRoute(app, deps, 'POST', `${PATH}/sign-in`, async (c) => {
    const { request, form } = await readConsentForm(deps, c)
    return signInAndReturn(deps, c, returnPath(request, selectedScopes(form)))
  })

  pageRoute(app, deps, 'POST', `${PATH}/switch`, async (c) => {
    const { request, form } = await readConsentForm(deps, c)
    await signOut(ctx, accountCookie(c, ctx.baseUrl))
    deleteAccountCookie(c, ctx.baseUrl)
    return signInAndReturn(deps, c, returnPath(request, selectedScopes(form)))
  })
}

async function decide(
  { ctx }: HttpDependencies,
  c: Call,
  request: ConsentRequest,
  decision: Decision,
): Promise<Response> {
  const { approvalId, browser } = request
  const location = await decideApproval(ctx, { approvalId, browser, decision })
  // Without a program for its scheme, the browser would stay on a page that asks for a decision already made.
  const isApp = destinationOf(request.approval.redirectUri).kind === 'app'
  return redirectTo(c, isApp ? ctx.baseUrl + decidedPath(approvalId) : location)
}

/** The form has one field per selected scope. */
const selectedScopes = (form: URLSearchParams): Scope[] => [...form.keys()].filter(isScope)

/** In place of a scope: the page says that one must be selected. */
const NONE = 'none'

/** The path back to this page after signing in, with the same scopes selected. */
const returnPath = ({ approvalId }: ConsentRequest, ticked: readonly string[]): string =>
  `${consentPath(approvalId)}?${new URLSearchParams({ scope: ticked.join(' ') })}`

interface ConsentView extends ConsentRequest {
  readonly ticked: readonly Scope[]
  /** The user pressed Allow without selecting a scope; nothing was decided. */
  readonly nothingTicked: boolean
}

function renderConsent(deps: HttpDependencies, c: Call, consent: ConsentView): Response {
  const { approvalId, approval, owner, csrf, ticked, nothingTicked } = consent
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
  return page(c, html, nothingTicked ? 400 : 200, [
    ...formActionsOf(redirectUri),
    ...deps.providerOrigins,
  ])
}

/** Where a redirect URI leads, as the pages name it. */
export function destinationOf(redirectUri: string): {
  readonly kind: 'site' | 'loopback' | 'app'
  readonly name: string
} {
  const { protocol, host } = new URL(redirectUri)
  if (isLoopbackRedirect(redirectUri)) {
    return { kind: 'loopback', name: host }
  }
  if (protocol === 'https:') {
    return { kind: 'site', name: host }
  }
  return { kind: 'app', name: host === '' ? protocol : `${protocol}//${host}` }
}

/**
 * The `form-action` sources for the client's redirect URI and for the redirects that follow it. Whole schemes, because a
 * policy cannot name the host `[::1]` or the private-use scheme of an app (`cursor:`) with a host.
 */
const formActionsOf = (redirectUri: string): string[] => [
  ...new Set([new URL(redirectUri).protocol, 'https:']),
]
