import { isScope, type Scope } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { signOut } from '../../operations/accounts/account-session.ts'
import {
  type Decision,
  decideApproval,
  findApproval,
  guestSubject,
  requireOpen,
} from '../../operations/oauth/approvals.ts'
import { signInAndReturn } from '../account/account.ts'
import { pageRoute } from '../account/form.ts'
import { accountCookie, deleteAccountCookie } from '../callers/account-session.ts'
import { guestCookie, setGuestCookie } from '../callers/guest-cookie.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { redirectTo } from '../edge/redirect-to.ts'
import { type ConsentRequest, consentPath, readConsentForm, readConsentRequest } from './consent-request.ts'
import { decidedPath } from './decided.ts'
import { destinationOf, renderConsent } from './render-consent.ts'

const PATH = consentPath(':approvalId')

/** The consent page: the user allows a client to act for them, or denies it. */
export function oauthConsentRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  pageRoute(app, deps, 'GET', PATH, async (c) => {
    const request = await readConsentRequest(deps, c)
    // The scopes selected before signing in; otherwise every requested scope.
    const ticked = c.req.query('scope')?.split(' ').filter(isScope) ?? request.approval.scopes
    return renderConsent(deps, c, { ...request, ticked })
  })

  pageRoute(app, deps, 'POST', PATH, async (c) => {
    const { request, form } = await readConsentForm(deps, c, findApproval)
    const ticked = selectedScopes(form)
    // Only a decision may be sent again.
    if (ticked.length === 0 && form.get('decision') !== 'deny') requireOpen(ctx, request.approval)
    switch (form.get('decision')) {
      case 'deny':
        return decide(deps, c, request, { allow: false })
      case 'allow':
        if (request.owner === null) return c.redirect(consentPath(request.approvalId), 303)
        if (ticked.length === 0) return renderConsent(deps, c, { ...request, ticked, nothingTicked: true })
        return decide(deps, c, request, {
          allow: true,
          subject: { kind: 'account', accountId: request.owner.session.account.id },
          scopes: ticked,
        })
      case 'guest': {
        if (ticked.length === 0) return renderConsent(deps, c, { ...request, ticked, nothingTicked: true })
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

/** The path back to this page after signing in, with the same scopes selected. */
const returnPath = ({ approvalId }: ConsentRequest, ticked: readonly Scope[]): string =>
  `${consentPath(approvalId)}?${new URLSearchParams({ scope: ticked.join(' ') })}`
