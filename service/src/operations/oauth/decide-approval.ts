import { ApiError } from '../../domain/api-error.ts'
import { CODE_LIFETIME_MS } from '../../domain/oauth/grant.ts'
import { deriveCode } from '../../domain/oauth/token.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'
import { loginOver } from '../login/attempt-errors.ts'
import { type ApprovalCode, allowedScopes, codeUrl, type DecideApproval, denialUrl } from './approval-decision.ts'
import { repeatApproval } from './repeat-approval.ts'

/**
 * Decides an approval once: one transaction marks it as decided and creates the grant and the code. Returns the redirect
 * URI of the client with the response. The same decision again gets the same response.
 */
export async function decideApproval(ctx: Context, input: DecideApproval): Promise<string> {
  const { approvalId, browser, decision } = input
  const now = ctx.now()
  return ctx.stores.transaction(async (stores) => {
    const approval = await stores.oauthApprovals.decide(
      ctx.keyring.hashes('oauth-approval', approvalId),
      ctx.keyring.hashes('browser', browser),
      decision.allow ? 'allowed' : 'denied',
      now,
    )
    if (approval === null) {
      const repeated = await repeatApproval(ctx, stores, input, now)
      if (repeated === null) throw loginOver()
      return repeated
    }
    if (!decision.allow) return denialUrl(ctx, approval)
    const code = deriveCode(ctx.keyring, approvalId, browser)
    await issueCode(ctx, stores, { approval, decision, code, now })
    return codeUrl(ctx, approval, code)
  })
}

async function issueCode(
  ctx: Context,
  stores: TransactionStores,
  { approval, decision, code, now }: ApprovalCode,
): Promise<void> {
  const { subject } = decision
  if (subject.kind === 'guest' && approval.accountRequired) {
    throw new ApiError('invalidRequest', 'This program needs an account. Sign in to go on.')
  }
  const allowed = allowedScopes(approval, decision)
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
  const { redirectUri, challenge } = approval
  await stores.oauthCodes.add(
    ctx.keyring.hash('oauth-code', code),
    { redirectUri, challenge, expiresAt: endsAt },
    grantId,
  )
}
