import { Unavailable } from '../../domain/api-error.ts'

/** `gatehouse move` copies this database, so no process may serve it. */
export class MoveInProgress extends Unavailable {
  constructor() {
    super('"gatehouse move" is using this PostgreSQL database. Wait until it has ended.')
  }
}

interface Connection {
  query(text: string): Promise<{ readonly rows: Record<string, unknown>[] }>
}

/** Any constant, and the schema: another installation in the same database has another lock. */
const LOCK = '20261116, hashtext(current_schema())'

/** Held by every process that serves the database, on its listening connection. */
export async function shareServiceLock(connection: Connection): Promise<void> {
  const { rows } = await connection.query(`select pg_try_advisory_lock_shared(${LOCK}) as held`)
  if (rows[0]?.held !== true) {
    throw new MoveInProgress()
  }
}

/** For a move. false: a process serves the database. */
export async function takeServiceLock(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query(`select pg_try_advisory_lock(${LOCK}) as held`)
  return rows[0]?.held === true
}

/** `gatehouse move` has copied this database to SQLite. */
export class DatabaseMoved extends Error {}

/** Two databases must not serve one installation: each would accept what was revoked in the other. */
export async function rejectMoved(connection: Connection): Promise<void> {
  const { rows } = await connection.query('select at_ms from moved')
  const [mark] = rows as { at_ms: number }[]
  if (mark === undefined) {
    return
  }
  throw new DatabaseMoved(
    `the PostgreSQL database of DATABASE_URL was moved to SQLite on ${new Date(mark.at_ms).toISOString()}. Unset DATABASE_URL to serve the SQLite file in DATA_DIR. To serve this database again, without what has changed since, delete the row of its table "moved".`,
  )
}
