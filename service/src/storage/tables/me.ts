/** Row types of the page `/me`; see tables.ts. */

import type { ResourceId, TenantId, UserId } from '../../domain/ids.ts'

export interface MeTables {
  me_sessions: MeSessionRow
  removal_requests: RemovalRequestRow
}

interface MeSessionRow {
  hash: string
  issuer: string
  subject: string
  email: string
  name: string | null
  created_at: number
  expires_at: number
}

interface RemovalRequestRow {
  tenant_id: TenantId
  resource_id: ResourceId
  user_id: UserId
  requested_at: number
  request_id: string
}
