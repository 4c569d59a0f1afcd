import { isRepeatedExchange, type PresentedCode } from '../../domain/login/login-code.ts'
import { fitsChallenge } from '../../domain/oauth/pkce.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { endSession } from '../sessions/end-session.ts'
import { createTokenPair, type TokenPair } from '../sessions/token-pair.ts'
import { requireResource } from '../tenants/require-tenant.ts'
import { invalidCode } from './invalid-code.ts'

interface UsedCode extends PresentedCode {
  readonly hash: string
}

/**
 * Handles a code that was used before. The same app again, after a lost response, gets the same pair, which is derived
 * (decision 14). Any other second use with the verifier may be a theft: it ends the session that the code started (ASVS
 * 10.4.2). Without the verifier it changes nothing: a code alone is in the history of the browser.
 */
export async function handleUsedCode(ctx: Context, tenant: Tenant, presented: UsedCode): Promise<TokenPair> {
  // In a transaction, because on SQLite the exchange may be part of a group that is not committed yet.
  const found = await ctx.stores.transaction(async (stores) => {
    const resource = await requireResource(stores, tenant)
    const code = await stores.loginCodes.find(resource, [presented.hash])
    const session = code?.sessionId == null ? null : await stores.sessions.find(resource, code.sessionId)
    if (code === null || session === null || !fitsChallenge(presented.verifier, code.challenge)) return null
    const user = await stores.users.find(resource, session.userId)
    const isRepeat = user !== null && isRepeatedExchange(code, session, presented, ctx.now())
    return { session, pair: isRepeat ? createTokenPair(ctx, { tenant, resource, user }, session) : null }
  })
  if (found?.pair) return found.pair
  if (found !== null) await endSession(ctx, tenant, found.session.id, 'code_reuse')
  throw invalidCode()
}
