import { invalidRequest } from '../../domain/invalid-request.ts'

/**
 * Parses the query into an object without a prototype. Prevents parameter confusion: no parameter may be sent twice
 * (RFC 6749, section 3.1).
 */
export function readQuery(url: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URL(url).searchParams) {
    if (name in query) {
      const problem = 'Send this parameter once.'
      throw invalidRequest('A query parameter came twice.', [{ path: name, problem }])
    }
    query[name] = value
  }
  return query
}
