import type { TenantId } from '../../domain/ids.ts'
import { isLoginCode, type LoginCode, WRONG_VERIFIERS_MAX } from '../../domain/login/login-code.ts'
import { fitsChallenge } from '../../domain/oauth/pkce.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { recordRefusal } from '../refusals/record-refusal.ts'
import { openSession } from '../sessions/open-session.ts'
import type { TokenPair } from '../sessions/token-pair.ts'
import { lockResource, requireResource, requireTenant } from '../tenants/require-tenant.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { requireRegisteredCallback } from './close-attempt.ts'
import { handleUsedCode } from './handle-used-code.ts'
import { invalidCode } from './invalid-code.ts'

export interface ExchangeLoginCode {
  readonly tenantId: TenantId
  readonly code: string
  readonly verifier: string
  readonly idempotencyKey: string | null
}

const ADVICE =
  'The code may have been used, and a second use would end its session. Let the user sign in again. An exchange with an Idempotency-Key can be sent again.'

/** Exchanges the one-time code of a callback for the first pair of a session. A refusal is counted for the developer. */
export async function exchangeLoginCode(ctx: Context, input: ExchangeLoginCode): Promise<TokenPair> {
  try {
    return await exchange(ctx, input)
  } catch (error) {
    recordRefusal(ctx, { tenantId: input.tenantId, step: 'exchange' }, error)
    throw error
  }
}

async function exchange(ctx: Context, input: ExchangeLoginCode): Promise<TokenPair> {
  const now = ctx.now()
  const tenant = await requireTenant(ctx.stores, input.tenantId, now)
  const resource = await requireResource(ctx.stores, tenant)
  const hashes = isLoginCode(input.code) ? ctx.keyring.hashes('login-code', input.code) : []
  const code = await ctx.stores.loginCodes.find(resource, hashes)
  if (code === null) throw invalidCode()
  const { idempotencyKey, verifier } = input
  const used = {
    hash: code.hash,
    verifier,
    idempotencyHashes: idempotencyKey === null ? [] : ctx.keyring.hashes('idempotency', idempotencyKey),
  }
  if (code.usedAt !== null) return handleUsedCode(ctx, tenant, used)
  if (code.expiresAt <= now) throw invalidCode()
  if (!fitsChallenge(verifier, code.challenge)) {
    await ctx.stores.loginCodes.countWrongVerifier(resource, code.hash, WRONG_VERIFIERS_MAX, now)
    throw invalidCode()
  }
  const idempotencyHash = used.idempotencyHashes[0] ?? null
  // Confirmed: after a commit whose response was lost, the app's retry would be a second use and end the session.
  const starting = ctx.stores.confirmedTransaction((stores) => start(ctx, stores, { tenant, code, idempotencyHash }))
  // With a key a retry gets the same pair.
  const pair = await (idempotencyHash === null ? withAdvice(ADVICE, starting) : starting)
  // A concurrent exchange used the code first.
  return pair ?? handleUsedCode(ctx, tenant, used)
}

interface Accepted {
  readonly tenant: Tenant
  readonly code: LoginCode
  readonly idempotencyHash: string | null
}

/** Uses the code and starts the session. null: the code was used or expired meanwhile. An error consumes nothing. */
async function start(
  ctx: Context,
  stores: TransactionStores,
  { tenant, code, idempotencyHash }: Accepted,
): Promise<TokenPair | null> {
  const now = ctx.now()
  const resource = await lockResource(stores, tenant)
  if (!(await stores.loginCodes.use(resource, code.hash, now))) return null
  requireRegisteredCallback(resource, code.redirectUri)
  // The owner may have blocked or deleted the user since the consent.
  const user = await stores.users.lockUnblocked(resource, code.userId)
  if (user === null) throw invalidCode()
  const pair = await openSession(ctx, stores, { tenant, resource, user, now, idempotencyHash })
  await stores.loginCodes.setSession(resource, code.hash, pair.sessionId)
  return pair
}
