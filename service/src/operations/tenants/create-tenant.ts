import { GUESTS_PER_MINUTE_PER_ADDRESS } from '@gatehouse-auth/contract'
import type { Account } from '../../domain/accounts/account.ts'
import { ApiError, type InputProblem, invalidRequest } from '../../domain/api-error.ts'
import { callbackHostsOf, readCallbackList } from '../../domain/callbacks/url.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import { canAccess, type Grant, type Subject } from '../../domain/oauth/grant.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import {
  newTenant,
  readProjectName,
  statusAt,
  type Tenant,
  type TenantOrigin,
  tenantExpired,
} from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import { countProject } from '../accounts/accounts.ts'
import { alreadyClaimed } from '../claims/request-claim.ts'
import type { Context } from '../context.ts'
import { type AddressLimit, limitByAddress } from '../limits/limit-requests.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { recordAction } from './audit.ts'
import { requireUnblockedHosts } from './blocked-hosts.ts'
import { keyHashes, mintKeyPair, type NewTenant, sealKeyPair, unsealKeyPair } from './keys.ts'
import { tenantNotFound } from './require-tenant.ts'

/** Shared by REST and MCP, so that one is no way around the limit of the other. */
const GUEST_LIMIT: AddressLimit = {
  scope: 'guests',
  perMinute: GUESTS_PER_MINUTE_PER_ADDRESS,
  action: 'create guest tenants',
}

const GUEST_ADVICE =
  'A guest tenant may have been created. Its keys are lost, so it ends after 72 hours without a trace. Ask the user before you create another.'

interface NewGuest extends NewTenant {
  /** What the client address may still create in this minute; null: not limited. */
  readonly rate: Rate | null
}

/** Creates a tenant without an owner that expires after 72 hours. Only hashes of its keys are stored. */
export async function createGuestTenant(
  ctx: Context,
  { addressKey, origin }: { addressKey: string; origin: TenantOrigin },
): Promise<NewGuest> {
  const now = ctx.now()
  const tenant = newTenant({ origin, profile: ctx.profile, now, owner: null }, ctx.random)
  const keys = mintKeyPair(ctx)
  const creating = ctx.stores.confirmedTransaction(async (stores) => {
    const left = await limitByAddress(ctx, stores, GUEST_LIMIT, addressKey, now)
    await stores.tenants.create(tenant, keyHashes(ctx, keys))
    return left
  })
  const rate = await withAdvice(GUEST_ADVICE, creating)
  return { tenant, ...keys, rate }
}

interface Creation {
  readonly grant: Grant
  readonly idempotencyKey: string
  readonly origin: Extract<TenantOrigin, 'mcp' | 'bootstrap'>
  /** For the rate limit of guests. */
  readonly addressKey: string
}

const CREATION_ADVICE =
  'The tenant may have been created. To find out, send the same idempotency_key again in a few seconds: it returns that tenant with its keys, or creates it once.'

interface CreatedTenant extends NewTenant {
  /** An earlier call with the same idempotency key created it. */
  readonly repeated: boolean
}

/**
 * Creates a tenant for the subject of a grant: owned by an account, or a guest tenant bound to the guest.
 *
 * Idempotent: the idempotency key is stored in the transaction that creates the tenant, so that concurrent calls and
 * retries after a crash create one tenant and all get its keys (decision 29).
 */
export async function createOwnedTenant(ctx: Context, creation: Creation): Promise<CreatedTenant> {
  const { grant } = creation
  const scopes = scopesOf(ctx, creation)
  const known = await ctx.stores.creations.find(scopes.all)
  if (known !== null) {
    return repeatCreation(ctx, grant, known)
  }

  const now = ctx.now()
  const account = await accountFor(ctx, grant)
  const tenant = tenantFor(ctx, creation, account, now)
  const keys = mintKeyPair(ctx)
  const creating = ctx.stores.confirmedTransaction(async (stores) => {
    if (!(await stores.creations.take(scopes.stored, tenant.id, now))) {
      return stores.creations.find(scopes.all)
    }

    if (account === null) {
      await limitByAddress(ctx, stores, GUEST_LIMIT, creation.addressKey, now)
    } else {
      await countProject(stores, account)
    }
    await stores.tenants.create(tenant, keyHashes(ctx, keys))
    await stores.credentials.add(tenant.id, sealKeyPair(ctx, tenant.id, keys), now)
    return tenant.id
  })

  const winner = await withAdvice(CREATION_ADVICE, creating)
  if (winner !== tenant.id) {
    return repeatCreation(ctx, grant, winner)
  }
  return { tenant, ...keys, repeated: false }
}

interface CreationScopes {
  /** Hashed with the oldest key, so that instances agree on it during a key rotation. */
  readonly stored: string
  /** Under which a creation is found: one for each master key, and as many of earlier releases. */
  readonly all: readonly string[]
}

/**
 * Hashes of subject, origin and idempotency key. The client has no part in them: one that registers again gets the tenant
 * that it created. Earlier releases hashed the client, too.
 */
function scopesOf(
  { keyring }: Pick<Context, 'keyring'>,
  { grant, origin, idempotencyKey }: Creation,
): CreationScopes {
  const subject = subjectText(grant.subject)
  const text = [subject, origin, idempotencyKey].join('\0')
  const formerText = [subject, grant.clientId, origin, idempotencyKey].join('\0')

  const oldest = Math.min(...keyring.kids)
  return {
    stored: keyring.mac('creation', text, oldest),
    all: [
      ...keyring.kids.map((kid) => keyring.mac('creation', text, kid)),
      ...keyring.kids.map((kid) => keyring.mac('creation', formerText, kid)),
    ],
  }
}

function subjectText(subject: Subject): string {
  if (subject.kind === 'account') {
    return `account:${subject.accountId}`
  }
  return `guest:${subject.guestHash}`
}

/** The tenant that an earlier call created, with its current keys, if the grant can still access it. */
async function repeatCreation(
  ctx: Context,
  grant: Grant,
  tenantId: TenantId | null,
): Promise<CreatedTenant> {
  const tenant = tenantId === null ? null : await ctx.stores.tenants.find(tenantId)
  const now = ctx.now()
  if (tenant === null || statusAt(tenant, now) === 'expired') {
    throw tenantExpired()
  }
  // Claimed since: the keys belong to the owner, not to the guest that created the tenant.
  if (!canAccess(grant, tenant, now)) {
    throw alreadyClaimed()
  }

  const sealed = await ctx.stores.credentials.find(tenant.id)
  if (sealed === null) {
    throw tenantExpired()
  }
  return { tenant, ...unsealKeyPair(ctx, tenant.id, sealed), repeated: true }
}

/** null: the grant is a guest's. */
async function accountFor(ctx: Context, { subject }: Grant): Promise<Account | null> {
  if (subject.kind === 'guest') {
    return null
  }
  const account = await ctx.stores.accounts.find(subject.accountId)
  if (account === null) {
    throw new ApiError('tenantNotFound', 'The account this sign-in was for is gone. Sign in again.')
  }
  return account
}

function tenantFor(
  { profile, random }: Context,
  { grant, origin }: Creation,
  account: Account | null,
  now: Instant,
): Tenant {
  const owner = account === null ? null : { accountId: account.id, tier: account.tier }
  const creatorGuestHash = grant.subject.kind === 'guest' ? grant.subject.guestHash : null
  return newTenant({ origin, profile, now, owner, creatorGuestHash }, random)
}

/** A press of "Create project" on a page of an owner. */
interface ProjectRequest {
  readonly account: Account
  readonly name: string
  readonly callbackUrls: readonly string[]
  /** Identifies the page: a button that is pressed twice creates one project. */
  readonly nonce: string
  readonly requestId: string
}

type CreatedProject =
  | (NewTenant & { readonly repeated: false })
  | { readonly tenant: { readonly id: TenantId }; readonly repeated: true }

const PROJECT_ADVICE =
  'The project may have been created. Look for it at /account before you create another.'

/** Creates a project that the account owns, with its name and callback URLs, in one transaction. */
export async function createProject(
  ctx: Context,
  request: ProjectRequest,
): Promise<CreatedProject> {
  const { account, requestId } = request
  const { name, callbackUrls } = readRequest(request)
  const now = ctx.now()
  const owner = { accountId: account.id, tier: account.tier }
  const tenant = newTenant({ origin: 'bootstrap', profile: ctx.profile, now, owner }, ctx.random)
  const keys = mintKeyPair(ctx)
  const scope = ctx.keyring.mac('creation', ['console', account.id, request.nonce].join('\0'))
  const author: Author = { actor: `account:${account.id}`, requestId }

  const creating = ctx.stores.confirmedTransaction(async (stores) => {
    if (!(await stores.creations.take(scope, tenant.id, now))) {
      return stores.creations.find([scope])
    }

    await requireUnblockedHosts(stores, callbackHostsOf(callbackUrls))
    await countProject(stores, account)
    await stores.tenants.create(tenant, keyHashes(ctx, keys))
    await stores.credentials.add(tenant.id, sealKeyPair(ctx, tenant.id, keys), now)

    if (name !== null) {
      await stores.ownership.rename(tenant.id, name)
      await recordAction(stores, { tenantId: tenant.id, author, action: 'tenant.renamed', at: now })
    }
    await stores.resources.provision(tenant.id, callbackUrls, now)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'social_login.provisioned',
      at: now,
    })
    return tenant.id
  })

  const winner = await withAdvice(PROJECT_ADVICE, creating)
  if (winner === tenant.id) {
    return { tenant, ...keys, repeated: false }
  }
  if (winner === null) {
    throw tenantNotFound()
  }
  return { tenant: { id: winner }, repeated: true }
}

interface ReadProject {
  readonly name: string | null
  readonly callbackUrls: readonly string[]
}

/** Reports all problems at once. */
function readRequest({ name: text, callbackUrls }: ProjectRequest): ReadProject {
  const name = readProjectName(text)
  const list = readCallbackList(callbackUrls)
  const problems: InputProblem[] = []
  if (!name.ok) {
    problems.push({ path: 'name', problem: name.problem })
  }
  if (!list.ok) {
    for (const { index, problem } of list.problems) {
      const path = index === null ? 'callback_urls' : `callback_urls[${index}]`
      problems.push({ path, problem })
    }
  }

  if (name.ok && list.ok) {
    return { name: name.name, callbackUrls: list.callbacks.map(({ href }) => href) }
  }
  throw invalidRequest('This project cannot be created yet.', problems)
}
