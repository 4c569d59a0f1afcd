import type { Scope } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Approval } from '../../domain/oauth/approval.ts'
import { CODE_LIFETIME_MS, type Subject } from '../../domain/oauth/grant.ts'
import { appendParameters } from '../../domain/oauth/redirect-uri.ts'
import { mintOAuthSecret } from '../../domain/oauth/token.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'
import { loginOver } from '../login/attempt-errors.ts'

export type Decision =
  | { readonly allow: false }
  | { readonly allow: true; readonly subject: Subject; readonly scopes: readonly Scope[] }

/**
 * Decides an approval once: one transaction marks it as decided and creates the grant and the code. Returns the redirect
 * URI of the client with the response.
 */
export async function decideApproval(
  ctx: Context,
  input: { readonly approvalId: string; readonly browser: string; readonly decision: Decision },
): Promise<string> {
  const { approvalId, browser, decision } = input
  const now = ctx.now()
  return ctx.stores.transaction(async (stores) => {
    const approval = await stores.oauthApprovals.decide(
      ctx.keyring.hashes('oauth-approval', approvalId),
      ctx.keyring.hashes('browser', browser),
      now,
    )
    if (approval === null) throw loginOver()
    const response = decision.allow
      ? { code: await issueCode(ctx, stores, approval, decision, now) }
      : { error: 'access_denied', error_description: 'The person said no.' }
    return appendParameters(approval.redirectUri, { ...response, state: approval.state, iss: ctx.baseUrl })
  })
}

async function issueCode(
  ctx: Context,
  stores: TransactionStores,
  approval: Approval,
  { subject, scopes }: Extract<Decision, { allow: true }>,
  now: number,
): Promise<string> {
  if (subject.kind === 'guest' && approval.accountRequired) {
    throw new ApiError('invalidRequest', 'This program needs an account. Sign in to go on.')
  }
  const allowed = approval.scopes.filter((scope) => scopes.includes(scope))
  if (allowed.length === 0) throw new ApiError('invalidRequest', 'Nothing was ticked, so there is nothing to allow.')
  const endsAt = now + CODE_LIFETIME_MS
  const grantId = await stores.oauthGrants.add({
    clientId: approval.clientId,
    clientName: approval.clientName,
    subject,
    scopes: allowed,
    resource: approval.resource,
    createdAt: now,
    endsAt,
  })
  const code = mintOAuthSecret('code', ctx.random)
  const { redirectUri, challenge } = approval
  await stores.oauthCodes.add(
    ctx.keyring.hash('oauth-code', code),
    { redirectUri, challenge, expiresAt: endsAt },
    grantId,
  )
  return code
}
