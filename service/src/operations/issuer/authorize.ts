import { type ApiErrorCode, isProviderName, issuerOf } from '@gatehouse-auth/contract'
import { ApiError, invalidRequest, Unavailable } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { asDescription } from '../../domain/issuer/openid-error.ts'
import {
  NO_CHALLENGE,
  type OpenIdRedirectError,
  type ParsedRequest,
  readOpenIdRequest,
  returnableState,
  type SentParameters,
  sentOnce,
} from '../../domain/issuer/openid-request.ts'
import { openIdRedirectUrl, requireRedirectUri } from '../../domain/login/redirect-url.ts'
import type { Context } from '../context.ts'
import { recordRefusal, recordRefusedParameter } from '../login/refusals.ts'
import { type StartedLogin, startLogin } from '../login/start-login.ts'
import { type LoginChoice, listLoginProviders } from '../providers/login-provider.ts'

interface Authorize {
  readonly tenantId: TenantId
  readonly sent: SentParameters
  /** The browser's cookie from an earlier login, if any. */
  readonly browser: string | null
  /** The client address, for its rate limit. */
  readonly addressKey: string
}

type Authorized =
  | { readonly next: 'provider'; readonly started: StartedLogin }
  /** Several providers are on, and the request names none. */
  | { readonly next: 'choose'; readonly choices: readonly LoginChoice[] }
  /** The request was refused: the app learns why. */
  | { readonly next: 'app'; readonly location: string }

/**
 * The authorization endpoint (OpenID Connect Core, section 3.1.2). An unknown client, an unregistered redirect URI and a tenant
 * that is not running are thrown, for a page: a redirect would lead wherever a stranger wants. Everything else goes to the app.
 */
export async function authorizeOpenId(ctx: Context, input: Authorize): Promise<Authorized> {
  const { tenantId, sent } = input
  const registered = await requireClient(ctx, input)
  const refuse = (error: OpenIdRedirectError, problem: string): Authorized => ({
    next: 'app',
    location: openIdRedirectUrl(registered, {
      error,
      description: asDescription(problem),
      state: returnableState(sent),
      issuer: issuerOf(ctx.baseUrl, tenantId),
    }),
  })

  const read = readOpenIdRequest(sent, sentOnce(sent, 'redirect_uri') ?? '')
  if (!read.ok) {
    // A library asks with prompt=none again and again, and expects this answer.
    if (read.error !== 'login_required') {
      recordRefusedParameter(ctx, tenantId, 'openid')
    }
    return refuse(read.error, read.problem)
  }

  const choices = read.provider === null ? await listLoginProviders(ctx, tenantId) : []
  if (choices.length > 1) {
    return { next: 'choose', choices }
  }

  try {
    return { next: 'provider', started: await start(ctx, input, read, choices[0]?.name) }
  } catch (error) {
    const redirected = redirectedError(error)
    if (redirected === null) {
      throw error
    }
    if (error instanceof Unavailable && !error.logged) {
      ctx.log.warn('an OpenID request found something out of reach', error)
    }
    return refuse(redirected.error, redirected.problem)
  }
}

/** The redirect URI, built from the registered callback. */
async function requireClient(ctx: Context, { tenantId, sent }: Authorize): Promise<string> {
  const { callbackUrls } = await ctx.directory.requireProvisioned(tenantId)
  if (sentOnce(sent, 'client_id') !== tenantId) {
    recordRefusedParameter(ctx, tenantId, 'client_id')
    const problem = 'Send the tenant id of this project as client_id, once.'
    throw invalidRequest('The client_id of this sign-in is not that of the project.', [
      { path: 'client_id', problem },
    ])
  }

  const redirectUri = sentOnce(sent, 'redirect_uri')
  try {
    if (redirectUri === undefined) {
      throw new ApiError('redirectUriRequired', 'This sign-in does not say where to return.')
    }
    return requireRedirectUri(callbackUrls, redirectUri)
  } catch (error) {
    recordRefusal(ctx, { tenantId, step: 'start', redirectUri }, error)
    throw error
  }
}

function start(
  ctx: Context,
  { tenantId, sent, browser, addressKey }: Authorize,
  { request, challenge, provider, invitation, prompt, loginHint, uiLocales }: ParsedRequest,
  onlyProvider: LoginChoice['name'] = 'google',
): Promise<StartedLogin> {
  const name = provider ?? onlyProvider
  if (!isProviderName(name)) {
    throw new ApiError('providerNotEnabled', 'There is no such identity provider.')
  }
  return startLogin(ctx, {
    tenantId,
    provider: name,
    redirectUri: sentOnce(sent, 'redirect_uri'),
    returnTo: undefined,
    challenge: challenge ?? NO_CHALLENGE,
    openId: request,
    invitation,
    hints: { loginHint, prompt },
    uiLocales,
    browser,
    addressKey,
  })
}

/** What the app can tell its user. Not those of a tenant that is paused or suspended, and not those of the redirect URI. */
const REDIRECTED: Partial<Record<ApiErrorCode, OpenIdRedirectError>> = {
  rateLimited: 'temporarily_unavailable',
  providerNotEnabled: 'invalid_request',
  invitationUsed: 'access_denied',
  invitationExpired: 'access_denied',
}

function redirectedError(error: unknown) {
  if (error instanceof Unavailable) {
    const problem = 'Something that this sign-in needs is out of reach. Try again in a moment.'
    return { error: 'temporarily_unavailable', problem } as const
  }
  const redirected = error instanceof ApiError ? REDIRECTED[error.code] : undefined
  return error instanceof ApiError && redirected !== undefined
    ? { error: redirected, problem: error.message }
    : null
}
