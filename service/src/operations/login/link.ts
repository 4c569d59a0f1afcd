import { LINK_SECONDS, type ProviderName, USER_IDENTITIES_MAX } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import { homeOf } from '../../domain/callbacks/url.ts'
import type { AttemptId, SessionId, TenantId } from '../../domain/ids.ts'
import { ATTEMPT_LIFETIME_MS, type Attempt, isLinkToken } from '../../domain/login/attempt.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import { requireRedirectUri } from '../../domain/login/redirect-url.ts'
import type { Session } from '../../domain/sessions/session.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Duration, Instant } from '../../domain/time.ts'
import { constantTimeEqual } from '../../domain/tokens/secret.ts'
import type { UserRecord } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { LOGIN_START_LIMIT, limitByAddress } from '../limits/limit-requests.ts'
import { type LoginProvider, providerForStart } from '../providers/login-provider.ts'
import { invalidAccessToken } from '../sessions/id-tokens.ts'
import { verifyAccessToken } from '../sessions/verify-access-token.ts'
import { recordAction } from '../tenants/audit.ts'
import { requireUnblockedCallback } from '../tenants/blocked-hosts.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'
import { requireRegisteredCallback } from './attempts.ts'
import { providerRedirectUrl } from './redirects.ts'

interface LinkRequest {
  readonly tenantId: TenantId
  readonly accessToken: string
  readonly provider: ProviderName
  readonly redirectUri: string | undefined
}

/** The content of a link. It is under a MAC, so that nothing is stored before it is opened. */
interface Link {
  /** Becomes the id of the attempt. */
  readonly id: AttemptId
  readonly tenantId: TenantId
  /** The session whose user adds an identity. */
  readonly sessionId: SessionId
  readonly provider: ProviderName
  readonly redirectUri: string
  readonly expiresAt: Instant
}

/** Returns the token of a link with which the user of this session adds an identity at another provider. */
export async function linkIdentity(ctx: Context, request: LinkRequest): Promise<string> {
  const verification = verifyAccessToken(ctx, request)
  const tenant = await requireTenant(ctx.stores, request.tenantId, ctx.now())
  const resource = await requireResource(ctx.stores, tenant)
  if (verification.outcome !== 'valid') {
    throw invalidAccessToken()
  }

  const redirectUri = requireRedirectUri(resource.callbackUrls, request.redirectUri)
  const provider = await providerForStart(ctx, tenant.id, request.provider)
  return writeLink(ctx, {
    id: Buffer.from(ctx.random(16)).toString('base64url'),
    tenantId: tenant.id,
    sessionId: verification.token.claims.sid,
    provider: provider.name,
    redirectUri,
    expiresAt: ctx.now() + LINK_LIFETIME_MS,
  })
}

const LINK_LIFETIME_MS: Duration = LINK_SECONDS * 1_000

/** In a list, because the link is shorter without the names. */
type LinkFields = [
  id: AttemptId,
  tenantId: TenantId,
  sessionId: SessionId,
  provider: ProviderName,
  redirectUri: string,
  expiresAt: Instant,
]

function writeLink({ keyring }: Pick<Context, 'keyring'>, link: Link): string {
  const { id, tenantId, sessionId, provider, redirectUri, expiresAt } = link
  const fields: LinkFields = [id, tenantId, sessionId, provider, redirectUri, expiresAt]
  const content = Buffer.from(JSON.stringify(fields)).toString('base64url')
  return `${content}.${keyring.mac('link', content)}`
}

function requireLink({ keyring, now }: Pick<Context, 'keyring' | 'now'>, token: string): Link {
  const [content = '', mac = ''] = isLinkToken(token) ? token.split('.') : []
  const isOurs = keyring.kids.some((kid) =>
    constantTimeEqual(keyring.mac('link', content, kid), mac),
  )
  if (!isOurs) {
    throw linkOver()
  }

  // The MAC proves that `writeLink` wrote it.
  const fields: LinkFields = JSON.parse(Buffer.from(content, 'base64url').toString())
  const [id, tenantId, sessionId, provider, redirectUri, expiresAt] = fields
  if (expiresAt <= now()) {
    throw linkOver(redirectUri)
  }
  return { id, tenantId, sessionId, provider, redirectUri, expiresAt }
}

interface OpenedLink {
  readonly token: string
  readonly browser: string | null
  readonly addressKey: string
  readonly uiLocales: string | undefined
}

/**
 * Redirects to the provider, once. The browser must be the one in which the user signed in last: prevents that a link adds the
 * identity of the person who opens it to the account of the person who sent it, and that a stolen access token adds one.
 */
export async function openLink(
  ctx: Context,
  { token, browser, addressKey, uiLocales }: OpenedLink,
): Promise<URL> {
  const now = ctx.now()
  const link = requireLink(ctx, token)
  const { id, tenantId, sessionId: linkSessionId, redirectUri } = link

  await requireTenant(ctx.stores, tenantId, now)
  const { resource, user } = await requireLinkingUser(ctx, { tenantId, linkSessionId, redirectUri })
  requireRegisteredCallback(resource, redirectUri)
  await requireUnblockedCallback(ctx.stores, redirectUri)

  const { browserHash } = user
  if (browser === null || browserHash === null || !isSameBrowser(ctx, browser, browserHash)) {
    throw linkOtherBrowser(redirectUri)
  }

  const provider = await providerForStart(ctx, tenantId, link.provider)
  const location = await providerRedirectUrl(ctx, provider, {
    id,
    tenantId,
    browser,
    hints: { prompt: 'select_account' },
    uiLocales,
  })

  const attempt = attemptOf(link, provider, browserHash, now)
  await ctx.stores.transaction(async (stores) => {
    await limitByAddress(ctx, stores, LOGIN_START_LIMIT, addressKey, now)
    if (await stores.attempts.add(attempt)) {
      return
    }

    // Opened again, for example with the button Back: the same browser continues until it has chosen an account.
    const first = await stores.attempts.find(id, now)
    if (first?.stage !== 'started' || first.browserHash !== browserHash) {
      throw linkOver(redirectUri)
    }
  })
  return location
}

/** The attempt that the link starts. It has the id of the link, so that it is started once. */
function attemptOf(
  { id, tenantId, sessionId, redirectUri, expiresAt }: Link,
  { name, client }: LoginProvider,
  browserHash: string,
  now: Instant,
): Attempt {
  return {
    id,
    tenantId,
    redirectUri,
    returnTo: null,
    provider: name,
    providerClientId: client?.id ?? null,
    browserHash,
    challenge: null,
    openId: null,
    invitationId: null,
    linkSessionId: sessionId,
    chooser: true,
    remember: false,
    stage: 'started',
    profile: null,
    hostedDomain: null,
    decision: null,
    // The time of the link, however often it is opened.
    createdAt: expiresAt - LINK_LIFETIME_MS,
    expiresAt: now + ATTEMPT_LIFETIME_MS,
  }
}

function isSameBrowser({ keyring }: Context, browser: string, browserHash: string): boolean {
  const hashes = keyring.hashes('browser', browser)
  return hashes.some((hash) => constantTimeEqual(hash, browserHash))
}

type LinkingAttempt = Pick<Attempt, 'tenantId' | 'linkSessionId' | 'redirectUri'>

/** The user of the session that asked for the link. It must not have ended: a block ends the sessions of its user. */
export async function requireLinkingUser(
  { stores, now }: Pick<Context, 'now'> & { readonly stores: TransactionStores },
  { tenantId, linkSessionId, redirectUri }: LinkingAttempt,
): Promise<{ readonly resource: Resource; readonly user: UserRecord }> {
  const resource = await stores.resources.findActive(tenantId)
  if (resource === null || linkSessionId === null) {
    throw linkOver(redirectUri)
  }

  const session = await stores.sessions.find(resource, linkSessionId)
  if (session === null || isExpired(session, now())) {
    throw linkOver(redirectUri)
  }

  const user = await stores.users.findRecord(resource, session.userId)
  if (user === null) {
    throw linkOver(redirectUri)
  }
  return { resource, user }
}

function isExpired({ expiresAt, absoluteExpiresAt }: Session, now: Instant): boolean {
  return expiresAt <= now || absoluteExpiresAt <= now
}

/** Adds the identity, in the transaction of the decision. */
export async function addLinkedIdentity(
  ctx: Pick<Context, 'now'> & { readonly stores: TransactionStores },
  attempt: Attempt & { readonly profile: Profile },
  requestId: string,
): Promise<void> {
  const { stores } = ctx
  const { tenantId, profile } = attempt
  const at = ctx.now()
  const { resource, user } = await requireLinkingUser(ctx, attempt)
  await recordAction(stores, {
    tenantId,
    author: { actor: 'person', requestId },
    action: 'user.identity_added',
    target: `user:${user.id}`,
    at,
  })

  // A concurrent block or link waits, or this transaction sees it.
  await stores.identities.lock(resource, [user.id])
  const locked = await stores.users.findRecord(resource, user.id)
  if (locked === null || locked.blockedAt !== null) {
    throw linkOver(attempt.redirectUri)
  }

  if (locked.identities.length >= USER_IDENTITIES_MAX) {
    throw linkRefused(attempt)
  }
  const isAdded = await stores.identities.add(resource, user.id, { ...profile, lastSeen: at })
  if (!isAdded) {
    throw linkRefused(attempt)
  }
  await stores.userMessages.record(tenantId, 'user.updated', [{ id: user.id }], at)
}

export const linkRefused = ({ redirectUri }: Pick<Attempt, 'redirectUri'>): ApiError =>
  new ApiError(
    'linkRefused',
    `This identity already belongs to a user of the app, or the account has ${USER_IDENTITIES_MAX}. Nothing was changed.`,
    backTo(redirectUri),
  )

const linkOver = (redirectUri?: string): ApiError =>
  new ApiError(
    'linkOver',
    'This link was used, has expired, or its session has ended.',
    backTo(redirectUri),
  )

const linkOtherBrowser = (redirectUri: string): ApiError =>
  new ApiError(
    'linkOtherBrowser',
    'This browser is not signed in to the account. Sign in to the app here, and start again there.',
    backTo(redirectUri),
  )

/** Lets the error page link back to the app. */
function backTo(redirectUri: string | undefined) {
  const home = redirectUri === undefined ? null : homeOf(redirectUri)
  return home === null ? {} : { details: { app: home } }
}
