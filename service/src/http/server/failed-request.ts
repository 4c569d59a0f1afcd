import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../../operations/context.ts'
import type { HandledRequest } from '../dependencies.ts'
import { API_HEADERS, baseHeaderList, sendJson } from '../headers.ts'
import { problemBody, problemOf } from '../problem.ts'
import { requestId } from '../request/request-id.ts'

/** Responds 500 to a request whose handler threw outside the framework. */
export type FailRequest = (
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  route?: string,
) => void

/**
 * An exception in a stream listener or a timer reaches no error handler, and its request would get no response. The fast
 * path catches its own exceptions; for all others, this finds the request whose async context threw.
 */
const currentRequest = new AsyncLocalStorage<{
  readonly req: IncomingMessage
  readonly res: ServerResponse
}>()

export const runInRequestContext = (
  req: IncomingMessage,
  res: ServerResponse,
  work: () => void,
): void => currentRequest.run({ req, res }, work)

/** false: the error was not thrown in the context of a request. */
export function failCurrentRequest(fail: FailRequest, error: unknown): boolean {
  const request = currentRequest.getStore()
  if (request === undefined) {
    return false
  }
  fail(request.req, request.res, error)
  return true
}

export function failedRequestHandler(
  baseUrl: string,
  log: Log,
  record: (request: HandledRequest) => void,
): FailRequest {
  const headers = [...baseHeaderList(baseUrl), ...API_HEADERS].flat()
  return (req, res, error, route = '(none)') => {
    const id = requestId()
    const problem = problemOf(new Error('uncaught', { cause: error }))
    log.error(`${id} ${route}: uncaught error`, error)
    record({
      requestId: id,
      method: req.method ?? '',
      route,
      status: problem.status,
      ms: 0,
      ownedTenantId: undefined,
    })
    // A response that has begun cannot become another; closing the connection tells the client that it is incomplete.
    if (res.headersSent) {
      return void res.destroy()
    }
    sendJson(res, problem.status, id, problemBody(problem, id, baseUrl), headers)
  }
}
