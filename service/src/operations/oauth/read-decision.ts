import type { Approval } from '../../domain/oauth/approval.ts'
import { deriveCode } from '../../domain/oauth/token.ts'
import type { Context } from '../context.ts'
import { loginOver } from '../login/attempt-errors.ts'
import { codeUrl, denialUrl } from './approval-decision.ts'
import { type ApprovalInput, findApproval } from './read-approval.ts'

export interface ApprovalDecision {
  readonly approval: Approval
  readonly allowed: boolean
  /** The client's redirect URI with the response; null once its code was used or has expired. */
  readonly location: string | null
}

/** What this browser has decided, for the page after the decision. Changes nothing, so the page may be reloaded. */
export async function readDecision(ctx: Context, input: ApprovalInput): Promise<ApprovalDecision> {
  const approval = await findApproval(ctx, input)
  if (approval.decidedAt === null) throw loginOver()
  if (approval.decision === 'denied') return { approval, allowed: false, location: denialUrl(ctx, approval) }
  for (const kid of ctx.keyring.kids) {
    const code = deriveCode(ctx.keyring, input.approvalId, input.browser ?? '', kid)
    const issued = await ctx.stores.oauthCodes.find(ctx.keyring.hashes('oauth-code', code))
    if (issued === null) continue
    const isUsable = issued.usedAt === null && issued.expiresAt > ctx.now()
    return { approval, allowed: true, location: isUsable ? codeUrl(ctx, approval, code) : null }
  }
  return { approval, allowed: true, location: null }
}
