import {
  HEADERS,
  type OutputOf,
  type refreshSession as R,
  type verifyAccessToken as V,
} from '@gatehouse-auth/contract'
import { ApiError, Unavailable } from '../../../domain/api-error.ts'
import type { TenantId } from '../../../domain/ids.ts'
import type { ReadToken } from '../../../domain/tokens/access-token-reader.ts'
import { refreshSession } from '../../../operations/sessions/refresh-session.ts'
import { verifyAccessToken } from '../../../operations/sessions/verify-access-token.ts'
import type { HandledRequest, HttpDependencies } from '../../dependencies.ts'
import { rateHeadersAt } from '../../headers.ts'
import { problemBody, problemOf } from '../../problem.ts'
import { readIdempotencyKey } from '../../request/idempotency-key.ts'
import { requestId } from '../../request/request-id.ts'
import type { FailRequest } from '../../server/failed-request.ts'
import type { FastPath } from '../../server/server.ts'
import {
  type FastResponse,
  fastResponseSender,
  type PreparedResponse,
  prepareResponse,
  readBody,
  type SendFastResponse,
  type TokenEndpoint,
  tokenRequestReader,
} from './request-and-response.ts'

/** Handlers that respond without the framework, in order of request frequency. */
export function fastPaths(
  deps: HttpDependencies,
  record: (request: HandledRequest) => void,
  fail: FailRequest,
): readonly FastPath[] {
  const send = fastResponseSender(deps.ctx.baseUrl, record)
  return [verifyFastPath(deps, send, fail), refreshFastPath(deps, send, fail)]
}

/** Not from the contract, whose schemas a start doesn't load; a test compares them. */
export const VERIFY: TokenEndpoint = {
  method: 'POST',
  path: '/edge/auth/:tenantId/verify',
  field: 'access_token',
}

const verifyReader = tokenRequestReader(VERIFY)
const prepareOutput = (output: OutputOf<typeof V>): PreparedResponse => prepareResponse(output)
const INVALID = prepareOutput({ valid: false })
const NO_HEADERS: readonly string[] = []

/**
 * Responds to verify without the framework. Apps call verify on each of their own requests, and the framework would cost
 * more than the verification itself (docs/hot-path.md).
 *
 * It handles only a token that this service issued, with the same operation and the same headers as the route in
 * `edge/sessions.ts`. Every other request, and every API error, falls through to the framework with the body already read.
 */
function verifyFastPath(
  { ctx, stallDetector }: HttpDependencies,
  send: SendFastResponse,
  fail: FailRequest,
): FastPath {
  return {
    // Prevents accepting a revoked token after a stall: the framework route first waits for the missed revocations.
    matches: (req) => verifyReader.matches(req) && !stallDetector.stalled(),

    handle(req, res, fallThrough) {
      const started = performance.now()
      readBody(
        req,
        (bytes) => {
          const body = verifyResponse(verifyReader.tenantIdIn(req), bytes)
          if (body === null) {
            fallThrough(bytes)
          } else {
            send(res, VERIFY, started, {
              requestId: requestId(),
              status: 200,
              headers: NO_HEADERS,
              body,
            })
          }
        },
        (error) => fail(req, res, error, VERIFY.path),
      )
    },
  }

  /** null: the framework must handle the request. */
  function verifyResponse(tenantId: TenantId, body: Buffer): PreparedResponse | null {
    // What is no token is never authentic, and the framework parses the body again.
    const accessToken = verifyReader.uncheckedTokenIn(body)
    if (accessToken === undefined) {
      return null
    }
    try {
      const verification = verifyAccessToken(ctx, { tenantId, accessToken })
      if (verification.outcome === 'valid') {
        return validResponse(verification.token)
      }
      return verification.outcome === 'invalid' ? INVALID : null
    } catch (error) {
      if (error instanceof ApiError || error instanceof Unavailable) {
        return null
      }
      throw error
    }
  }
}

/** By the cached token: serialized once. */
const responses = new WeakMap<ReadToken, PreparedResponse>()

function validResponse(token: ReadToken): PreparedResponse {
  const known = responses.get(token)
  if (known !== undefined) {
    return known
  }
  const response = prepareOutput({ valid: true, user: token.user })
  responses.set(token, response)
  return response
}

export const REFRESH: TokenEndpoint = {
  method: 'POST',
  path: '/edge/auth/:tenantId/refresh',
  field: 'refresh_token',
}

const refreshReader = tokenRequestReader(REFRESH)

/** Responds to refresh without the framework, errors too: falling through would consume the token twice. */
function refreshFastPath(
  { ctx }: HttpDependencies,
  send: SendFastResponse,
  fail: FailRequest,
): FastPath {
  return {
    matches: refreshReader.matches,

    handle(req, res, fallThrough) {
      const started = performance.now()
      const failed = (error: unknown): void => fail(req, res, error, REFRESH.path)
      readBody(
        req,
        (bytes) => {
          const refreshToken = refreshReader.tokenIn(bytes)
          if (refreshToken === undefined) {
            return fallThrough(bytes)
          }
          const key = req.headers[HEADERS.idempotencyKey.toLowerCase()]
          refreshResponse(refreshReader.tenantIdIn(req), refreshToken, key as string | undefined)
            .then((response) => send(res, REFRESH, started, response))
            .catch(failed)
        },
        failed,
      )
    },
  }

  async function refreshResponse(
    tenantId: TenantId,
    refreshToken: string,
    key: string | undefined,
  ): Promise<FastResponse> {
    const id = requestId()
    try {
      const idempotencyKey = readIdempotencyKey(key)
      const { pair, rate } = await refreshSession(ctx, { tenantId, refreshToken, idempotencyKey })
      const output: OutputOf<typeof R> = {
        access_token: pair.accessToken,
        refresh_token: pair.refreshToken,
      }
      return {
        requestId: id,
        status: 200,
        headers: flat(rateHeadersAt(rate, ctx.now())),
        body: prepareResponse(output),
      }
    } catch (error) {
      const problem = problemOf(error)
      if (problem.mustLog) {
        ctx.log.error(`${id} ${REFRESH.path}: ${problem.code}`, error)
      }
      const body = prepareResponse(problemBody(problem, id, ctx.baseUrl))
      return { requestId: id, status: problem.status, headers: flat(problem.headers), body }
    }
  }
}

const flat = (headers: Readonly<Record<string, string>>): string[] => Object.entries(headers).flat()
