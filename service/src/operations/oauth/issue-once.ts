import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'
import { type IssuedTokens, type Issuing, issueTokens } from './issue-tokens.ts'

/**
 * Uses a code or refresh token and issues a pair for it, in one transaction; null when it was already used.
 *
 * Confirmed: if the connection broke during the commit and the response were 503, the client would retry with a used token,
 * which would look like a replay and revoke the grant (keycloak#49213).
 */
export const issueOnce = (
  ctx: Pick<Context, 'stores' | 'keyring' | 'random'>,
  use: (stores: TransactionStores) => Promise<boolean>,
  issuing: Issuing,
): Promise<IssuedTokens | null> =>
  ctx.stores.confirmedTransaction(async (stores) => ((await use(stores)) ? issueTokens(ctx, stores, issuing) : null))
