import type { FailRequest } from '../../failed-request.ts'
import type { AnsweredRequest } from '../../router.ts'
import type { Ahead } from '../../server.ts'
import type { Surface } from '../../surface.ts'
import { plainAnswers } from './plain-answer.ts'
import { refreshAhead } from './refresh.ts'
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
