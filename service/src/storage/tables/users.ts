/** Row types of users; see tables.ts. */

import type { ResourceId, TenantId, UserId } from '../../domain/ids.ts'

export interface UserTables {
  users: {
    /** The id that apps use for this user. Counts from 1 per tenant (`counters`, `user-ids`). */
    id: UserId
    tenant_id: TenantId
    resource_id: ResourceId
    /** The identity provider of the user's identity, or of one of several. */
    issuer: string
    /** The provider's id of this user. Returned only by an export and with `include=identities`. */
    subject: string
    /** The verified email address at the last login, of the pinned identity, or as imported. */
    email: string
    /** The name at the last login, or as imported. */
    name: string | null
    /** The name as searches compare it; null if there is no name. */
    name_key: string | null
    /** The URL of the picture; we neither fetch nor show it. */
    picture: string | null
    /** The first login. */
    first_seen: number
    /**
     * The last login, or the last use of a session that has ended. The user was seen then, or at
     * the latest `rotated_at` of their sessions.
     */
    last_seen: number
    /** When the owner blocked the user; null: not blocked. */
    blocked_at: number | null
    /** The owner's own fields, as JSON; null: none. */
    metadata: string | null
    /** What the owner says about the user, as JSON; null: nothing. */
    claims: string | null
    /**
     * The cookie of the browser that signed in last, in which a link can add an identity; null:
     * none has. Hashed.
     */
    browser_hash: string | null
  }
  /** An identity of a user who has several. */
  identities: {
    resource_id: ResourceId
    /** The identity provider. */
    issuer: string
    /** The provider's id of this user. */
    subject: string
    tenant_id: TenantId
    user_id: UserId
    /** The verified email address at the last login with this identity, or as imported. */
    email: string
    /** The name, likewise. */
    name: string | null
    /** The URL of the picture, likewise. */
    picture: string | null
    /** 1: the user is shown with this profile, whichever identity signs in. */
    pinned: number
    /** The last login with it. */
    last_seen: number
  }
}
