import type { HttpDependencies } from '../../dependencies.ts'
import type { HandledRequest } from '../../router.ts'
import type { FailRequest } from '../../server/failed-request.ts'
import type { FastPath } from '../../server/server.ts'
import { refreshFastPath } from './refresh.ts'
import { fastResponseSender } from './response.ts'
import { verifyFastPath } from './verify.ts'

/** Handlers that respond without the framework, in order of request frequency. */
export function fastPaths(
  deps: HttpDependencies,
  record: (request: HandledRequest) => void,
  fail: FailRequest,
): readonly FastPath[] {
  const send = fastResponseSender(deps.ctx.baseUrl, record)
  return [verifyFastPath(deps, send, fail), refreshFastPath(deps, send, fail)]
}
