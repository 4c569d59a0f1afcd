import { ApiError } from '../../domain/api-error.ts'
import type { SessionId, TenantId } from '../../domain/ids.ts'
import type { OpenIdRequest } from '../../domain/issuer/openid-request.ts'
import {
  type CodeProof,
  isLoginCode,
  isProven,
  isRepeatedExchange,
  type LoginCode,
  type PresentedCode,
  WRONG_VERIFIERS_MAX,
} from '../../domain/login/login-code.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { endSession } from '../sessions/end-session.ts'
import { createTokenPair, openSession, type TokenPair } from '../sessions/open-session.ts'
import { lockResource, requireResource, requireTenant } from '../tenants/require-tenant.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { requireRegisteredCallback } from './attempts.ts'
import { recordRefusal } from './refusals.ts'

interface ExchangeLoginCode {
  readonly tenantId: TenantId
  readonly code: string
  readonly proof: CodeProof
  readonly idempotencyKey: string | null
}

interface ExchangedCode {
  readonly pair: TokenPair
  /** The request that the login began with; null: a login link of ours. */
  readonly openId: OpenIdRequest | null
}

/** Exchanges the one-time code of a callback for the first pair of a session. A refusal is counted for the developer. */
export async function exchangeLoginCode(
  ctx: Context,
  input: ExchangeLoginCode,
): Promise<ExchangedCode> {
  try {
    return await exchange(ctx, input)
  } catch (error) {
    recordRefusal(ctx, { tenantId: input.tenantId, step: 'exchange' }, error)
    throw error
  }
}

const ADVICE =
  'The code may have been used, and a second use would end its session. Let the user sign in again. An exchange with an Idempotency-Key can be sent again.'

async function exchange(ctx: Context, input: ExchangeLoginCode): Promise<ExchangedCode> {
  const now = ctx.now()
  const tenant = await requireTenant(ctx.stores, input.tenantId, now)
  const resource = await requireResource(ctx.stores, tenant)
  const hashes = isLoginCode(input.code) ? ctx.keyring.hashes('login-code', input.code) : []
  const code = await ctx.stores.loginCodes.find(resource, hashes)
  if (code === null) {
    throw invalidCode()
  }

  const { openId } = code
  const { idempotencyKey, proof } = input
  const idempotencyHashes =
    idempotencyKey === null ? [] : ctx.keyring.hashes('idempotency', idempotencyKey)
  const presented = { hash: code.hash, proof, idempotencyHashes }
  if (code.usedAt !== null) {
    return { pair: await handleUsedCode(ctx, tenant, presented), openId }
  }
  if (!isProven(code, proof)) {
    await ctx.stores.loginCodes.countWrongVerifier(resource, code.hash, WRONG_VERIFIERS_MAX, now)
    throw invalidCode()
  }

  const [idempotencyHash = null] = idempotencyHashes
  // Confirmed: after a commit whose response was lost, the app's retry would be a second use and end the session.
  const starting = ctx.stores.confirmedTransaction((stores) =>
    start(ctx, stores, { tenant, code, idempotencyHash }),
  )
  // With a key a retry gets the same pair.
  const pair = await (idempotencyHash === null ? withAdvice(ADVICE, starting) : starting)
  // A concurrent exchange used the code first.
  return { pair: pair ?? (await handleUsedCode(ctx, tenant, presented)), openId }
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
  if (!(await stores.loginCodes.use(resource, code.hash, now))) {
    return null
  }
  requireRegisteredCallback(resource, code.redirectUri)
  // The owner may have blocked or deleted the user since the consent.
  const user = await stores.users.lockUnblocked(resource, code.userId)
  if (user === null) {
    throw invalidCode()
  }
  const pair = await openSession(ctx, stores, { tenant, resource, user, now, idempotencyHash })
  await stores.loginCodes.setSession(resource, code.hash, pair.sessionId)
  return pair
}

interface UsedCode extends PresentedCode {
  readonly hash: string
}

/**
 * Handles a code that was used before. The same app again, after a lost response, gets the same pair, which is derived
 * (decision 14). Any other second use with its proof may be a theft: it ends the session that the code started (ASVS
 * 10.4.2). Without the proof it changes nothing: a code alone is in the history of the browser.
 */
async function handleUsedCode(
  ctx: Context,
  tenant: Tenant,
  presented: UsedCode,
): Promise<TokenPair> {
  // In a transaction, because on SQLite the exchange may be part of a group that is not committed yet.
  const started = await ctx.stores.transaction((stores) =>
    findStarted(ctx, stores, tenant, presented),
  )
  if (started === null) {
    throw invalidCode()
  }
  if (started.pair !== null) {
    return started.pair
  }
  await endSession(ctx, tenant, started.sessionId, 'code_reuse')
  throw invalidCode()
}

interface StartedSession {
  readonly sessionId: SessionId
  /** null: this is no repeat of the exchange. */
  readonly pair: TokenPair | null
}

/** The session that this code has started; null: there is none, or the code is not proven. */
async function findStarted(
  ctx: Context,
  stores: TransactionStores,
  tenant: Tenant,
  presented: UsedCode,
): Promise<StartedSession | null> {
  const resource = await requireResource(stores, tenant)
  const code = await stores.loginCodes.find(resource, [presented.hash])
  if (code === null || code.sessionId === null) {
    return null
  }
  const session = await stores.sessions.find(resource, code.sessionId)
  if (session === null || !isProven(code, presented.proof)) {
    return null
  }

  const user = await stores.users.find(resource, session.userId)
  if (user === null || !isRepeatedExchange(code, session, presented, ctx.now())) {
    return { sessionId: session.id, pair: null }
  }
  return { sessionId: session.id, pair: createTokenPair(ctx, { tenant, resource, user }, session) }
}

const invalidCode = (): ApiError =>
  new ApiError(
    'invalidCode',
    'This code is unknown, expired or used, or its code_verifier does not fit. The user signs in again.',
  )
