import type { ProviderName } from '@gatehouse-auth/contract'
import { type Identity, REMOVAL_MS } from '../../domain/accounts/person.ts'
import { ApiError } from '../../domain/api-error.ts'
import { callbackHostsOf } from '../../domain/callbacks/url.ts'
import type { TenantId, UserId } from '../../domain/ids.ts'
import { CONSENT_KEPT_MS } from '../../domain/login/remembered-consent.ts'
import type { Session } from '../../domain/sessions/session.ts'
import type { PersonUser, Resource } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { statusAt, type Tenant } from '../../domain/tenants/tenant.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import type { Instant } from '../../domain/time.ts'
import type { KnownUser, SeenUser, UserIdentity } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { nameIssuers } from '../providers/providers.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { removeUserIdentity } from '../users/identities.ts'

export const APPS_PER_PAGE = 50

/** An app, as a person sees it who signed in to it. */
interface OwnApp {
  readonly tenantId: TenantId
  readonly callbackHosts: readonly string[]
  readonly user: SeenUser
  readonly owned: boolean
  /** The last used first. */
  readonly sessions: readonly Pick<Session, 'createdAt' | 'rotatedAt'>[]
  readonly moreSessions: boolean
  /** When the user is deleted at the latest, after the person asked for it; otherwise null. */
  readonly removalDueAt: Instant | null
  /** The app doesn't ask for consent again, in some browser of the person. */
  readonly consentRemembered: boolean
  /** The identities with which the person signs in, if there are several. A blocked person signs in with none. */
  readonly identities: readonly OwnIdentity[]
}

interface OwnIdentity extends Pick<UserIdentity, 'subject' | 'email'> {
  /** null: one that the owner has removed. */
  readonly provider: ProviderName | null
}

/** The apps that store a user with this identity, the last used first. */
export async function listApps(
  ctx: Context,
  { issuer, subject }: Identity,
  page: number,
): Promise<{ readonly apps: readonly OwnApp[]; readonly hasMore: boolean }> {
  // One more than shown, to know whether there is another page.
  const query = { offset: page * APPS_PER_PAGE, limit: APPS_PER_PAGE + 1 }
  const found = await ctx.stores.people.users({ issuer, subject }, query)
  const apps: OwnApp[] = []
  for (const each of found.slice(0, APPS_PER_PAGE)) {
    const app = await ownApp(ctx, each)
    if (app !== null) {
      apps.push(app)
    }
  }
  return { apps, hasMore: found.length > APPS_PER_PAGE }
}

const SESSIONS_SHOWN = 10

/** null: the app has ended, or its rows are being deleted. */
async function ownApp(
  ctx: Context,
  { tenantId, resourceId, user }: PersonUser,
): Promise<OwnApp | null> {
  const app = await findApp(ctx, tenantId)
  if (app === null || app.resource.id !== resourceId) {
    return null
  }

  const { tenant, resource } = app
  const page = { after: 0, limit: SESSIONS_SHOWN + 1 }
  const sessions = await ctx.stores.sessions.ofUser(resource, user.id, ctx.now(), page)
  const requestedAt = await ctx.stores.removals.requestedAt(resource, user.id)
  const consentSince = ctx.now() - CONSENT_KEPT_MS
  return {
    tenantId,
    callbackHosts: callbackHostsOf(resource.callbackUrls),
    user,
    owned: tenant.owner !== null,
    sessions: sessions
      .slice(0, SESSIONS_SHOWN)
      .toSorted((one, other) => other.rotatedAt - one.rotatedAt),
    moreSessions: sessions.length > SESSIONS_SHOWN,
    removalDueAt: requestedAt === null ? null : requestedAt + REMOVAL_MS,
    consentRemembered: await ctx.stores.consents.hasAny(resource, user.id, consentSince),
    identities: await ownIdentities(ctx, resource, user.id),
  }
}

/** Empty for a user with one identity. */
async function ownIdentities(
  ctx: Context,
  resource: Resource,
  userId: UserId,
): Promise<OwnIdentity[]> {
  const record = await ctx.stores.users.findRecord(resource, userId)
  if (record === null || record.blockedAt !== null || record.identities.length < 2) {
    return []
  }
  const providerOf = await nameIssuers(ctx, resource.tenantId)
  return record.identities.map(({ issuer, subject, email }) => ({
    subject,
    email,
    provider: providerOf(issuer),
  }))
}

interface FoundApp {
  readonly tenant: Tenant
  readonly resource: Resource
}

interface OwnUser extends FoundApp {
  readonly user: KnownUser
}

/** An app that has not ended, and its social login; otherwise null. */
async function findApp(
  { stores, now }: Pick<Context, 'stores' | 'now'>,
  tenantId: TenantId,
): Promise<FoundApp | null> {
  const tenant = isTenantId(tenantId) ? await stores.tenants.find(tenantId) : null
  if (tenant === null || statusAt(tenant, now()) === 'expired') {
    return null
  }
  const resource = await stores.resources.findActive(tenant.id)
  return resource === null ? null : { tenant, resource }
}

/**
 * The user of this person in an app. Found by the identity that the provider confirmed, never by an id of the request:
 * prevents that a person changes the data of another. null: there is none, or the app has ended.
 */
export async function findOwnUser(
  ctx: Pick<Context, 'stores' | 'now'>,
  { issuer, subject }: Identity,
  tenantId: TenantId,
): Promise<OwnUser | null> {
  const app = await findApp(ctx, tenantId)
  if (app === null) {
    return null
  }
  const { tenant, resource } = app
  const user = await ctx.stores.users.findBySubject(resource, issuer, subject)
  return user === null ? null : { tenant, resource, user }
}

const GONE: ReadonlySet<string> = new Set(['userNotFound', 'identityNotFound', 'notProvisioned'])

/** Idempotent: what the owner deleted meanwhile, the user or the social login, needs no change. */
export async function unlessGone(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!(error instanceof ApiError && GONE.has(error.code))) {
      throw error
    }
  }
}

/** The person's next sign-in to the app shows the consent page again, in every browser. */
export async function forgetConsent(
  ctx: Context,
  person: Identity,
  tenantId: TenantId,
  author: Author,
): Promise<void> {
  const own = await findOwnUser(ctx, person, tenantId)
  if (own === null) {
    return
  }
  const { tenant, user } = own
  const change = ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    const forgotten = await stores.consents.forget(resource, user.id)
    if (forgotten === 0) {
      return
    }
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'user.consent_forgotten',
      target: `user:${user.id}`,
      at: ctx.now(),
    })
  })
  await unlessGone(change)
}

interface OwnIdentityRef {
  readonly tenantId: TenantId
  readonly provider: string
  readonly subject: string
}

/** Never removes the only identity. The person signs in to the app again, with one that is left. */
export async function removeOwnIdentity(
  ctx: Context,
  person: Identity,
  { tenantId, provider, subject }: OwnIdentityRef,
  author: Author,
): Promise<void> {
  const own = await findOwnUser(ctx, person, tenantId)
  if (own === null) {
    return
  }
  const ref = { userId: own.user.id, provider, subject }
  await unlessGone(removeUserIdentity(ctx, own.tenant, ref, author, 'person'))
}
