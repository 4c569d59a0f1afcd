import { GUEST_LIFETIME_SECONDS, type RuntimeProfile, type Tier } from '@gatehouse-auth/contract'
import { ApiError } from '../api-error.ts'
import type { AccountId, TenantId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'
import type { RandomBytes } from '../tokens/random-text.ts'
import { mintTenantId } from './tenant-id.ts'

export const GUEST_LIFETIME_MS: Duration = GUEST_LIFETIME_SECONDS * 1_000

export type PauseReason = 'lifetime_events' | 'stored_users'

/** The API that created it. */
export type TenantOrigin = 'genesis' | 'mcp' | 'bootstrap'

export interface Owner {
  readonly accountId: AccountId
  readonly tier: Exclude<Tier, 'ephemeral'>
}

interface Suspension {
  readonly at: Instant
  /** In the operator's words. For the owner, never for strangers. */
  readonly reason: string
}

export interface Tenant {
  readonly id: TenantId
  readonly origin: TenantOrigin
  /** The storage generation it was created on. Only reported; see storage/engine.ts. */
  readonly profile: RuntimeProfile
  readonly createdAt: Instant
  /** null once claimed: an owned tenant does not expire. */
  readonly expiresAt: Instant | null
  readonly claimedAt: Instant | null
  readonly owner: Owner | null
  /** Keyed hash of the guest whose OAuth grant created it; null: created otherwise. */
  readonly creatorGuestHash: string | null
  readonly pausedAt: Instant | null
  readonly pauseReason: PauseReason | null
  /** The operator's decision, whatever the owner does. null: not suspended. */
  readonly suspension: Suspension | null
}

/** A tenant in the console of its owner. */
export interface OwnedTenant extends Tenant {
  /** What the owner calls it; null: nothing (`readProjectName`). */
  readonly name: string | null
}

type TenantLifecycle = 'ephemeral' | 'claimed'

export type TenantStatus = TenantLifecycle | 'paused' | 'suspended' | 'expired'

export const lifecycleOf = (tenant: Tenant): TenantLifecycle =>
  tenant.claimedAt === null ? 'ephemeral' : 'claimed'

/**
 * A guest tenant expires 72 hours after its creation; only a claim lifts that (spec, States). It also expires while
 * suspended or paused, so expiry is checked first. A claim lifts a pause, but no suspension.
 */
export function statusAt(tenant: Tenant, now: Instant): TenantStatus {
  if (tenant.expiresAt !== null && now >= tenant.expiresAt) {
    return 'expired'
  }
  if (tenant.suspension !== null) {
    return 'suspended'
  }
  if (tenant.pausedAt !== null) {
    return 'paused'
  }
  return lifecycleOf(tenant)
}

/** The tier of the owner; `ephemeral` for a guest tenant. */
export const tierOf = (tenant: Tenant): Tier => tenant.owner?.tier ?? 'ephemeral'

interface NewTenantInput {
  readonly origin: TenantOrigin
  readonly profile: RuntimeProfile
  readonly now: Instant
  /** null: a guest. */
  readonly owner: Owner | null
  /** Without it, no guest's grant creates the tenant. */
  readonly creatorGuestHash?: string | null
}

/** A guest tenant expires after 72 hours unless it is claimed; a tenant with an owner does not expire. */
export const newTenant = (
  { origin, profile, now, owner, creatorGuestHash }: NewTenantInput,
  random: RandomBytes,
): Tenant => ({
  id: mintTenantId(random),
  origin,
  profile,
  createdAt: now,
  expiresAt: owner === null ? now + GUEST_LIFETIME_MS : null,
  claimedAt: owner === null ? null : now,
  owner,
  creatorGuestHash: creatorGuestHash ?? null,
  pausedAt: null,
  pauseReason: null,
  suspension: null,
})

export const PROJECT_NAME_MAX_CHARACTERS = 60

/** Controls, direction marks and other invisible characters, which only mislead. White space is collapsed instead. */
const INVISIBLE = /(?![\t\n\v\f\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

type ReadProjectName =
  /** `name` null: the project has none. */
  | { readonly ok: true; readonly name: string | null }
  | { readonly ok: false; readonly problem: string }

/** The name that an owner gives to a project. Only the owner sees it: it may contain any word, unlike a brand. */
export function readProjectName(text: string): ReadProjectName {
  const name = text
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(/\s+/gu, ' ')
    .normalize('NFC')
    .trim()
  if (name === '') {
    return { ok: true, name: null }
  }
  if ([...name].length <= PROJECT_NAME_MAX_CHARACTERS) {
    return { ok: true, name }
  }
  return { ok: false, problem: `A name has at most ${PROJECT_NAME_MAX_CHARACTERS} characters.` }
}

interface NamedProject {
  readonly tenantId: string
  readonly name: string | null
  readonly brandName: string | null
  readonly callbackHosts: readonly string[]
}

/** What the console calls a project: its name, its app's brand, the host that users return to, or its id. */
export const projectName = ({ tenantId, name, brandName, callbackHosts }: NamedProject): string =>
  name ?? brandName ?? callbackHosts[0] ?? tenantId

/** The kinds of actions that depend on the status of a tenant. */
export type TenantAction =
  /** Allowed in every status. */
  | 'status'
  /** Allowed while paused and while suspended. */
  | 'feedback'
  | 'logout'
  | 'diagnose'
  /** Allowed while paused. */
  | 'claim'
  | 'delete'
  /** Allowed while suspended: what changes nothing. */
  | 'read'
  /** All other actions. */
  | 'use'

const WHILE_PAUSED: ReadonlySet<TenantAction> = new Set([
  'feedback',
  'logout',
  'diagnose',
  'claim',
  'delete',
])
const WHILE_SUSPENDED: ReadonlySet<TenantAction> = new Set([
  'feedback',
  'logout',
  'diagnose',
  'read',
])

/** Throws if the status of the tenant does not allow the action (decision 13). */
export function requireTenantAccess(tenant: Tenant, action: TenantAction, now: Instant): void {
  const status = statusAt(tenant, now)
  if (action === 'status') {
    return
  }
  if (status === 'expired') {
    throw tenantExpired()
  }
  if (status === 'suspended' && !WHILE_SUSPENDED.has(action)) {
    throw tenantSuspended()
  }
  if (status === 'paused' && !WHILE_PAUSED.has(action)) {
    throw tenantPaused(tenant.pauseReason, tenant.expiresAt)
  }
}

/** Without the reason: anyone can open a login link, and the reason is for the owner (GET /api/status). */
export const tenantSuspended = (): ApiError =>
  new ApiError(
    'tenantSuspended',
    'The operator of this service suspended this tenant. Nothing is lost. Its owner reads why with GET /api/status, and can answer with POST /api/feedback/service.',
  )

export const tenantExpired = (): ApiError =>
  new ApiError(
    'tenantExpired',
    'This tenant has ended: a guest passed its 72 hours without being claimed, or its owner deleted it. Create a new one.',
  )

const PAUSE_REASONS = {
  lifetime_events: 'it used its 100 sign-in events',
  stored_users: 'it reached the most people a guest may store',
} as const

export function tenantPaused(
  reason: Tenant['pauseReason'],
  tenantEndsAt: Instant | null = null,
): ApiError {
  const because = reason === null ? '' : ` because ${PAUSE_REASONS[reason]}`
  return new ApiError(
    'tenantPaused',
    `This tenant is paused${because}. Claim it to continue: POST /api/claim/url.`,
    { details: { pause_reason: reason }, tenantEndsAt },
  )
}
