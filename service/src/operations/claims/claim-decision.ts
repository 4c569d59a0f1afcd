import type { Account } from '../../domain/accounts/account.ts'
import type { Author } from '../../domain/audit/action.ts'
import { isRepeatable } from '../../domain/repeated-decision.ts'
import type { Claim } from '../../domain/tenants/claim.ts'
import type { DecisionSecrets } from '../accounts/account-session.ts'
import type { Context } from '../context.ts'
import { findIssuedKeys, KEY_REPLACEMENTS, type KeyReplacement, type ReplacedKeys } from '../tenants/key-replacement.ts'
import type { ClaimDetails } from './read-claim.ts'

/** A press of Approve or Deny on the claim page. */
export interface DecideClaim {
  readonly token: string
  readonly account: Account
  readonly approve: boolean
  readonly keys: 'keep' | KeyReplacement
  readonly secrets: DecisionSecrets
  readonly author: Author
}

/** Only the same session, with the same decision and the same choice about the keys, derives the same secrets. */
export const secretsOf = (
  { id }: Claim,
  { approve, keys, secrets }: Pick<DecideClaim, 'approve' | 'keys' | 'secrets'>,
): readonly string[] => secrets(approve ? `claim:${id}:approved:${keys}` : `claim:${id}:denied`)

const isDecisionOf = (
  { keyring }: Pick<Context, 'keyring'>,
  { decisionHash }: Claim,
  secrets: readonly string[],
): boolean =>
  decisionHash !== null && secrets.some((secret) => keyring.hashes('decision', secret).includes(decisionHash))

/** Whether these are the secrets of the decision, made less than a minute ago (decision 43). */
export const isRepeatOf = (ctx: Pick<Context, 'keyring' | 'now'>, claim: Claim, secrets: readonly string[]): boolean =>
  claim.decidedAt !== null && isRepeatable(claim.decidedAt, ctx.now()) && isDecisionOf(ctx, claim, secrets)

export interface ApprovedClaim {
  /** The keys that this account session got with its approval less than a minute ago. */
  readonly newKeys: ReplacedKeys | null
  /** This session chose to keep the keys. */
  readonly keptKeys: boolean
  readonly keyGeneration: number
}

/** What the account that approved a claim may see of the result. */
export async function readApprovedClaim(
  ctx: Context,
  { claim, tenant }: Pick<ClaimDetails, 'claim' | 'tenant'>,
  secrets: DecisionSecrets,
): Promise<ApprovedClaim> {
  const decided = (keys: DecideClaim['keys']) => secretsOf(claim, { approve: true, keys, secrets })
  const replacement = KEY_REPLACEMENTS.find((each) => isRepeatOf(ctx, claim, decided(each)))
  const at = claim.decidedAt
  return {
    newKeys:
      replacement === undefined || at === null
        ? null
        : await findIssuedKeys(ctx, ctx.stores, { tenant, replacement, secrets: decided(replacement), at }),
    keptKeys: isDecisionOf(ctx, claim, decided('keep')),
    keyGeneration: (await ctx.stores.ownership.keyGeneration(tenant.id)).generation,
  }
}
