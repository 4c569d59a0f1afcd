import type { Approval } from '../../domain/oauth/approval.ts'
import { formToken, requireFormToken } from '../../operations/accounts/account-session.ts'
import { readApproval } from '../../operations/oauth/read-approval.ts'
import { type SignedInOwner, signedInOwner } from '../callers/account-session.ts'
import { loginBrowserCookie } from '../callers/login-browser-cookie.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'
import { readForm } from '../request/body.ts'

export const consentPath = (approvalId: string): string => `/oauth/consent/${approvalId}`

/** A request that waits for a decision, and whoever is in front of it. */
export interface ConsentRequest {
  readonly approvalId: string
  readonly approval: Approval
  readonly browser: string
  readonly owner: SignedInOwner | null
  /** What the forms of this page carry. */
  readonly csrf: string
}

export async function readConsentRequest({ ctx }: HttpDependencies, c: Call): Promise<ConsentRequest> {
  const approvalId = c.req.param('approvalId') ?? ''
  const browser = loginBrowserCookie(c, ctx.baseUrl)
  const approval = await readApproval(ctx, { approvalId, browser })
  const owner = await signedInOwner(ctx, c)
  // Made for this request and for the session that is shown it; for the browser while nobody is signed in.
  const secret = browser ?? ''
  const csrf = owner?.csrf(about(approvalId)) ?? formToken(ctx, secret, about(approvalId))
  return { approvalId, approval, browser: secret, owner, csrf }
}

/** A decision counts only from the session that was shown this request (better-auth CVE-2026-45337). */
export async function readConsentForm(
  deps: HttpDependencies,
  c: Call,
): Promise<{ viewed: ConsentRequest; form: URLSearchParams }> {
  requireSameOrigin(c, deps.ctx.baseUrl)
  const form = await readForm(c)
  const viewed = await readConsentRequest(deps, c)
  const { approvalId, browser, owner } = viewed
  const token = form.get('csrf') ?? ''
  if (owner === null) requireFormToken(deps.ctx, token, browser, about(approvalId))
  else owner.requireCsrf(token, about(approvalId))
  return { viewed, form }
}

const about = (approvalId: string): string => `approval:${approvalId}`
