import type { Scope } from '@gatehouse/contract'
import type { Instant } from '../time.ts'

/** What a client asked for, checked, while a person makes up their mind. One use, one browser, ten minutes. */
export interface Approval {
  readonly clientId: string
  /** As the client called itself when it asked. */
  readonly clientName: string
  /** As the client sent it, and as it was matched. */
  readonly redirectUri: string
  /** Given back untouched; null when none was sent. */
  readonly state: string | null
  /** S256 of a secret that only the client knows (RFC 7636). */
  readonly challenge: string
  readonly scopes: readonly Scope[]
  readonly resource: string
  /** The client can do nothing with a guest, so a guest is not offered (decision 12). */
  readonly accountRequired: boolean
  /** Keyed hash of the cookie that ties it to one browser. */
  readonly browserHash: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** When somebody said yes or no; null while nobody has. */
  readonly decidedAt: Instant | null
}
