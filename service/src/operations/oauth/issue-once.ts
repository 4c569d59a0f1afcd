import type { TransactionStores } from '../../domain/stores/stores.ts'
import { Unavailable } from '../../domain/unavailable.ts'
import type { Context } from '../context.ts'
import { type IssuedTokens, type Issuing, issueTokens } from './issue-tokens.ts'

const MAX_RETRIES = 3
const RETRY_AFTER_MS = 500

/**
 * Uses a code or refresh token and issues a pair for it, in one transaction; null when it was already used.
 *
 * If the connection breaks during the commit, the outcome is unknown, so the pair is looked up. A 503 instead would make
 * the client retry with a used token, which would look like a replay and revoke the grant (keycloak#49213).
 */
export async function issueOnce(
  ctx: Pick<Context, 'stores' | 'keyring' | 'random'>,
  use: (stores: TransactionStores) => Promise<boolean>,
  issuing: Issuing,
): Promise<IssuedTokens | null> {
  let issued: IssuedTokens | null = null
  try {
    return await ctx.stores.transaction(async (stores) => {
      issued = (await use(stores)) ? await issueTokens(ctx, stores, issuing) : null
      return issued
    })
  } catch (error) {
    if (issued !== null && error instanceof Unavailable && (await isStored(ctx, issued, issuing.now))) return issued
    throw error
  }
}

/** Access tokens are random, so finding this one proves that the transaction was committed. */
async function isStored(
  { stores, keyring }: Pick<Context, 'stores' | 'keyring'>,
  { accessToken }: IssuedTokens,
  now: number,
): Promise<boolean> {
  for (let retry = 1; retry <= MAX_RETRIES; retry++) {
    try {
      return (await stores.oauthTokens.findGrant([keyring.hash('oauth-access', accessToken)], now)) !== null
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
    }
  }
  return false
}
