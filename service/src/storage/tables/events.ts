/** Row types of events; see tables.ts. */

import type { AuthEventKind } from '@gatehouse-auth/contract'
import type { ResourceId, TenantId, UserId } from '../../domain/ids.ts'

export interface EventTables {
  events: {
    /** Counts per tenant. */
    id: number
    tenant_id: TenantId
    resource_id: ResourceId
    event: AuthEventKind
    user_id: UserId | null
    email: string | null
    redirect_uri: string | null
    return_to: string | null
    metadata: string
    created_at: number
  }
  day_tallies: {
    tenant_id: TenantId
    resource_id: ResourceId
    /** `2026-01-31`, in UTC. */
    day: string
    event: AuthEventKind
    count: number
  }
}
