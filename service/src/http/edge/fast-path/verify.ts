import { verifyAccessToken as endpoint, type OutputOf } from '@gatehouse/contract'
import { ApiError } from '../../../domain/api-error.ts'
import type { TenantId } from '../../../domain/ids.ts'
import type { PreparedResponse, ReadToken } from '../../../domain/tokens/access-token-reader.ts'
import { Unavailable } from '../../../domain/unavailable.ts'
import { verifyAccessToken } from '../../../operations/sessions/verify-access-token.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import { requestId } from '../../request/request-id.ts'
import type { FailRequest } from '../../server/failed-request.ts'
import type { FastPath } from '../../server/server.ts'
import { readBody, tokenRequestReader } from './request.ts'
import { prepareResponse, type SendFastResponse } from './response.ts'

const plain = tokenRequestReader(endpoint)
const responseOf = (output: OutputOf<typeof endpoint>): PreparedResponse => prepareResponse(output)
const INVALID = responseOf({ valid: false })
const NO_HEADERS: readonly string[] = []

/**
 * Answers verify on the HTTP server itself, ahead of the framework: apps call it on every request they get, a thousand
 * times as often as anything else here, and the framework would be the larger part of its cost (docs/hot-path.md).
 *
 * It answers the plain case only, by the same operation and with the same headers: a token of ours. Everything else,
 * and whatever is refused, goes the ordinary way, with the body that was read already.
 */
export function verifyFastPath(
  { ctx, stallDetector }: HttpDependencies,
  send: SendFastResponse,
  fail: FailRequest,
): FastPath {
  return {
    // After a standstill revocations are caught up with first, and that takes a moment.
    matches: (req) => plain.matches(req) && !stallDetector.stalled(),

    handle(req, res, fallThrough) {
      const started = performance.now()
      readBody(
        req,
        (bytes) => {
          const body = answerTo(plain.tenantIdIn(req), bytes)
          if (body === null) fallThrough(bytes)
          else send(res, endpoint, started, { requestId: requestId(), status: 200, headers: NO_HEADERS, body })
        },
        (error) => fail(req, res, error, endpoint.path),
      )
    },
  }

  /** null: not for us to answer. */
  function answerTo(tenantId: TenantId, body: Buffer): PreparedResponse | null {
    const accessToken = plain.tokenIn(body)
    if (accessToken === undefined) return null
    try {
      const verification = verifyAccessToken(ctx, { tenantId, accessToken })
      if (verification.outcome === 'valid') return answerFor(verification.token)
      return verification.outcome === 'invalid' ? INVALID : null
    } catch (error) {
      if (error instanceof ApiError || error instanceof Unavailable) return null
      throw error
    }
  }
}

function answerFor(token: ReadToken): PreparedResponse {
  token.response ??= responseOf({ valid: true, user: token.user })
  return token.response
}
