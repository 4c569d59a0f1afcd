import type { Surface } from '../../dependencies.ts'
import type { AnsweredRequest } from '../../router.ts'
import type { FailRequest } from '../../server/failed-request.ts'
import type { Ahead } from '../../server/server.ts'
import { refreshAhead } from './refresh.ts'
import { plainAnswers } from './response.ts'
import { verifyAhead } from './verify.ts'

/** What is answered before the framework sees it, the most frequent first. */
export function aheadOfFramework(
  surface: Surface,
  record: (request: AnsweredRequest) => void,
  fail: FailRequest,
): readonly Ahead[] {
  const send = plainAnswers(surface.ctx.baseUrl, record)
  return [verifyAhead(surface, send, fail), refreshAhead(surface, send, fail)]
}
