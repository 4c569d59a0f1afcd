import { ApiError } from '../../domain/api-error.ts'

/** The query as an object without a prototype. A parameter that comes twice is refused: which one is meant? */
export function readQuery(url: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URL(url).searchParams) {
    if (name in query) {
      const problem = 'Send this parameter once.'
      throw new ApiError('invalidRequest', 'A query parameter came twice.', {
        details: { problems: [{ path: name, problem }] },
      })
    }
    query[name] = value
  }
  return query
}
