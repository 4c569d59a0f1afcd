import type { Approval } from '../../domain/oauth/grant.ts'
import { formToken, requireFormToken } from '../../operations/accounts/account-session.ts'
import { readApproval } from '../../operations/oauth/approvals.ts'
import { loginBrowserCookie } from '../callers/cookies.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import { type SignedInOwner, signedInOwner } from '../callers/sessions.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'
import { readForm } from '../request/body.ts'

export const consentPath = (approvalId: string): string => `/oauth/consent/${approvalId}`

export const decidedPath = (approvalId: string): string => `${consentPath(approvalId)}/decided`

/** A pending approval, and the browser and account that view it. */
export interface ConsentRequest {
  readonly approvalId: string
  readonly approval: Approval
  readonly browser: string
  readonly owner: SignedInOwner | null
  /** The CSRF token of the page's forms. */
  readonly csrf: string
}

export async function readConsentRequest(
  { ctx }: HttpDependencies,
  c: Call,
  read = readApproval,
): Promise<ConsentRequest> {
  const approvalId = c.req.param('approvalId') ?? ''
  const browser = loginBrowserCookie(c, ctx.baseUrl)
  const approval = await read(ctx, { approvalId, browser })
  const owner = await signedInOwner(ctx, c)
  // Bound to this approval and to the account session; to the browser cookie if there is no account session.
  const secret = browser ?? ''
  const csrf = owner?.csrf(formName(approvalId)) ?? formToken(ctx, secret, formName(approvalId))
  return { approvalId, approval, browser: secret, owner, csrf }
}

/**
 * Reads a posted consent form. Prevents consent forgery: the form must come from the browser or the account session that was
 * shown this approval (better-auth CVE-2026-45337).
 */
export async function readConsentForm(
  deps: HttpDependencies,
  c: Call,
  read = readApproval,
): Promise<{ request: ConsentRequest; form: URLSearchParams }> {
  requireSameOrigin(c, deps.ctx.baseUrl)
  const form = await readForm(c)
  const request = await readConsentRequest(deps, c, read)
  const { approvalId, browser, owner } = request
  const token = form.get('csrf') ?? ''
  if (owner === null) {
    requireFormToken(deps.ctx, token, browser, formName(approvalId))
  } else {
    owner.requireCsrf(token, formName(approvalId))
  }
  return { request, form }
}

const formName = (approvalId: string): string => `approval:${approvalId}`
