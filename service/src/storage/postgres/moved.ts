interface Connection {
  query(text: string): Promise<{ readonly rows: Record<string, unknown>[] }>
}

/** `gatehouse move` has copied this database to SQLite. */
export class DatabaseMoved extends Error {}

/** Two databases must not serve one installation: each would accept what was revoked in the other. */
export async function rejectMoved(connection: Connection): Promise<void> {
  const { rows } = await connection.query('select at_ms from moved')
  const [mark] = rows as { at_ms: number }[]
  if (mark === undefined) return
  throw new DatabaseMoved(
    `the PostgreSQL database of DATABASE_URL was moved to SQLite on ${new Date(mark.at_ms).toISOString()}. Unset DATABASE_URL to serve the SQLite file in DATA_DIR. To serve this database again, without what has changed since, delete the row of its table "moved".`,
  )
}
