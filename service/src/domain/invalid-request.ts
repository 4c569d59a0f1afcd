import { ApiError } from './api-error.ts'

export interface InputProblem {
  /** Such as `callback_urls[2]`; empty for the whole body. */
  readonly path: string
  readonly problem: string
}

const PROBLEMS_MAX = 20
const PROBLEMS_MAX_BYTES = 8 * 1_024
const PATH_MAX_CHARACTERS = 200

/** The error for an invalid request, with the path of each problem. */
export function invalidRequest(message: string, problems: readonly InputProblem[]): ApiError {
  const listed = listedProblems(problems)
  const rest =
    listed.length === problems.length ? '' : ` The first ${listed.length} of ${problems.length} problems are listed.`
  return new ApiError('invalidRequest', message + rest, { details: { problems: listed } })
}

/** Prevents amplification: of a small request with thousands of problems, 20 are listed, in at most 8 KB. */
export function listedProblems(problems: readonly InputProblem[]): readonly InputProblem[] {
  const listed: InputProblem[] = []
  let bytes = '[]'.length
  for (const { path, problem } of problems.slice(0, PROBLEMS_MAX)) {
    const next = { path: path.slice(0, PATH_MAX_CHARACTERS), problem }
    bytes += Buffer.byteLength(JSON.stringify(next)) + ','.length
    if (bytes > PROBLEMS_MAX_BYTES) break
    listed.push(next)
  }
  return listed
}
