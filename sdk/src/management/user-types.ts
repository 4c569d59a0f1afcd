import type { ProviderName } from '../login/provider.ts'
import type { User } from '../types.ts'

/** Your own fields of a user: any JSON object of at most 2,048 bytes. */
export type UserMetadata = Readonly<Record<string, unknown>>

/** A user, with the fields that `include` names. Times are ISO 8601. */
export interface ManagedUser extends User {
  readonly first_seen: string
  /** Their last login or refresh. */
  readonly last_seen: string
  readonly metadata?: UserMetadata | undefined
  /** A blocked user cannot sign in. */
  readonly blocked?: boolean | undefined
  /** What identifies the user at the provider. */
  readonly identities?: readonly UserIdentity[] | undefined
}

export interface UserIdentity {
  /** `null`: an `oidc-` provider that you have removed. */
  readonly provider: ProviderName | null
  readonly issuer: string
  readonly subject: string
}

export interface IncludeOptions {
  /** Further fields of each user. */
  readonly include?: readonly ('metadata' | 'blocked' | 'identities')[] | undefined
}

export interface PageOptions {
  /** Only entries with a higher id. */
  readonly after?: number | undefined
  readonly limit?: number | undefined
}

/** `email` or `q`, not both. */
export interface UserSearch extends IncludeOptions, PageOptions {
  /** The whole address, in upper or lower case. Several users can have the same one. */
  readonly email?: string | undefined
  /** The start of an address or a name, at least 2 characters. */
  readonly q?: string | undefined
  readonly blocked?: boolean | undefined
  /** Also count all users that match. */
  readonly count?: boolean | undefined
}

export interface UserPage {
  readonly users: readonly ManagedUser[]
  /** The number of all users that match, if `count` is true. */
  readonly total: number | null
  /** `after` of the next page; null on the last one. */
  readonly next: number | null
}

/** A session that can still be refreshed. */
export interface UserSession {
  readonly id: number
  readonly created_at: string
  readonly last_refreshed_at: string
  /** When it ends without another refresh. */
  readonly expires_at: string
}

export interface VersionedMetadata {
  readonly metadata: UserMetadata
  /** Identifies this version: pass it as `ifMatch`. */
  readonly etag: string | null
}

/** A line of an export fits; its `id` is ignored. */
export interface ImportedUser {
  readonly id?: number | undefined
  readonly issuer?: string | undefined
  /** The provider's id for the user. Users are never matched by email. */
  readonly subject: string
  readonly email: string
  readonly name?: string | null | undefined
  readonly picture?: string | null | undefined
  readonly first_seen?: string | undefined
  readonly last_seen?: string | undefined
  readonly blocked?: boolean | undefined
  readonly metadata?: UserMetadata | undefined
}

export interface ImportReport {
  readonly created: number
  readonly existing: number
  readonly failed: number
  /** One for each line. */
  readonly results: readonly {
    /** Counts from 1. */
    readonly line: number
    readonly result: 'created' | 'exists' | 'invalid' | 'user_limit'
    readonly user_id?: number | undefined
    readonly problem?: string | undefined
  }[]
}
