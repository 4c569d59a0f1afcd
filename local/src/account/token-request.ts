import { z } from 'zod'
import { type ApiResponse, request, unreachable } from '../api/request.ts'
import { formatDuration } from '../duration.ts'
import { commandLine } from '../invocation.ts'
import { parseJson } from '../json.ts'
import { nextStep, Problem } from '../problem.ts'
import { singleLine } from '../redact.ts'
import type { Tokens } from './account-file.ts'

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
  if (response.status !== 200) throw oauthError(service, response)
  const issued = TokenResponse.safeParse(parseJson(response.text))
  if (!issued.success) throw signInNeeded(service, 'The token response of the service is not valid.')
  const { access_token, refresh_token, expires_in, principal_type = 'account' } = issued.data
  if (principal_type !== 'account') throw signInNeeded(service, 'The sign-in was for a guest, not for an account.')
  return { access_token, refresh_token, expires_at_ms: Date.now() + expires_in * 1_000 }
}

/** Converts an OAuth error response (RFC 6749, section 5.2). */
export function oauthError(service: string, { status, headers, text }: ApiResponse): Problem {
  const { error = '', error_description: description = '' } = (parseJson(text) ?? {}) as Record<string, unknown>
  const after = Number(headers.get('retry-after') ?? 60)
  if (status === 429) {
    const next = nextStep(`Try again in ${formatDuration(after)}.`)
    return new Problem('rateLimited', 'Too many sign-ins from this network.', next, {
      retryAfterSeconds: after,
    })
  }
  if (status >= 500) return unreachable(service, `its token endpoint responds with status ${status}`)
  if (error === 'invalid_grant' || error === 'invalid_client') return signInNeeded(service, 'Your sign-in has ended.')
  const reason = singleLine(String(description || error || `status ${status}`))
  return signInNeeded(service, `The service rejected the sign-in: ${reason}`)
}

export const signInNeeded = (service: string, message: string): Problem =>
  new Problem('signInNeeded', message, {
    cli: `Sign in again: ${commandLine(`init --account --service ${service}`)}. Or sign out to create guest tenants: ${commandLine('sign-out')}`,
    agent: `Ask the user to sign in again (${commandLine(`init --account --service ${service}`)}) or to sign out and create a guest tenant (${commandLine('sign-out')}).`,
  })
