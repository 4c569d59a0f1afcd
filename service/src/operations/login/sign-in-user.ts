import { PROVIDER_KINDS, providerKind } from '@gatehouse-auth/contract'
import { authorized } from '../../domain/events/auth-event.ts'
import type { SessionId } from '../../domain/ids.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import { type Invitation, rejectionOf } from '../../domain/login/invitation.ts'
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
  const { user, rate } = await authorizeUser(ctx, stores, identified)
  const pair = await openSession(ctx, stores, { tenant, resource, user, now })
  return { user, rate, pair }
}

/** Charges the event, stores the user and records `authorize`. */
export async function authorizeUser(
  ctx: Context,
  stores: TransactionStores,
  identified: Identified,
): Promise<AuthorizedUser> {
  const { tenant, resource, attempt, now } = identified
  const { id, rate } = await countAuthEvent(ctx, stores, tenant, 'authorize', now)
  const { user, isNew } = await storeUser(stores, identified)
  await stores.events.append(resource, id, authorized(attempt, user, isNew, now))
  return { user, rate }
}

/** The owner does not let this person in; the message is the `error_code`. Rolls the transaction back. */
export class NotAdmitted extends Error {
  declare readonly message: 'user_blocked' | 'not_allowed' | 'not_invited'
}

interface StoredUser {
  readonly user: User
  readonly isNew: boolean
}

/** A user is identified by issuer and subject, never by email. Only a new user counts towards the limit. */
async function storeUser(stores: TransactionStores, identified: Identified): Promise<StoredUser> {
  const { resource, profile, attempt, now } = identified
  const known = await stores.users.findBySubject(resource, profile.issuer, profile.subject)
  if (known?.blockedAt) {
    throw new NotAdmitted('user_blocked')
  }

  const isNew = known === null
  const invitation = isNew && attempt !== null ? await useInvitation(stores, attempt, now) : null
  // Again: the owner may have closed the project, or changed its lists, while the consent page was open.
  if (attempt !== null && attempt.hostedDomain !== null) {
    const rejection = rejectionOf(resource, {
      identified: { profile, hostedDomain: attempt.hostedDomain },
      isUser: !isNew,
      invitation,
    })
    if (rejection !== null) {
      throw new NotAdmitted(rejection)
    }
  }

  if (known === null) {
    return { user: await createUser(stores, identified, invitation), isNew: true }
  }
  return { user: await updateKnownUser(stores, identified, known), isNew: false }
}

async function createUser(
  stores: TransactionStores,
  { tenant, resource, profile, attempt, now }: Identified,
  invitation: Invitation | null,
): Promise<User> {
  await spendCharge(stores.counters, await lockUserCharge(stores, tenant))
  const user = await stores.users.insert(
    resource,
    profile,
    now,
    attempt?.browserHash,
    invitation?.claims,
  )
  await stores.userMessages.record(tenant.id, 'user.created', [{ id: user.id }], now)
  return user
}

async function updateKnownUser(
  stores: TransactionStores,
  { tenant, resource, profile, attempt, now }: Identified,
  known: FoundUser,
): Promise<User> {
  const namesOnce = attempt !== null && PROVIDER_KINDS[providerKind(attempt.provider)].namesOnce
  const name = namesOnce ? (profile.name ?? known.name) : profile.name
  const shown = { profile: { ...profile, name }, attempt, now }
  const user = await updateUser(stores, resource, known, shown)
  if (!isShownAlike(known, user)) {
    await stores.userMessages.record(tenant.id, 'user.updated', [{ id: user.id }], now)
  }
  return user
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
