import type { Approval } from '../../domain/oauth/approval.ts'
import type { Context } from '../context.ts'
import { loginOtherBrowser, loginOver } from '../login/attempt-errors.ts'

const SHAPE = /^[A-Za-z0-9_-]{43}$/

/** The approval that waits for a decision in this browser. The id alone is not enough in another browser. */
export async function readApproval(
  ctx: Pick<Context, 'stores' | 'keyring' | 'now'>,
  input: { readonly approvalId: string; readonly browser: string | null },
): Promise<Approval> {
  const { approvalId, browser } = input
  const approval = SHAPE.test(approvalId)
    ? await ctx.stores.oauthApprovals.find(ctx.keyring.hashes('oauth-approval', approvalId))
    : null
  if (approval === null) throw loginOver()
  if (browser === null || !ctx.keyring.hashes('browser', browser).includes(approval.browserHash)) {
    throw loginOtherBrowser()
  }
  if (approval.decidedAt !== null || approval.expiresAt <= ctx.now()) throw loginOver()
  return approval
}
