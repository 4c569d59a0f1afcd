import { asciiLowerCase, type Claims, SECRET_PREFIXES } from '@gatehouse-auth/contract'
import type { InvitationId, TenantId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'
import { type RandomBytes, randomBase62 } from '../tokens/random-text.ts'
import { type Admission, admits, type Identified, isListed } from './profile.ts'

/** Expired invitations are listed for this long. */
export const INVITATIONS_KEPT_MS: Duration = 7 * 24 * 3_600_000

export interface InvitationRef {
  readonly tenantId: TenantId
  readonly id: InvitationId
}

/** A login link with which people become users. Nothing but `used` changes. */
export interface Invitation extends InvitationRef {
  /** In lower case; null: anyone who has the link. */
  readonly email: string | null
  /** The claims of each user that it creates. */
  readonly claims: Claims
  readonly uses: number
  readonly used: number
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

export const newInvitationId = (random: RandomBytes): InvitationId =>
  `inv_${randomBase62(16, random)}`

/** Anything else is no id, and reaches no query. */
export const isInvitationId = (text: string): boolean => /^inv_[0-9A-Za-z]{16}$/.test(text)

const SECRET = new RegExp(`^${SECRET_PREFIXES.invitation}[A-Za-z0-9_-]{43}$`)

export const isInvitationSecret = (text: string): boolean => SECRET.test(text)

type InvitationStatus = 'open' | 'used' | 'expired'

/** Used up first: that is what its holder can do something about. */
export function invitationStatus(
  { used, uses, expiresAt }: Invitation,
  now: Instant,
): InvitationStatus {
  if (used >= uses) {
    return 'used'
  }
  return now < expiresAt ? 'open' : 'expired'
}

interface Arrival {
  readonly identified: Identified
  /** The person is a user already. */
  readonly isUser: boolean
  /** The invitation of the login link; null: it had none. */
  readonly invitation: Pick<Invitation, 'email'> | null
}

/**
 * Why a person may not sign in; null: they may. In a closed project the lists add to the users and the invited people; in an
 * open one they restrict everyone. An invitation for another address creates no user, also where none is needed: the person
 * chose the wrong account.
 */
export function rejectionOf(
  admission: Admission,
  { identified, isUser, invitation }: Arrival,
): 'not_allowed' | 'not_invited' | null {
  const isClosed = admission.admission === 'invited'
  if (!isClosed && !admits(admission, identified)) {
    return 'not_allowed'
  }
  if (isUser) {
    return null
  }
  if (invitation !== null) {
    return isFor(invitation, identified) ? null : 'not_invited'
  }
  return isClosed && !isListed(admission, identified) ? 'not_invited' : null
}

const isFor = ({ email }: Pick<Invitation, 'email'>, { profile }: Identified): boolean =>
  email === null || email === asciiLowerCase(profile.email)
