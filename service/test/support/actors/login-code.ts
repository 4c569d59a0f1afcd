import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { ApiResponse, Tenant } from './agent.ts'
import type { Browser } from './browser.ts'

export interface CodeLogin {
  readonly code: string
  readonly verifier: string
  readonly callbackUrl: URL
}

export const newVerifier = (): string => randomBytes(32).toString('base64url')

/** The query of a login that ends with a one-time code. */
export const codeQuery = (verifier: string): string =>
  `?response_type=code&code_challenge_method=S256&code_challenge=${challengeOf(verifier)}`

export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

/** Completes a login up to the callback. */
export async function signInForCode(
  tenant: Tenant,
  browser: Browser,
  user = 'Ada Lovelace',
  query = '',
): Promise<CodeLogin> {
  const verifier = newVerifier()
  await browser.open(tenant.loginUrl + codeQuery(verifier) + query)
  await browser.press(user)
  const callbackUrl = await browser.press('Continue')
  const code = callbackUrl.searchParams.get('code')
  assert.ok(code !== null, `no code: ${browser.page.status} ${callbackUrl.origin}`)
  return { code, verifier, callbackUrl }
}

export const exchange = (
  tenant: Tenant,
  { code, verifier }: Pick<CodeLogin, 'code' | 'verifier'>,
  idempotencyKey?: string,
): Promise<ApiResponse> =>
  tenant.edge(
    'token',
    { code, code_verifier: verifier },
    idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
  )
