import { APPROVALS_PER_MINUTE_PER_ADDRESS } from '@gatehouse-auth/contract'
import type { Client } from '../../domain/oauth/client.ts'
import {
  APPROVAL_LIFETIME_MS,
  type Approval,
  onlyResource,
  readResource,
  readScopeRequest,
} from '../../domain/oauth/grant.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import {
  appendParameters,
  isLoopbackRedirect,
  matchesRedirect,
} from '../../domain/oauth/redirect-uri.ts'
import { is256Bits, mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { type AddressLimit, limitByAddress } from '../limits/limit-requests.ts'
import { findClient } from './clients.ts'

/** The parameters of an authorization request. Each occurs at most once. */
type AuthorizationRequest = Readonly<Record<string, string | undefined>>

interface StartAuthorization {
  readonly request: AuthorizationRequest
  readonly browser: string | null
  readonly addressKey: string
}

type StartedAuthorization =
  /** The request is valid: show the consent page. */
  | { readonly next: 'consent'; readonly approvalId: string; readonly browser: string }
  /** The request is invalid: redirect to the client's loopback address with the error. */
  | { readonly next: 'client'; readonly location: string }

const APPROVAL_LIMIT: AddressLimit = {
  scope: 'approvals',
  perMinute: APPROVALS_PER_MINUTE_PER_ADDRESS,
  action: 'ask for approvals',
}

/**
 * Checks an authorization request. Prevents an open redirect: no user has seen this client yet, and every client registered
 * itself, so an error throws and is shown here; only an address of the user's own machine gets it (RFC 9700, section 4.11.2).
 * Every request needs a new decision, even if the same client was approved before.
 */
export async function startAuthorization(
  ctx: Context,
  input: StartAuthorization,
): Promise<StartedAuthorization> {
  const { request } = input
  const client = await findClient(ctx, request.client_id, input.addressKey)
  const redirectUri = requireRedirect(client, request.redirect_uri)
  const now = ctx.now()
  const browser = input.browser ?? mintSecret('', ctx.random)
  try {
    const approval: Approval = {
      ...readRequest(ctx.baseUrl, request),
      clientId: client.id,
      clientName: client.name,
      redirectUri,
      browserHash: ctx.keyring.hash('browser', browser),
      createdAt: now,
      expiresAt: now + APPROVAL_LIFETIME_MS,
      decision: null,
      decidedAt: null,
    }
    const approvalId = mintSecret('', ctx.random)
    await ctx.stores.transaction(async (stores) => {
      await limitByAddress(ctx, stores, APPROVAL_LIMIT, input.addressKey, now)
      await stores.oauthApprovals.add(ctx.keyring.hash('oauth-approval', approvalId), approval)
    })
    return { next: 'consent', approvalId, browser }
  } catch (error) {
    if (!(error instanceof OAuthError) || !isLoopbackRedirect(redirectUri)) {
      throw error
    }
    const response = {
      error: error.error,
      error_description: error.message,
      state: stateOf(request),
      iss: ctx.baseUrl,
    }
    return { next: 'client', location: appendParameters(redirectUri, response) }
  }
}

function requireRedirect(client: Client, requested: string | undefined): string {
  if (requested === undefined) {
    throw new OAuthError('invalid_request', 'The redirect_uri is missing.')
  }
  if (!matchesRedirect(client.redirectUris, requested)) {
    throw new OAuthError(
      'invalid_request',
      'The redirect_uri is none of those that this client registered. They are compared byte for byte.',
    )
  }
  return requested
}

function readRequest(
  baseUrl: string,
  request: AuthorizationRequest,
): Pick<Approval, 'state' | 'challenge' | 'scopes' | 'resource' | 'accountRequired'> {
  if (request.response_type === undefined) {
    throw new OAuthError('invalid_request', 'The response_type is missing.')
  }
  if (request.response_type !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The only response_type here is code.')
  }
  if (request.response_mode !== undefined && request.response_mode !== 'query') {
    throw new OAuthError('invalid_request', 'The only response_mode here is query.')
  }

  const { code_challenge: challenge } = request
  if (
    challenge === undefined ||
    request.code_challenge_method !== 'S256' ||
    !is256Bits(challenge)
  ) {
    throw new OAuthError(
      'invalid_request',
      'PKCE is required: a code_challenge with code_challenge_method S256.',
    )
  }

  const state = stateOf(request)
  if (request.state !== undefined && state === null) {
    throw new OAuthError(
      'invalid_request',
      'The state may have visible ASCII characters and spaces only.',
    )
  }

  const resource = readResource(baseUrl, request.resource)
  if (resource === null) {
    throw new OAuthError('invalid_target', onlyResource(baseUrl))
  }

  const scopes = readScopeRequest(request.scope)
  if (scopes === null) {
    throw new OAuthError('invalid_scope', 'None of the requested scopes exists here.')
  }
  return {
    state,
    challenge,
    scopes,
    resource,
    accountRequired: request.account_required === 'true',
  }
}

/** RFC 6749, appendix A.5. */
const STATE = /^[\x20-\x7e]*$/

const stateOf = ({ state }: AuthorizationRequest): string | null =>
  state !== undefined && STATE.test(state) ? state : null
