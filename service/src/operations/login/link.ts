import { LINK_SECONDS, type ProviderName, USER_IDENTITIES_MAX } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import { homeOf } from '../../domain/callbacks/url.ts'
import type { SessionId, TenantId } from '../../domain/ids.ts'
import { ATTEMPT_LIFETIME_MS, type Attempt, isLinkToken } from '../../domain/login/attempt.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import { requireRedirectUri } from '../../domain/login/redirect-url.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import { constantTimeEqual } from '../../domain/tokens/secret.ts'
import type { UserRecord } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { LOGIN_START_LIMIT, limitByAddress } from '../limits/limit-requests.ts'
import { providerForStart } from '../providers/login-provider.ts'
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

/** The content of a link, under a MAC, so that nothing is stored before it is opened. `id` becomes that of the attempt. */
type Link = readonly [
  id: string,
  tenantId: TenantId,
  SessionId,
  ProviderName,
  redirectUri: string,
  expiresAt: number,
]

/** Returns the token of a link with which the user of this session adds an identity at another provider. */
export async function linkIdentity(ctx: Context, request: LinkRequest): Promise<string> {
  const verification = verifyAccessToken(ctx, request)
  const tenant = await requireTenant(ctx.stores, request.tenantId, ctx.now())
  const resource = await requireResource(ctx.stores, tenant)
  if (verification.outcome !== 'valid') {
    throw invalidAccessToken()
  }

  const redirectUri = requireRedirectUri(resource.callbackUrls, request.redirectUri)
  const { name } = await providerForStart(ctx, tenant.id, request.provider)

  const id = Buffer.from(ctx.random(16)).toString('base64url')
  const { sid } = verification.token.claims
  const link: Link = [id, tenant.id, sid, name, redirectUri, ctx.now() + LINK_SECONDS * 1_000]
  const content = Buffer.from(JSON.stringify(link)).toString('base64url')
  return `${content}.${ctx.keyring.mac('link', content)}`
}

function readLink({ keyring, now }: Context, token: string): Link {
  const [content = '', mac = ''] = isLinkToken(token) ? token.split('.') : []
  const isOurs = keyring.kids.some((kid) =>
    constantTimeEqual(keyring.mac('link', content, kid), mac),
  )
  const link = isOurs ? (JSON.parse(Buffer.from(content, 'base64url').toString()) as Link) : null
  if (link === null || link[5] <= now()) {
    throw linkOver(link?.[4])
  }
  return link
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
  const [id, tenantId, linkSessionId, name, redirectUri, linkExpiresAt] = readLink(ctx, token)

  await requireTenant(ctx.stores, tenantId, now)
  const { resource, user } = await requireLinkingUser(ctx, { tenantId, linkSessionId, redirectUri })
  requireRegisteredCallback(resource, redirectUri)
  await requireUnblockedCallback(ctx.stores, redirectUri)

  const { browserHash } = user
  if (browser === null || browserHash === null || !isSameBrowser(ctx, browser, browserHash)) {
    throw new ApiError(
      'linkOtherBrowser',
      'This browser is not signed in to the account. Sign in to the app here, and start again there.',
      backTo(redirectUri),
    )
  }

  const provider = await providerForStart(ctx, tenantId, name)
  const location = await providerRedirectUrl(ctx, provider, {
    id,
    tenantId,
    browser,
    hints: { prompt: 'select_account' },
    uiLocales,
  })

  const attempt: Attempt = {
    id,
    tenantId,
    provider: name,
    providerClientId: provider.client?.id ?? null,
    browserHash,
    redirectUri,
    returnTo: null,
    challenge: null,
    invitationId: null,
    linkSessionId,
    stage: 'started',
    profile: null,
    hostedDomain: null,
    decision: null,
    chooser: true,
    remember: false,
    // The time of the link, however often it is opened.
    createdAt: linkExpiresAt - LINK_SECONDS * 1_000,
    expiresAt: now + ATTEMPT_LIFETIME_MS,
  }
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

const isSameBrowser = ({ keyring }: Context, browser: string, browserHash: string): boolean =>
  keyring.hashes('browser', browser).some((hash) => constantTimeEqual(hash, browserHash))

type LinkingAttempt = Pick<Attempt, 'tenantId' | 'linkSessionId' | 'redirectUri'>

/** The user of the session that asked for the link. It must not have ended: a block ends the sessions of its user. */
export async function requireLinkingUser(
  { stores, now }: Pick<Context, 'now'> & { readonly stores: TransactionStores },
  { tenantId, linkSessionId, redirectUri }: LinkingAttempt,
): Promise<{ readonly resource: Resource; readonly user: UserRecord }> {
  const resource = await stores.resources.findActive(tenantId)
  const session =
    resource && linkSessionId !== null && (await stores.sessions.find(resource, linkSessionId))
  const isOver = !session || Math.min(session.expiresAt, session.absoluteExpiresAt) <= now()
  const user = isOver ? null : await stores.users.findRecord(resource, session.userId)
  if (resource === null || user === null) {
    throw linkOver(redirectUri)
  }
  return { resource, user }
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
  const target = `user:${user.id}`
  const author = { actor: 'person', requestId } as const
  await recordAction(stores, { tenantId, author, action: 'user.identity_added', target, at })
  // A concurrent block or link waits, or this transaction sees it.
  await stores.identities.lock(resource, [user.id])
  const locked = await stores.users.findRecord(resource, user.id)
  if (locked === null || locked.blockedAt !== null) {
    throw linkOver(attempt.redirectUri)
  }
  const isFull = locked.identities.length >= USER_IDENTITIES_MAX
  if (isFull || !(await stores.identities.add(resource, user.id, { ...profile, lastSeen: at }))) {
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

const backTo = (redirectUri?: string) => {
  const home = redirectUri === undefined ? null : homeOf(redirectUri)
  return home === null ? {} : { details: { app: home } }
}
