import { verifyAccessToken as endpoint, type OutputOf } from '@gatehouse/contract'
import { ApiError, Unavailable } from '../../../domain/api-error.ts'
import type { TenantId } from '../../../domain/ids.ts'
import type { PreparedResponse, ReadToken } from '../../../domain/tokens/access-token-reader.ts'
import { verifyAccessToken } from '../../../operations/sessions/verify-access-token.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import { requestId } from '../../request/request-id.ts'
import type { FailRequest } from '../../server/failed-request.ts'
import type { FastPath } from '../../server/server.ts'
import { readBody, tokenRequestReader } from './request.ts'
import { prepareResponse, type SendFastResponse } from './response.ts'

const reader = tokenRequestReader(endpoint)
const prepareOutput = (output: OutputOf<typeof endpoint>): PreparedResponse => prepareResponse(output)
const INVALID = prepareOutput({ valid: false })
const NO_HEADERS: readonly string[] = []

/**
 * Responds to verify without the framework. Apps call verify on each of their own requests, and the framework would cost
 * more than the verification itself (docs/hot-path.md).
 *
 * It handles only a token that this service issued, with the same operation and the same headers as the route in
 * `edge/sessions.ts`. Every other request, and every API error, falls through to the framework with the body already read.
 */
export function verifyFastPath(
  { ctx, stallDetector }: HttpDependencies,
  send: SendFastResponse,
  fail: FailRequest,
): FastPath {
  return {
    // Prevents accepting a revoked token after a stall: the framework route first waits for the missed revocations.
    matches: (req) => reader.matches(req) && !stallDetector.stalled(),

    handle(req, res, fallThrough) {
      const started = performance.now()
      readBody(
        req,
        (bytes) => {
          const body = verifyResponse(reader.tenantIdIn(req), bytes)
          if (body === null) fallThrough(bytes)
          else send(res, endpoint, started, { requestId: requestId(), status: 200, headers: NO_HEADERS, body })
        },
        (error) => fail(req, res, error, endpoint.path),
      )
    },
  }

  /** null: the framework must handle the request. */
  function verifyResponse(tenantId: TenantId, body: Buffer): PreparedResponse | null {
    // What is no token is never authentic, and the framework parses the body again.
    const accessToken = reader.uncheckedTokenIn(body)
    if (accessToken === undefined) return null
    try {
      const verification = verifyAccessToken(ctx, { tenantId, accessToken })
      if (verification.outcome === 'valid') return validResponse(verification.token)
      return verification.outcome === 'invalid' ? INVALID : null
    } catch (error) {
      if (error instanceof ApiError || error instanceof Unavailable) return null
      throw error
    }
  }
}

function validResponse(token: ReadToken): PreparedResponse {
  token.response ??= prepareOutput({ valid: true, user: token.user })
  return token.response
}
