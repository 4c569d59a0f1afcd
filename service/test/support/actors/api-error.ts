import assert from 'node:assert/strict'
import { API_ERRORS, type ApiErrorCode } from '@gatehouse-auth/contract'
import type { ApiResponse } from './agent.ts'

const CHALLENGES: Partial<Record<ApiErrorCode, RegExp>> = {
  // The second form is for OAuth tokens: RFC 9728's `resource_metadata` names the authorization server.
  missingCredentials: /^Bearer (?:realm="[^"]+"|resource_metadata="[^"]+", scope="[^"]+")$/,
  invalidCredentials: /^Bearer realm="[^"]+", error="invalid_token"$/,
  invalidAccessToken:
    /^Bearer (?:realm="[^"]+", error="invalid_token"|error="invalid_token", error_description="[^"]+", resource_metadata="[^"]+", scope="[^"]+")$/,
  insufficientScope:
    /^Bearer error="insufficient_scope", error_description="[^"]+", scope="[^"]+", resource_metadata="[^"]+"$/,
  wrongKeyKind: /^Bearer realm="[^"]+", error="insufficient_scope"$/,
}

/**
 * The response is this API error, in the format that every error under /api and /edge has (decision 13). Returns its
 * details.
 */
// biome-ignore lint/suspicious/noExplicitAny: tests read fields of any details
export function assertApiError(response: ApiResponse, code: ApiErrorCode): any {
  const { status, headers, text, json } = response
  assert.equal(json?.error?.code, code, `${status} ${text}`)
  assert.equal(status, API_ERRORS[code].status, text)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('api-version'), '1')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('location'), null)

  const { details, ...rest } = json.error
  assert.deepEqual(Object.keys(json), ['error'])
  assert.deepEqual(Object.keys(rest), ['code', 'message', 'retryable', 'request_id', 'docs_url'])
  assert.match(rest.message, /^\S.{10,}[.…]$/s, 'a sentence')
  assert.equal(rest.retryable, API_ERRORS[code].retryable)
  assert.equal(rest.request_id, headers.get('x-request-id'))
  assert.ok(rest.docs_url.endsWith(`/docs/errors#${code}`), rest.docs_url)

  const challenge = headers.get('www-authenticate')
  const expected = CHALLENGES[code]
  if (expected === undefined) {
    assert.equal(challenge, null)
  } else {
    assert.match(challenge ?? '', expected)
  }
  if (status === 429 || status === 503) {
    assertRetryAfter(headers, details?.window)
  }
  return details
}

/** The paths of the fields that `invalidRequest` reports. */
export function problemPaths(response: ApiResponse): string[] {
  const { problems } = assertApiError(response, 'invalidRequest') ?? {}
  assert.ok(Array.isArray(problems) && problems.length > 0, response.text)
  for (const { problem } of problems) {
    assert.ok(problem.length > 5, response.text)
  }
  return problems.map(({ path }: { path: string }) => path)
}

/** 429 and 503 carry Retry-After, except for a lifetime limit, which never resets. */
function assertRetryAfter(headers: Headers, window: string | undefined): void {
  if (window === 'lifetime') {
    assert.equal(headers.get('retry-after'), null)
  } else {
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
}
