import {
  type Claims,
  INVITATION_DEFAULT_SECONDS,
  INVITATIONS_MAX,
  invitationUrl,
  SECRET_PREFIXES,
} from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import {
  type Invitation,
  invitationStatus,
  isInvitationId,
  isInvitationSecret,
  newInvitationId,
} from '../../domain/login/invitation.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource } from '../tenants/require-tenant.ts'

interface NewInvitation {
  readonly email?: string | undefined
  readonly claims?: Claims | undefined
  readonly expiresInSeconds?: number | undefined
  readonly uses?: number | undefined
}

interface CreatedInvitation {
  readonly invitation: Invitation
  /** The only copy: the database has a hash of its secret. */
  readonly url: string
}

export async function createInvitation(
  ctx: Context,
  tenant: Tenant,
  requested: NewInvitation,
  author: Author,
): Promise<CreatedInvitation> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const secret = mintSecret(SECRET_PREFIXES.invitation, ctx.random)
  const expiresInSeconds = requested.expiresInSeconds ?? INVITATION_DEFAULT_SECONDS
  const invitation: Invitation = {
    tenantId: tenant.id,
    id: newInvitationId(ctx.random),
    email: requested.email ?? null,
    claims: requested.claims ?? {},
    uses: requested.uses ?? 1,
    used: 0,
    createdAt: now,
    expiresAt: now + expiresInSeconds * 1_000,
  }
  await ctx.stores.transaction(async (stores) => {
    const hash = ctx.keyring.hash('invitation', secret)
    if (!(await stores.invitations.add({ ...invitation, hash }, INVITATIONS_MAX))) {
      throw tooMany()
    }
    await lockResource(stores, tenant)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'invitation.created',
      target: invitation.id,
      at: now,
    })
  })
  return { invitation, url: invitationUrl(ctx.baseUrl, tenant.id, secret) }
}

const tooMany = (): ApiError =>
  new ApiError(
    'invitationLimit',
    `This tenant has ${INVITATIONS_MAX} invitations. Delete some first.`,
    { details: { limit: INVITATIONS_MAX } },
  )

export async function listInvitations(ctx: Context, tenant: Tenant): Promise<Invitation[]> {
  requireTenantAccess(tenant, 'read', ctx.now())
  return ctx.stores.invitations.list(tenant.id)
}

export async function deleteInvitation(
  ctx: Context,
  tenant: Tenant,
  id: string,
  author: Author,
): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  await ctx.stores.transaction(async (stores) => {
    const isFound =
      isInvitationId(id) && (await stores.invitations.remove({ tenantId: tenant.id, id }))
    if (!isFound) {
      throw invitationNotFound()
    }
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'invitation.deleted',
      target: id,
      at: now,
    })
  })
}

const invitationNotFound = (): ApiError =>
  new ApiError(
    'invitationNotFound',
    'This tenant has no invitation with this id. List them: GET /api/social-login/invitations.',
  )

/** The invitation of a login link. Throws if it can create no user anymore. */
export async function requireInvitation(
  ctx: Context,
  tenantId: TenantId,
  secret: string,
): Promise<Invitation> {
  if (!isInvitationSecret(secret)) {
    throw invitationOver(null, ctx.now())
  }

  const hashes = ctx.keyring.hashes('invitation', secret)
  const found = await ctx.stores.invitations.findByHash(tenantId, hashes)
  if (found === null || invitationStatus(found, ctx.now()) !== 'open') {
    throw invitationOver(found, ctx.now())
  }
  return found
}

/** The invitation of a login in progress; null: it has none. */
export async function invitationOf(
  { invitations }: Pick<TransactionStores, 'invitations'>,
  { tenantId, invitationId, redirectUri }: Attempt,
  now: Instant,
): Promise<Invitation | null> {
  if (invitationId === null) {
    return null
  }
  const found = await invitations.find({ tenantId, id: invitationId })
  if (found === null || invitationStatus(found, now) !== 'open') {
    throw invitationOver(found, now, redirectUri)
  }
  return found
}

/** Counts the use by a new user, in the transaction that creates them. */
export async function useInvitation(
  stores: Pick<TransactionStores, 'invitations'>,
  attempt: Attempt,
  now: Instant,
): Promise<Invitation | null> {
  const invitation = await invitationOf(stores, attempt, now)
  if (invitation === null || (await stores.invitations.use(invitation, now))) {
    return invitation
  }
  throw invitationOver(await stores.invitations.find(invitation), now, attempt.redirectUri)
}

/** `redirectUri`, if known, lets the error page link back to the app. */
function invitationOver(
  invitation: Invitation | null,
  now: Instant,
  redirectUri?: string,
): ApiError {
  const options =
    redirectUri === undefined ? {} : { details: { app: new URL('/', redirectUri).href } }
  if (invitation !== null && invitationStatus(invitation, now) === 'used') {
    return new ApiError(
      'invitationUsed',
      'This invitation was used. If you came in with it, go to the app and sign in there. Otherwise ask for a new one.',
      options,
    )
  }
  return new ApiError(
    'invitationExpired',
    'This invitation has expired, or was withdrawn. Ask the person who invited you for a new one.',
    options,
  )
}
