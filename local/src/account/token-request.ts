import { z } from 'zod'
import { type ApiResponse, notGatehouse, request, unreachable } from '../api/request.ts'
import { LockHeldError, withLock } from '../credentials/lock.ts'
import { formatDuration } from '../duration.ts'
import { commandLine } from '../invocation.ts'
import { parseJson } from '../json.ts'
import { nextStep, Problem, singleLine } from '../problem.ts'
import {
  type Account,
  accountPath,
  makeAccountFolder,
  readAccount,
  type Tokens,
  writeAccount,
} from './account-file.ts'

const TokenResponse = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().positive(),
  principal_type: z.string().optional(),
})

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

export function postForm(
  service: string,
  endpoint: string,
  fields: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
  const body = new URLSearchParams(fields).toString()
  return request(service, 'POST', endpoint, { headers: FORM, body, mustFinish: true })
}

/** Exchanges an authorization code or a refresh token for a token pair. */
export async function requestTokens(
  service: string,
  endpoint: string,
  fields: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const response = await postForm(service, endpoint, { ...fields, resource: `${service}/mcp` })
  if (response.status !== 200) {
    throw oauthError(service, response)
  }
  const issued = TokenResponse.safeParse(parseJson(response.text))
  if (!issued.success) {
    throw signInNeeded(service, 'The token response of the service is not valid.')
  }
  const { access_token, refresh_token, expires_in, principal_type = 'account' } = issued.data
  if (principal_type !== 'account') {
    throw signInNeeded(service, 'The sign-in was for a guest, not for an account.')
  }
  return { access_token, refresh_token, expires_at_ms: Date.now() + expires_in * 1_000 }
}

/** Converts an OAuth error response (RFC 6749, section 5.2). */
export function oauthError(service: string, { status, headers, text }: ApiResponse): Problem {
  const { error = '', error_description: description = '' } = (parseJson(text) ?? {}) as Record<
    string,
    unknown
  >
  const after = Number(headers.get('retry-after') ?? 60)
  if (status === 429) {
    const next = nextStep(`Try again in ${formatDuration(after)}.`)
    return new Problem('rateLimited', 'Too many sign-ins from this network.', next, {
      retryAfterSeconds: after,
    })
  }
  if (status >= 500) {
    return unreachable(service, `its token endpoint responds with status ${status}`)
  }
  if (error === 'invalid_grant' || error === 'invalid_client') {
    return signInNeeded(service, 'Your sign-in has ended.')
  }
  const reason = singleLine(String(description || error || `status ${status}`))
  return signInNeeded(service, `The service rejected the sign-in: ${reason}`)
}

export const signInNeeded = (service: string, message: string): Problem =>
  new Problem('signInNeeded', message, {
    cli: `Sign in again: ${commandLine(`init --account --service ${service}`)}. Or sign out to create guest tenants: ${commandLine('sign-out')}`,
    agent: `Ask the user to sign in again (${commandLine(`init --account --service ${service}`)}) or to sign out and create a guest tenant (${commandLine('sign-out')}).`,
  })

/** Refreshed this long before expiry, so that the token is still valid when the request arrives. */
const REFRESH_EARLY_MS = 60_000
const LOCK_WAIT_MS = 30_000

/**
 * The access token of the account that is signed in on this machine, or null if none is. An ended sign-in throws a
 * Problem: falling back to a guest would create a tenant without its owner. `rejected`: a token that the service rejected.
 */
export async function accountToken(service: string, rejected?: string): Promise<string | null> {
  const account = await readAccount(service)
  if (account === null || account.tokens === null) {
    return null
  }
  if (isUsable(account.tokens, rejected)) {
    return account.tokens.access_token
  }

  // The service revokes the sign-in when a refresh token is used twice, so processes on this machine take a lock.
  return withAccountLock(service, async () => {
    const latest = await readAccount(service)
    if (latest === null || latest.tokens === null) {
      throw signInNeeded(service, 'Your sign-in has ended.')
    }
    const tokens = isUsable(latest.tokens, rejected)
      ? latest.tokens
      : await refresh(service, latest, latest.tokens)
    return tokens.access_token
  })
}

export async function withAccountLock<T>(service: string, work: () => Promise<T>): Promise<T> {
  const file = accountPath(service)
  try {
    await makeAccountFolder(service)
    return await withLock(`${file}.lock`, LOCK_WAIT_MS, work)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (
      error instanceof LockHeldError ||
      code === 'EACCES' ||
      code === 'EROFS' ||
      code === 'ENOSPC'
    ) {
      const reason = error instanceof LockHeldError ? 'another program has locked it' : code
      const next = nextStep(
        'Make the folder writable, or set XDG_CONFIG_HOME to another folder. Then try again.',
      )
      throw new Problem(
        'notWritable',
        `Your sign-in cannot be stored in ${file}: ${reason}.`,
        next,
        { cause: error },
      )
    }
    throw error
  }
}

const isUsable = ({ access_token, expires_at_ms }: Tokens, rejected: string | undefined): boolean =>
  access_token !== rejected && expires_at_ms - Date.now() > REFRESH_EARLY_MS

async function refresh(
  service: string,
  account: Account,
  { refresh_token }: Tokens,
): Promise<Tokens> {
  const { token_endpoint } = await authorizationServer(service)
  const fields = { grant_type: 'refresh_token', refresh_token, client_id: account.client_id }
  const tokens = await requestTokens(service, token_endpoint, fields)
  await writeAccount({ ...account, tokens })
  return tokens
}

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  registration_endpoint: z.url(),
  revocation_endpoint: z.url(),
  code_challenge_methods_supported: z.array(z.string()),
})

/** Authorization server metadata (RFC 8414). */
export type AuthorizationServer = z.infer<typeof Metadata>

export async function authorizationServer(service: string): Promise<AuthorizationServer> {
  const response = await request(service, 'GET', '/.well-known/oauth-authorization-server')
  const read = Metadata.safeParse(parseJson(response.text))
  if (!read.success) {
    throw notGatehouse(service, response.status)
  }
  const metadata = read.data
  // A mismatched issuer enables impersonation of the authorization server (RFC 8414, section 3.3).
  if (metadata.issuer !== service) {
    const issuer = singleLine(metadata.issuer).slice(0, 200)
    throw new Problem(
      'serviceUrlInvalid',
      `The issuer of the service at ${service} is ${issuer}.`,
      nextStep(`If you trust that address, use it: --service ${issuer}`),
    )
  }
  const endpoints = Object.entries(metadata).flatMap(([name, value]) =>
    name.endsWith('_endpoint') ? [value] : [],
  )
  if (!endpoints.every((endpoint) => new URL(String(endpoint)).origin === service)) {
    throw notGatehouse(service, 200)
  }
  if (!metadata.code_challenge_methods_supported.includes('S256')) {
    throw notGatehouse(service, 200)
  }
  return metadata
}
