import assert from 'node:assert/strict'
import type { SignIn } from '../../src/domain/login/identity-provider.ts'
import { CLIENT_ID, metadata, NONCE, tokens } from '../support/faults/scripted-provider.ts'

/** A response for a URL, or a function of the request. */
export type Responses = Readonly<Record<string, unknown>>

export interface ScriptedFetch {
  readonly fetch: typeof globalThis.fetch
  /** Every request, as sent. */
  readonly sent: Request[]
}

/** A provider on the public internet, whose URLs respond with these JSON bodies. Any other URL fails the test. */
export function scriptedFetch(responses: Responses): ScriptedFetch {
  const sent: Request[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    sent.push(request)
    assert.ok(Object.hasOwn(responses, request.url), `unexpected request to ${request.url}`)
    return Response.json(responses[request.url])
  }
  return { fetch, sent }
}

/** An OpenID provider with discovery at `issuer`, whose metadata and ID token name `named` as the issuer. */
export const openIdResponses = (
  issuer: string,
  {
    named = issuer,
    claims = {},
  }: { readonly named?: string; readonly claims?: Readonly<Record<string, unknown>> },
): Responses => ({
  [`${issuer}/.well-known/openid-configuration`]: { ...metadata(issuer), issuer: named },
  [`${issuer}/token`]: tokens(issuer, claims),
})

export const CLIENT = { clientId: CLIENT_ID, clientSecret: 'client-secret' }
const STATE = 'the-state'
export const CODE_VERIFIER = 'v'.repeat(43)

/** The response of a provider at this callback. */
export const returned = (
  provider: string,
  query: Readonly<Record<string, string>> = { code: 'the-code' },
) => ({
  state: STATE,
  nonce: NONCE,
  codeVerifier: CODE_VERIFIER,
  currentUrl: new URL(
    `https://gatehouse.example/auth/${provider}/callback?${new URLSearchParams({ state: STATE, ...query })}`,
  ),
})

/** The result in one line: who was identified, or what failed. */
export function summary(result: SignIn): string {
  if (result.outcome === 'identified') {
    return `${result.profile.issuer} ${result.profile.subject} ${result.profile.email}`
  }
  return result.outcome === 'failed' ? `${result.stage}: ${result.errorCode}` : result.outcome
}
