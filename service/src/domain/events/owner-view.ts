import type { AuthEventKind, LoginFailureCode } from '@gatehouse/contract'
import type { UserId } from '../ids.ts'
import type { Instant } from '../time.ts'
import type { AuthEvent } from './auth-event.ts'

/**
 * What an owner may see of an event. An allowlist, so that fields added later stay hidden by default. Left out: redirect
 * URIs, return paths, and all metadata except the error code (spec, insights).
 */
export interface OwnerEvent {
  readonly event: AuthEventKind
  readonly userId: UserId | null
  readonly email: string | null
  readonly createdAt: Instant
  readonly errorCode: LoginFailureCode | null
}

export const ownerView = ({ event, userId, email, createdAt, metadata }: AuthEvent): OwnerEvent => ({
  event,
  userId,
  email,
  createdAt,
  errorCode: metadata.error_code ?? null,
})
