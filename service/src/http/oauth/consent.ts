import { isScope, type Scope } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { signOut } from '../../operations/accounts/sign-out.ts'
import { type Decision, decideApproval } from '../../operations/oauth/decide-approval.ts'
import { guestSubject } from '../../operations/oauth/guest-subject.ts'
import { signInAndReturn } from '../account/account.ts'
import { pageRoute } from '../account/form.ts'
import { accountCookie, deleteAccountCookie } from '../callers/account-session.ts'
import { guestCookie, setGuestCookie } from '../callers/guest-cookie.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { redirectTo } from '../edge/redirect-to.ts'
import { type ConsentRequest, consentPath, readConsentForm, readConsentRequest } from './consent-request.ts'
import { renderConsent } from './render-consent.ts'

const PATH = consentPath(':approvalId')

/** Where a person lets a program act for them, or not. */
export function oauthConsentRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  pageRoute(app, deps, 'GET', PATH, async (c) => {
    const viewed = await readConsentRequest(deps, c)
    // What was ticked before signing in; else everything that was asked for.
    const ticked = c.req.query('scope')?.split(' ').filter(isScope) ?? viewed.approval.scopes
    return renderConsent(deps, c, { ...viewed, ticked })
  })

  pageRoute(app, deps, 'POST', PATH, async (c) => {
    const { viewed, form } = await readConsentForm(deps, c)
    const ticked = tickedIn(form)
    switch (form.get('decision')) {
      case 'deny':
        return decide(deps, c, viewed, { allow: false })
      case 'allow':
        if (viewed.owner === null) return c.redirect(consentPath(viewed.approvalId), 303)
        if (ticked.length === 0) return renderConsent(deps, c, { ...viewed, ticked, nothingTicked: true })
        return decide(deps, c, viewed, {
          allow: true,
          subject: { kind: 'account', accountId: viewed.owner.session.account.id },
          scopes: ticked,
        })
      case 'guest': {
        if (ticked.length === 0) return renderConsent(deps, c, { ...viewed, ticked, nothingTicked: true })
        const guest = guestSubject(ctx, guestCookie(c, ctx.baseUrl))
        setGuestCookie(c, ctx.baseUrl, guest.secret)
        return decide(deps, c, viewed, { allow: true, subject: guest.subject, scopes: ticked })
      }
      default:
        throw new ApiError('invalidRequest', 'Press Allow or Deny.')
    }
  })

  pageRoute(app, deps, 'POST', `${PATH}/sign-in`, async (c) => {
    const { viewed, form } = await readConsentForm(deps, c)
    return signInAndReturn(deps, c, backTo(viewed, tickedIn(form)))
  })

  pageRoute(app, deps, 'POST', `${PATH}/switch`, async (c) => {
    const { viewed, form } = await readConsentForm(deps, c)
    await signOut(ctx, accountCookie(c, ctx.baseUrl))
    deleteAccountCookie(c, ctx.baseUrl)
    return signInAndReturn(deps, c, backTo(viewed, tickedIn(form)))
  })
}

async function decide(
  { ctx }: HttpDependencies,
  c: Call,
  viewed: ConsentRequest,
  decision: Decision,
): Promise<Response> {
  const { approvalId, browser } = viewed
  return redirectTo(c, await decideApproval(ctx, { approvalId, browser, decision }))
}

/** Each scope has a field of its own. */
const tickedIn = (form: URLSearchParams): Scope[] => [...form.keys()].filter(isScope)

/** To this page again, with the same boxes ticked. */
const backTo = ({ approvalId }: ConsentRequest, ticked: readonly Scope[]): string =>
  `${consentPath(approvalId)}?${new URLSearchParams({ scope: ticked.join(' ') })}`
