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
  if (rows[0]?.held !== true) throw new MoveInProgress()
}

/** For a move. false: a process serves the database. */
export async function takeServiceLock(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query(`select pg_try_advisory_lock(${LOCK}) as held`)
  return rows[0]?.held === true
}
