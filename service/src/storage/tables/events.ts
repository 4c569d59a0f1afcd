/** Row types of events; see tables.ts. */

import type { AuthEventKind } from '@gatehouse-auth/contract'
import type { ResourceId, TenantId, UserId } from '../../domain/ids.ts'

export interface EventTables {
  events: {
    /** Counts from 1 per tenant (`event_counts`, `last_event_id`). */
    id: number
    tenant_id: TenantId
    resource_id: ResourceId
    /** One of the six kinds. */
    event: AuthEventKind
    /** The user, if known and consenting; otherwise null. */
    user_id: UserId | null
    /** The user's email address at that time; null when `user_id` is. */
    email: string | null
    /** The callback URL of the login. */
    redirect_uri: string | null
    /** The page inside the app, if one was requested. */
    return_to: string | null
    /** JSON: who denied, the stage and code of a failure, the reason of a logout. */
    metadata: string
    /** When. */
    created_at: number
  }
  day_tallies: {
    tenant_id: TenantId
    resource_id: ResourceId
    /** In UTC, such as `2026-01-31`. */
    day: string
    /** One of the six kinds. */
    event: AuthEventKind
    /** The number of events. */
    count: number
  }
}
