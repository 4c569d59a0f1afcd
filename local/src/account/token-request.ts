import { z } from 'zod'
import { type ApiResponse, request, unreachable } from '../api/request.ts'
import { inWords } from '../duration.ts'
import { jsonIn } from '../json.ts'
import { either, Problem } from '../problem.ts'
import { oneLine } from '../safe-text.ts'
import type { Tokens } from './account-file.ts'

const Issued = z.object({
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
  return request(service, 'POST', endpoint, { headers: FORM, body: new URLSearchParams(fields).toString() })
}

/** A code or a refresh token → a pair. */
export async function requestTokens(
  service: string,
  endpoint: string,
  fields: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const response = await postForm(service, endpoint, { ...fields, resource: `${service}/mcp` })
  if (response.status !== 200) throw oauthError(service, response)
  const issued = Issued.safeParse(jsonIn(response.text))
  if (!issued.success) throw signInNeeded(service, 'The service answered the sign-in with something unexpected.')
  const { access_token, refresh_token, expires_in, principal_type = 'account' } = issued.data
  if (principal_type !== 'account') throw signInNeeded(service, 'The sign-in was for a guest, not for an account.')
  return { access_token, refresh_token, expires_at_ms: Date.now() + expires_in * 1_000 }
}

/** What OAuth endpoints refuse, in their own shape (RFC 6749, section 5.2). */
export function oauthError(service: string, { status, headers, text }: ApiResponse): Problem {
  const { error = '', error_description: description = '' } = (jsonIn(text) ?? {}) as Record<string, unknown>
  const after = Number(headers.get('retry-after') ?? 60)
  if (status === 429) {
    const next = either(`Try again in ${inWords(after)}.`)
    return new Problem('rateLimited', 'Too many sign-ins from this network just now.', next, {
      retryAfterSeconds: after,
    })
  }
  if (status >= 500) return unreachable(service, `signing in is not possible right now (${status})`)
  if (error === 'invalid_grant' || error === 'invalid_client') return signInNeeded(service, 'Your sign-in has ended.')
  const said = oneLine(String(description || error || `status ${status}`))
  return signInNeeded(service, `The service refused the sign-in: ${said}`)
}

export const signInNeeded = (service: string, message: string): Problem =>
  new Problem('signInNeeded', message, {
    cli: `Sign in again: gatehouse-local init --account --service ${service}. Or go on as a guest: gatehouse-local sign-out`,
    agent: `Ask the user to sign in again (npx @gatehouse/local init --account --service ${service}) or to go on as a guest (npx @gatehouse/local sign-out).`,
  })
