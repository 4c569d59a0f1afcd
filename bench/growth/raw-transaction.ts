import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { Pool } from 'pg'
import { saltOf } from '../../service/test/support/population/population.ts'
import type { Operation } from './operations.ts'
import type { Subject } from './subject.ts'

export interface RawTransaction extends Operation {
  close(): Promise<void>
}

const CALLERS = 8
const SWAP =
  'update sessions set generation = generation + 1, rotated_at = $now where id = $id and generation = 1 and salt = $salt'
const EVENT = `insert into events (tenant_id, resource_id, event, user_id, email, metadata, created_at)
  values ($tenant, $resource, 'token_refreshed', $id, 'somebody@example.com', '{}', $now)`
const NOTICE = `insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
  values ('session', $tenant, $id, 2, $until)`

/**
 * What no refresh can do without, by hand and without the service: swap a generation, record an event, leave a notice.
 * On the same tables with the same durability, so that the growth of everything else can be told from the engine's own.
 */
export async function rawTransaction(subjects: readonly Subject[]): Promise<RawTransaction> {
  const doers = new Map<Subject, { run(): Promise<void>; close(): Promise<void> }>()
  for (const subject of subjects) doers.set(subject, await doerFor(subject))
  return {
    name: 'raw transaction',
    times: 250,
    atOnce: CALLERS,
    target: 'none',
    prepare: async (subject) => {
      const doer = doers.get(subject)
      assert.ok(doer)
      return () => doer.run()
    },
    async close() {
      for (const doer of doers.values()) await doer.close()
    },
  }
}

async function doerFor(subject: Subject): Promise<{ run(): Promise<void>; close(): Promise<void> }> {
  const { database } = subject
  if (database.engine === 'sqlite') {
    const db = new DatabaseSync(database.file, { timeout: 5_000 })
    db.exec('pragma synchronous = full')
    const [swap, event, revocation] = [SWAP, EVENT, NOTICE].map((sql) => db.prepare(sql))
    return {
      async run() {
        const { id, tenant, resource, now, until } = chosen(subject)
        db.exec('begin immediate')
        assert.equal(swap?.run({ $id: id, $salt: saltOf(id), $now: now }).changes, 1)
        event?.run({ $tenant: tenant, $resource: resource, $id: id, $now: now })
        revocation?.run({ $tenant: tenant, $id: id, $until: until })
        db.exec('commit')
      },
      close: async () => db.close(),
    }
  }
  const pool = new Pool({ connectionString: database.url, max: CALLERS })
  const text = `with swapped as (${SWAP} returning id), recorded as (${EVENT} returning id), noticed as (${NOTICE} returning id)
    select (select count(*) from swapped)::int as changes, (select count(*) from recorded), (select count(*) from noticed)`
  const numbered = ['id', 'salt', 'now', 'tenant', 'resource', 'until'].reduce(
    (sql, name, index) => sql.replaceAll(`$${name}`, `$${index + 1}`),
    text,
  )
  return {
    async run() {
      const { id, tenant, resource, now, until } = chosen(subject)
      const values = [id, saltOf(id), now, tenant, resource, until]
      const { rows } = await pool.query({ name: 'raw', text: numbered, values })
      assert.equal(rows[0].changes, 1)
    },
    close: () => pool.end(),
  }
}

function chosen(subject: Subject) {
  subject.pass()
  const { id, tenantId: tenant } = subject.session()
  const now = subject.app.ctx.now()
  return { id, tenant, resource: subject.population.tenantOf(id), now, until: now + 3_720_000 }
}
