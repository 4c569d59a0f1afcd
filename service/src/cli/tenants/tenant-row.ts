import { statusAt, type Tenant, tierOf } from '../../domain/tenants/tenant.ts'
import type { CommandIo } from '../command.ts'
import { isoOf, minuteOf } from '../terminal-text.ts'

/** Prints a page of tenants, and how to get the next one. `found`: one more than the limit, if there are more. */
export function emitTenants({ emit, note, now }: CommandIo, found: readonly Tenant[], limit: number): void {
  const shown = found.slice(0, limit)
  for (const tenant of shown) emit(recordOf(tenant, now), lineOf(tenant, now))
  if (found.length > limit) note(`More: --after ${shown.at(-1)?.id}`)
}

const recordOf = (tenant: Tenant, now: number) => ({
  tenant_id: tenant.id,
  status: statusAt(tenant, now),
  tier: tierOf(tenant),
  account_id: tenant.owner?.accountId ?? null,
  created_at: isoOf(tenant.createdAt),
  expires_at: isoOf(tenant.expiresAt),
  runtime_profile: tenant.profile,
})

function lineOf(tenant: Tenant, now: number): string {
  const expiry = tenant.expiresAt === null ? '' : `  expires ${minuteOf(tenant.expiresAt)}`
  const status = `${statusAt(tenant, now).padEnd(10)} ${tierOf(tenant).padEnd(10)}`
  return `${tenant.id.padEnd(40)} ${status} created ${minuteOf(tenant.createdAt)}${expiry}`
}
