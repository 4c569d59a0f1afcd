import { issuerOf } from '@gatehouse-auth/contract'
import { invalidRequest } from '../../domain/api-error.ts'
import { allowsOrigin, callbackFromStored } from '../../domain/callbacks/url.ts'
import type { SessionId, TenantId, UserId } from '../../domain/ids.ts'
import { type IdTokenHint, readIdTokenHint } from '../../domain/issuer/id-token-hint.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { constantTimeEqual } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { endSession } from '../sessions/end-session.ts'
import { requireUnblockedCallback } from '../tenants/blocked-hosts.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'

interface LogOutByHint {
  readonly tenantId: TenantId
  readonly idTokenHint: string | undefined
  readonly clientId: string | undefined
  readonly postLogoutRedirectUri: string | undefined
  readonly state: string | undefined
}

interface LoggedOut {
  /** Whether the request named a session, which has ended now. */
  readonly ended: boolean
  /** Where the app wants the person; null: nowhere. */
  readonly location: string | null
}

/**
 * OpenID Connect RP-Initiated Logout. Only the ID token ends a session: any page can send a browser here. A request that is
 * wrong in any part ends nothing.
 */
export async function logOutByHint(ctx: Context, input: LogOutByHint): Promise<LoggedOut> {
  const { tenantId, clientId, idTokenHint } = input
  const tenant = await requireTenant(ctx.stores, tenantId, ctx.now(), 'logout')
  const resource = await requireResource(ctx.stores, tenant)
  if (clientId !== undefined && clientId !== tenantId) {
    throw refused('client_id', 'Send the tenant id of this project, or leave it out.')
  }

  const location = await requireReturn(ctx, tenant, resource, input)
  if (idTokenHint === undefined) {
    return { ended: false, location }
  }

  const hint = await requireHint(ctx, tenant, idTokenHint)
  const sessionId = await findSession(ctx, tenant, resource, hint)
  if (sessionId !== null) {
    await endSession(ctx, tenant, sessionId, 'user')
  }
  return { ended: true, location }
}

const refused = (path: string, problem: string) =>
  invalidRequest(`${path} is not valid. Nothing was ended. ${problem}`, [{ path, problem }])

/** Prevents an open redirect: only to a host at which the app has a callback. */
async function requireReturn(
  ctx: Context,
  { suspension }: Tenant,
  { callbackUrls }: Resource,
  { postLogoutRedirectUri, state }: LogOutByHint,
): Promise<string | null> {
  if (postLogoutRedirectUri === undefined || suspension !== null) {
    return null
  }

  const url = URL.parse(postLogoutRedirectUri)
  const registered = callbackUrls.map(callbackFromStored)
  const isPlain = url !== null && url.username === '' && url.password === ''
  if (!isPlain || !allowsOrigin(url.origin, registered)) {
    throw refused(
      'post_logout_redirect_uri',
      'Send a URL with the scheme, host and port of one of the registered callback URLs.',
    )
  }

  await requireUnblockedCallback(ctx.stores, url.href)
  if (state !== undefined) {
    url.searchParams.append('state', state)
  }
  return url.href
}

async function requireHint(ctx: Context, { id }: Tenant, token: string): Promise<IdTokenHint> {
  const hint = readIdTokenHint(token, {
    issuer: issuerOf(ctx.baseUrl, id),
    audience: id,
    keys: await ctx.signingKeys.all(id),
  })
  if (hint === null) {
    throw refused(
      'id_token_hint',
      'Send an ID token that the token endpoint of this project issued.',
    )
  }
  return hint
}

const PAGE = 100

/** null: it has ended. `sid` is a keyed hash, so the sessions of the user are compared with it. */
async function findSession(
  ctx: Context,
  tenant: Tenant,
  resource: Resource,
  { sub, sid }: IdTokenHint,
): Promise<SessionId | null> {
  const userId: UserId = Number(sub.slice(`${tenant.id}|`.length))
  for (let after = 0; ; ) {
    const page = { after, limit: PAGE }
    const sessions = await ctx.stores.sessions.ofUser(resource, userId, ctx.now(), page)
    const named = sessions.find(({ id }) =>
      constantTimeEqual(ctx.idTokens.sessionName(tenant.id, id), sid),
    )
    const last = sessions.at(-1)
    if (named !== undefined || last === undefined) {
      return named?.id ?? null
    }
    after = last.id
  }
}
