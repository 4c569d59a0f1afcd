import type { ProviderName } from '@gatehouse-auth/contract'
import { appAddress, callbackFromStored } from '../../domain/callbacks/url.ts'
import { loginStarted } from '../../domain/events/auth-event.ts'
import type { AttemptId, TenantId } from '../../domain/ids.ts'
import type { OpenIdRequest } from '../../domain/issuer/openid-request.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import {
  ATTEMPT_LIFETIME_MS,
  type Attempt,
  REPEATED_START_MS,
  type SameStart,
} from '../../domain/login/attempt.ts'
import type { AccountHints } from '../../domain/login/identity-provider.ts'
import { hostedDomainHint } from '../../domain/login/profile.ts'
import { requireRedirectUri, requireReturnTo } from '../../domain/login/redirect-url.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { handleOverLimit, recordAuthEvent } from '../limits/count-auth-event.ts'
import { limitByAddress, loginStartLimitOf } from '../limits/limit-requests.ts'
import { type LoginProvider, providerForStart } from '../providers/login-provider.ts'
import { requireUnblockedCallback } from '../tenants/blocked-hosts.ts'
import { lockResource, requireResource, requireTenant } from '../tenants/require-tenant.ts'
import { requireCodeCallback } from './attempts.ts'
import { requireInvitation } from './invitations.ts'
import { providerRedirectUrl } from './redirects.ts'
import { recordRefusal } from './refusals.ts'

interface StartLogin {
  readonly tenantId: TenantId
  readonly provider: ProviderName
  readonly redirectUri: string | undefined
  readonly returnTo: string | undefined
  /** null: the callback gets tokens. */
  readonly challenge: string | null
  /** null: a login link of ours. */
  readonly openId: OpenIdRequest | null
  /** The secret of an invitation. */
  readonly invitation: string | undefined
  readonly hints: Pick<AccountHints, 'loginHint' | 'prompt'>
  /** The languages that the user reads, as the request has them. */
  readonly uiLocales: string | undefined
  /** The browser's cookie from an earlier login, if any. */
  readonly browser: string | null
  /** The client address, for its rate limit. */
  readonly addressKey: string
}

export interface StartedLogin {
  /** The authorization URL at the provider. */
  readonly location: URL
  /** The cookie that ties this login to this browser. */
  readonly browser: string
  readonly rate: Rate | null
}

/** Checks the tenant, `redirect_uri` and `return_to`, and creates an attempt. A refusal is counted for the developer. */
export async function startLogin(ctx: Context, input: StartLogin): Promise<StartedLogin> {
  try {
    return await createAttempt(ctx, input)
  } catch (error) {
    const { tenantId, redirectUri } = input
    recordRefusal(ctx, { tenantId, step: 'start', redirectUri }, error)
    throw error
  }
}

async function createAttempt(ctx: Context, input: StartLogin): Promise<StartedLogin> {
  const now = ctx.now()
  const browser = input.browser ?? mintSecret('', ctx.random)
  // Twice in the queue of the tenant, not once: the provider's metadata may need the network in between.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    ctx.queues.run('start', input.tenantId, work)

  const start = await inTurn(() => readStart(ctx, input, browser, now))
  const { tenant, provider, hints, same, repeated } = start
  const { uiLocales } = input
  const redirect = (id: AttemptId): Promise<URL> =>
    providerRedirectUrl(ctx, provider, { id, tenantId: tenant.id, browser, hints, uiLocales })

  const chooser = isChooserShown(input.hints)
  if (repeated?.stage === 'started' && (await inTurn(() => isContinued(ctx, repeated, chooser)))) {
    return { location: await redirect(repeated.id), browser, rate: null }
  }

  const attempt: Attempt = {
    id: Buffer.from(ctx.random(16)).toString('base64url'),
    tenantId: same.tenantId,
    redirectUri: same.redirectUri,
    returnTo: same.returnTo,
    provider: same.provider,
    providerClientId: provider.client?.id ?? null,
    browserHash: same.browserHash,
    challenge: same.challenge,
    openId: same.openId,
    invitationId: same.invitationId,
    linkSessionId: null,
    chooser,
    remember: false,
    stage: 'started',
    profile: null,
    hostedDomain: null,
    decision: null,
    createdAt: now,
    expiresAt: now + ATTEMPT_LIFETIME_MS,
  }

  // Before the transaction: an unreachable provider must not count as an event.
  const location = await redirect(attempt.id)
  const { id, rate } = await inTurn(() => storeStart(ctx, tenant, attempt, input))
  if (id === attempt.id) {
    return { location, browser, rate }
  }
  return { location: await redirect(id), browser, rate }
}

interface Start {
  readonly tenant: Tenant
  readonly provider: LoginProvider
  readonly hints: AccountHints
  readonly same: SameStart
  /** The undecided attempt of the same start; null: there is none. */
  readonly repeated: Attempt | null
}

/** Checks what the request refers to. */
async function readStart(
  ctx: Context,
  input: StartLogin,
  browser: string,
  now: Instant,
): Promise<Start> {
  const tenant = await requireTenant(ctx.stores, input.tenantId, now)
  const resource = await requireResource(ctx.stores, tenant)

  const redirectUri = requireRedirectUri(resource.callbackUrls, input.redirectUri)
  await requireUnblockedCallback(ctx.stores, redirectUri)
  requireCodeCallback(resource, { redirectUri, challenge: input.challenge })
  const returnTo = input.returnTo === undefined ? null : requireReturnTo(input.returnTo)

  const provider = await providerForStart(ctx, tenant.id, input.provider)
  const invitationId =
    input.invitation === undefined
      ? null
      : (await requireInvitation(ctx, tenant.id, input.invitation)).id

  const same: SameStart = {
    tenantId: tenant.id,
    browserHash: ctx.keyring.hash('browser', browser),
    redirectUri,
    returnTo,
    provider: input.provider,
    challenge: input.challenge,
    openId: input.openId,
    invitationId,
  }
  return {
    tenant,
    provider,
    hints: { ...input.hints, hostedDomain: hostedDomainHint(resource) },
    same,
    repeated: await findRepeated(ctx, input, same, provider, now),
  }
}

/** A browser without the cookie has started none. */
async function findRepeated(
  { stores }: Context,
  input: StartLogin,
  same: SameStart,
  provider: LoginProvider,
  now: Instant,
): Promise<Attempt | null> {
  if (input.browser === null) {
    return null
  }
  const last = await stores.attempts.findUndecided(same, now - REPEATED_START_MS)
  return last !== null && isSameClient(last, provider) ? last : null
}

/** A login that began with another client ends with it; this one does not continue it. */
const isSameClient = ({ providerClientId }: Attempt, { client }: LoginProvider): boolean =>
  providerClientId === (client?.id ?? null)

/**
 * The chooser counts only if every start asked for it: the provider's response may be to any of them. False: the provider
 * has redirected back meanwhile.
 */
async function isContinued(
  ctx: Context,
  attempt: Attempt,
  isChooserShown: boolean,
): Promise<boolean> {
  return isChooserShown || !attempt.chooser || ctx.stores.attempts.startWithoutChooser(attempt)
}

/** A `login_hint` selects an account, so that providers show no chooser. */
const isChooserShown = ({ prompt, loginHint }: StartLogin['hints']): boolean =>
  prompt !== 'auto' && loginHint === undefined

type StoredStart = { readonly id: AttemptId; readonly rate: Rate | null }

/** Stores the attempt. Returns its id, or that of the attempt that it continues. */
async function storeStart(
  ctx: Context,
  tenant: Tenant,
  attempt: Attempt,
  { addressKey, browser }: Pick<StartLogin, 'addressKey' | 'browser'>,
): Promise<StoredStart> {
  const now = attempt.createdAt
  const store = async (stores: TransactionStores): Promise<StoredStart> => {
    await limitByAddress(ctx, stores, loginStartLimitOf(tenant), addressKey, now)
    const resource = await lockResource(stores, tenant)
    const last =
      browser === null
        ? null
        : await stores.attempts.findUndecided(attempt, now - REPEATED_START_MS)

    if (last?.providerClientId !== attempt.providerClientId) {
      const event = loginStarted(attempt, now)
      const rate = await recordAuthEvent(ctx, stores, tenant, resource, event)
      await stores.attempts.add(attempt)
      return { id: attempt.id, rate }
    }

    // A browser sent the same start twice at once from one address: the second, which has waited for the counter of the
    // first (`limitByAddress`), continues its attempt.
    if (last.stage === 'started' && last.chooser === attempt.chooser) {
      return { id: last.id, rate: null }
    }

    // A repeated start is no event. If its login waits for consent, both logins can be finished.
    await stores.attempts.add(attempt)
    return { id: attempt.id, rate: null }
  }

  try {
    return await ctx.stores.transaction(store, { mayBeLost: true })
  } catch (error) {
    if (error instanceof OverLimit) {
      throw await handleOverLimit(ctx, tenant, error)
    }
    throw error
  }
}

/**
 * The address of an app, for the button of an error page. null: it is unknown, the operator suspended the project or blocked
 * the host, or it can't be read now; an error page must be shown anyway.
 */
export async function findAppAddress(
  ctx: Pick<Context, 'stores' | 'now'>,
  tenantId: TenantId,
  redirectUri: string | undefined,
): Promise<string | null> {
  try {
    const tenant = await requireTenant(ctx.stores, tenantId, ctx.now(), 'read')
    if (tenant.suspension !== null) {
      return null
    }
    const resource = await requireResource(ctx.stores, tenant)
    const address = appAddress(resource.callbackUrls.map(callbackFromStored), redirectUri)
    if (address !== null) {
      await requireUnblockedCallback(ctx.stores, address)
    }
    return address
  } catch {
    return null
  }
}
