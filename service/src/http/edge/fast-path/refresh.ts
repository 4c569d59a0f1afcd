import { refreshSession as endpoint, HEADERS, type OutputOf } from '@gatehouse/contract'
import type { TenantId } from '../../../domain/ids.ts'
import { refreshSession } from '../../../operations/sessions/refresh-session.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import { rateHeadersAt } from '../../headers.ts'
import { problemBody, problemOf } from '../../problem.ts'
import { requestId } from '../../request/request-id.ts'
import type { FailRequest } from '../../server/failed-request.ts'
import type { FastPath } from '../../server/server.ts'
import { readIdempotencyKey } from '../idempotency-key.ts'
import { readBody, tokenRequestReader } from './request.ts'
import { type FastResponse, prepareResponse, type SendFastResponse } from './response.ts'

const reader = tokenRequestReader(endpoint)

/**
 * Responds to refresh without the framework. Errors are answered here too: falling through would consume the refresh token
 * twice.
 */
export function refreshFastPath({ ctx }: HttpDependencies, send: SendFastResponse, fail: FailRequest): FastPath {
  return {
    matches: reader.matches,

    handle(req, res, fallThrough) {
      const started = performance.now()
      const failed = (error: unknown): void => fail(req, res, error, endpoint.path)
      readBody(
        req,
        (bytes) => {
          const refreshToken = reader.tokenIn(bytes)
          if (refreshToken === undefined) return fallThrough(bytes)
          const key = req.headers[HEADERS.idempotencyKey.toLowerCase()]
          refreshResponse(reader.tenantIdIn(req), refreshToken, key as string | undefined)
            .then((response) => send(res, endpoint, started, response))
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
      const output: OutputOf<typeof endpoint> = { access_token: pair.accessToken, refresh_token: pair.refreshToken }
      return {
        requestId: id,
        status: 200,
        headers: flat(rateHeadersAt(rate, ctx.now())),
        body: prepareResponse(output),
      }
    } catch (error) {
      const problem = problemOf(error)
      if (problem.mustLog) ctx.log.error(`${id} ${endpoint.path}: ${problem.code}`, error)
      const body = prepareResponse(problemBody(problem, id, ctx.baseUrl))
      return { requestId: id, status: problem.status, headers: flat(problem.headers), body }
    }
  }
}

const flat = (headers: Readonly<Record<string, string>>): string[] => Object.entries(headers).flat()
