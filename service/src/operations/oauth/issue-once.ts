import type { TransactionStores } from '../../domain/stores/stores.ts'
import { Unavailable } from '../../domain/unavailable.ts'
import type { Context } from '../context.ts'
import { type IssuedTokens, type Issuing, issueTokens } from './issue-tokens.ts'

const LOOKS = 3
const BETWEEN_LOOKS_MS = 500

/**
 * Uses something up and issues a pair for it, in one transaction; null when it was used up already.
 *
 * A connection can break after the commit was sent and before it was answered. Then only the database knows, so we ask
 * it. To answer "try again" instead would have the client send what is used up, which looks like a theft and ends the
 * grant: an alarm of our own making (keycloak#49213).
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

/** A pair is random, so finding it means that our transaction, and no other, was committed. */
async function isStored(
  { stores, keyring }: Pick<Context, 'stores' | 'keyring'>,
  { accessToken }: IssuedTokens,
  now: number,
): Promise<boolean> {
  for (let look = 1; look <= LOOKS; look++) {
    try {
      return (await stores.oauthTokens.findGrant([keyring.hash('oauth-access', accessToken)], now)) !== null
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS))
    }
  }
  return false
}
