import { authorized } from '../../domain/events/auth-event.ts'
import type { SessionId } from '../../domain/ids.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import { rejectionOf } from '../../domain/login/invitation.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { type FoundUser, isShownAlike, type User } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { countAuthEvent, lockUserCharge, spendCharge } from '../limits/count-auth-event.ts'
import { openSession, type TokenPair } from '../sessions/open-session.ts'
import { useInvitation } from './invitations.ts'

interface Identified {
  readonly tenant: Tenant
  readonly resource: Resource
  readonly profile: Profile
  /** null: a test created the session without a login. */
  readonly attempt: Attempt | null
  readonly now: number
}

interface AuthorizedUser {
  readonly user: User
  readonly rate: Rate | null
}

export interface SignedInUser extends AuthorizedUser {
  readonly pair: TokenPair & { readonly sessionId: SessionId }
}

/** Authorizes the user and opens a session, in one transaction of the caller. */
export async function signInUser(
  ctx: Context,
  stores: TransactionStores,
  identified: Identified,
): Promise<SignedInUser> {
  const { tenant, resource, now } = identified
  const authorized = await authorizeUser(ctx, stores, identified)
  const pair = await openSession(ctx, stores, { tenant, resource, user: authorized.user, now })
  return { ...authorized, pair }
}

/** Charges the event, stores the user and records `authorize`. */
export async function authorizeUser(
  ctx: Context,
  stores: TransactionStores,
  { tenant, resource, profile, attempt, now }: Identified,
): Promise<AuthorizedUser> {
  const { id, rate } = await countAuthEvent(ctx, stores, tenant, 'authorize', now)
  const { user, isNew } = await storeUser(stores, tenant, resource, { profile, attempt }, now)
  await stores.events.append(resource, id, authorized(attempt, user, isNew, now))
  return { user, rate }
}

/** The owner does not let this person in; the message is the `error_code`. Rolls the transaction back. */
export class NotAdmitted extends Error {
  declare readonly message: 'user_blocked' | 'not_allowed' | 'not_invited'
}

/** A user is identified by issuer and subject, never by email. Only a new user counts towards the limit. */
async function storeUser(
  stores: TransactionStores,
  tenant: Tenant,
  resource: Resource,
  { profile, attempt }: Pick<Identified, 'profile' | 'attempt'>,
  now: number,
): Promise<{ readonly user: User; readonly isNew: boolean }> {
  const known = await stores.users.findBySubject(resource, profile.issuer, profile.subject)
  if (known?.blockedAt) {
    throw new NotAdmitted('user_blocked')
  }
  const invitation =
    known === null && attempt !== null ? await useInvitation(stores, attempt, now) : null
  // Again: the owner may have closed the project, or changed its lists, while the consent page was open.
  if (attempt !== null && attempt.hostedDomain !== null) {
    const identified = { profile, hostedDomain: attempt.hostedDomain }
    const rejection = rejectionOf(resource, { identified, isUser: known !== null, invitation })
    if (rejection !== null) {
      throw new NotAdmitted(rejection)
    }
  }
  if (known !== null) {
    // Apple sends the name with the first sign-in only.
    const name = attempt?.provider === 'apple' ? (profile.name ?? known.name) : profile.name
    const user = await updateUser(stores, resource, known, {
      profile: { ...profile, name },
      attempt,
      now,
    })
    if (!isShownAlike(known, user)) {
      await stores.userMessages.record(tenant.id, 'user.updated', [{ id: user.id }], now)
    }
    return { user, isNew: false }
  }
  await spendCharge(stores.counters, await lockUserCharge(stores, tenant))
  const user = await stores.users.insert(
    resource,
    profile,
    now,
    attempt?.browserHash,
    invitation?.claims,
  )
  await stores.userMessages.record(tenant.id, 'user.created', [{ id: user.id }], now)
  return { user, isNew: true }
}

/** A user with several identities is shown as the one that signs in, unless the owner pinned another. */
async function updateUser(
  { users, identities }: TransactionStores,
  resource: Resource,
  { id, hasSeveralIdentities }: FoundUser,
  { profile, attempt, now }: Pick<Identified, 'profile' | 'attempt' | 'now'>,
): Promise<User> {
  const browserHash = attempt?.browserHash ?? null
  const user = await users.update(resource, id, profile, now, browserHash)
  const pinned = hasSeveralIdentities ? await identities.signIn(resource, id, profile, now) : null
  return pinned === null ? user : users.update(resource, id, pinned, now, browserHash)
}
