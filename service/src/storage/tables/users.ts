/** Row types of users; see tables.ts. */

import type { ResourceId, TenantId, UserId } from '../../domain/ids.ts'

export interface UserTables {
  users: {
    /** Counts per tenant. */
    id: UserId
    tenant_id: TenantId
    resource_id: ResourceId
    issuer: string
    subject: string
    email: string
    name: string | null
    /** The folded name, for searches (`nameKey`). */
    name_key: string | null
    picture: string | null
    first_seen: number
    last_seen: number
    blocked_at: number | null
    /** JSON; null: none. */
    metadata: string | null
    /** The same. */
    claims: string | null
    /** Of the browser that signed in last. */
    browser_hash: string | null
  }
  /** An identity of a user who has several. */
  identities: {
    resource_id: ResourceId
    issuer: string
    subject: string
    tenant_id: TenantId
    user_id: UserId
    email: string
    name: string | null
    picture: string | null
    /** 1: the user is shown with this profile, whichever identity signs in. */
    pinned: number
    last_seen: number
  }
}
