import type { Approval } from '../../domain/oauth/approval.ts'
import type { Context } from '../context.ts'
import { loginOtherBrowser, loginOver } from '../login/attempt-errors.ts'

const SHAPE = /^[A-Za-z0-9_-]{43}$/

type Dependencies = Pick<Context, 'stores' | 'keyring' | 'now'>

export interface ApprovalInput {
  readonly approvalId: string
  readonly browser: string | null
}

/** The approval that waits for a decision in this browser. */
export const readApproval = async (ctx: Dependencies, input: ApprovalInput): Promise<Approval> =>
  requireOpen(ctx, await findApproval(ctx, input))

export function requireOpen(ctx: Pick<Context, 'now'>, approval: Approval): Approval {
  if (approval.decidedAt !== null || approval.expiresAt <= ctx.now()) throw loginOver()
  return approval
}

/** An approval of this browser, perhaps decided or expired. The id alone is not enough in another browser. */
export async function findApproval(ctx: Dependencies, input: ApprovalInput): Promise<Approval> {
  const { approvalId, browser } = input
  const approval = SHAPE.test(approvalId)
    ? await ctx.stores.oauthApprovals.find(ctx.keyring.hashes('oauth-approval', approvalId))
    : null
  if (approval === null) throw loginOver()
  if (browser === null || !ctx.keyring.hashes('browser', browser).includes(approval.browserHash)) {
    throw loginOtherBrowser()
  }
  return approval
}
