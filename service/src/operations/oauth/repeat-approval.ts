import type { Subject } from '../../domain/oauth/grant.ts'
import { deriveCode } from '../../domain/oauth/token.ts'
import { isRepeatable } from '../../domain/repeated-decision.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'
import { type ApprovalCode, allowedScopes, codeUrl, type DecideApproval, denialUrl } from './approval-decision.ts'

/**
 * The redirect that the same decision of the same browser got less than a minute ago, with the same code (decision 43).
 * null: this is not a repeat. Changes nothing.
 */
export async function repeatApproval(
  ctx: Context,
  stores: TransactionStores,
  { approvalId, browser, decision }: DecideApproval,
  now: number,
): Promise<string | null> {
  const approval = await stores.oauthApprovals.find(ctx.keyring.hashes('oauth-approval', approvalId))
  if (approval === null || !ctx.keyring.hashes('browser', browser).includes(approval.browserHash)) return null
  if (approval.decidedAt === null || !isRepeatable(approval.decidedAt, now)) return null
  if (approval.decision !== (decision.allow ? 'allowed' : 'denied')) return null
  if (!decision.allow) return denialUrl(ctx, approval)
  for (const kid of ctx.keyring.kids) {
    const code = deriveCode(ctx.keyring, approvalId, browser, kid)
    if (await isUnused(ctx, stores, { approval, decision, code, now })) return codeUrl(ctx, approval, code)
  }
  return null
}

/**
 * Whether this decision issued the code, and the client has not used it yet: a client that got a used code again would use
 * it again, and a replay revokes the grant.
 */
async function isUnused(
  { keyring }: Context,
  stores: TransactionStores,
  { approval, decision, code, now }: ApprovalCode,
): Promise<boolean> {
  const found = await stores.oauthCodes.find(keyring.hashes('oauth-code', code))
  if (found === null || found.usedAt !== null || found.expiresAt <= now) return false
  const { subject, scopes } = found.grant
  return isSameSubject(subject, decision.subject) && scopes.join(' ') === allowedScopes(approval, decision).join(' ')
}

const isSameSubject = (a: Subject, b: Subject): boolean =>
  a.kind === 'account'
    ? b.kind === 'account' && a.accountId === b.accountId
    : b.kind === 'guest' && a.guestHash === b.guestHash
