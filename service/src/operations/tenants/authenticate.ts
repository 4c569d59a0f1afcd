import { EDGE_SESSION_SECONDS, SECRET_PREFIXES } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { canAccess, type Grant } from '../../domain/oauth/grant.ts'
import type { FoundKey } from '../../domain/stores/stores.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import { readTenantKey, type TenantKeyKind } from '../../domain/tenants/tenant-keys.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'

/** Returns a key and its tenant. Does not check the status of the tenant (see requireTenantAccess). */
export async function authenticateKey(
  ctx: Pick<Context, 'stores' | 'keyring' | 'keyUses' | 'now'>,
  presented: string,
  wanted: TenantKeyKind,
): Promise<FoundKey> {
  // The checksum first: a mistyped or invented key costs no query.
  const key = readTenantKey(presented)
  if (key === null) {
    throw invalidKey()
  }
  const found = await ctx.stores.tenants.findByKey(ctx.keyring.hashes(key.kind, key.key), ctx.now())
  if (found === null) {
    throw invalidKey()
  }
  if (found.kind !== wanted) {
    throw wrongKeyKind(wanted)
  }
  ctx.keyUses.add(found, ctx.now())
  return found
}

const invalidKey = (): ApiError =>
  new ApiError(
    'invalidCredentials',
    'This key is not one of ours, or it has ended. Check the .service file it came from.',
  )

const WRONG_KEY_KIND: Readonly<Record<TenantKeyKind, string>> = {
  management:
    'This is an application key. Endpoints under /api take the management key (svc_man_…).',
  application:
    'This is a management key. It must stay on the server; send the application key (svc_app_…).',
}

const wrongKeyKind = (wanted: TenantKeyKind): ApiError =>
  new ApiError('wrongKeyKind', WRONG_KEY_KIND[wanted])

/**
 * Returns the management key of a tenant. A wrong id and a wrong key give the same error, which does not
 * reveal whether a tenant exists (spec, Authentication 5).
 */
export async function authenticateTenant(
  ctx: Pick<Context, 'stores' | 'keyring' | 'keyUses' | 'now'>,
  tenantId: TenantId,
  managementKey: string,
): Promise<FoundKey> {
  const key = readTenantKey(managementKey)
  // Recognized by its prefix, without a query.
  if (key?.kind === 'application') {
    throw applicationKey()
  }
  const found =
    key === null
      ? null
      : await ctx.stores.tenants.findByKey(ctx.keyring.hashes('management', key.key), ctx.now())
  if (found === null || found.kind !== 'management' || found.tenant.id !== tenantId) {
    throw invalidTenantAndKey()
  }
  ctx.keyUses.add(found, ctx.now())
  return found
}

const invalidTenantAndKey = (): ApiError =>
  new ApiError(
    'invalidCredentials',
    'No tenant has this tenant_id together with this coh_management_key. Copy both from the .service file of the project.',
  )

const applicationKey = (): ApiError =>
  new ApiError(
    'wrongKeyKind',
    'This is an application key. Send the management key: coh_management_key in the .service file, which begins with svc_man_.',
  )

/** The tenant, if the grant can access it now. Checked on every call, because ownership can change. */
export async function requireAccessibleTenant(
  ctx: Pick<Context, 'stores' | 'now'>,
  grant: Grant,
  tenantId: TenantId,
): Promise<Tenant> {
  const tenant = isTenantId(tenantId) ? await ctx.stores.tenants.find(tenantId) : null
  if (tenant === null || !canAccess(grant, tenant, ctx.now())) {
    throw tenantNotFound()
  }
  return tenant
}

const tenantNotFound = (): ApiError =>
  new ApiError(
    'tenantNotFound',
    'No tenant with this tenant_id is within reach of this sign-in: it reaches the tenants that its account owns, or unclaimed ones that its guest created. Check tenant_id in the .service file.',
  )

const PREFIX = SECRET_PREFIXES.edgeToken

/** Exchanges the application key for a token that is valid for one minute, so that the key is rarely sent. */
export async function openEdgeSession(
  ctx: Context,
  applicationKey: string,
): Promise<{ token: string }> {
  const { tenant } = await authenticateKey(ctx, applicationKey, 'application')
  requireTenantAccess(tenant, 'use', ctx.now())
  const token = mintSecret(PREFIX, ctx.random)
  const expiresAt = ctx.now() + EDGE_SESSION_SECONDS * 1_000
  await ctx.stores.edgeSessions.add(ctx.keyring.hash('edge-session', token), tenant.id, expiresAt)
  return { token }
}

export async function readEdgeSession(
  ctx: Context,
  token: string,
): Promise<{ tenantId: TenantId; expiresAt: number }> {
  const hashes = token.startsWith(PREFIX) ? ctx.keyring.hashes('edge-session', token) : []
  const session = hashes.length === 0 ? null : await ctx.stores.edgeSessions.find(hashes, ctx.now())
  const tenant = session === null ? null : await ctx.stores.tenants.find(session.tenantId)
  if (session === null || tenant === null) {
    throw new ApiError(
      'invalidCredentials',
      'This edge token is unknown or its minute has passed. Ask for another: POST /edge/session.',
    )
  }
  requireTenantAccess(tenant, 'use', ctx.now())
  return session
}
