import { ApiError } from '../../domain/api-error.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Instant } from '../../domain/time.ts'

/** A guest has no owner who answers for what its consent page says. */
export function requireOwner(tenant: Tenant, now: Instant, action: 'use' | 'read' = 'use'): void {
  requireTenantAccess(tenant, action, now)
  if (tenant.owner !== null) return
  throw new ApiError('ownerRequired', 'Only a claimed tenant can verify domains and have a brand: POST /api/claim/url.')
}
