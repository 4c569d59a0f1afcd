import type { QueryResult } from 'pg'

/**
 * Moves the rows of a result into a new object. Rows that pg's own objects still refer to survive V8's young collections:
 * a long list, read in pages, stayed in memory for the most part and took twice the time (docs/hot-path.md).
 */
export function detachRows<R extends object>(
  result: QueryResult<R>,
): Pick<QueryResult<R>, 'command' | 'rowCount' | 'rows'> {
  const { command, rowCount, rows } = result
  result.rows = []
  return { command, rowCount, rows }
}
