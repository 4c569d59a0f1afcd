import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { Pool } from 'pg'
import { saltOf } from '../../service/test/support/population/population.ts'
import type { Operation } from './operations.ts'
import type { SizedService } from './sized-service.ts'

export interface RawTransaction extends Operation {
  close(): Promise<void>
}

const CONCURRENCY = 8
const ROTATION =
  'update sessions set generation = generation + 1, rotated_at = $now where id = $id and generation = 1 and salt = $salt'
const EVENT = `insert into events (id, tenant_id, resource_id, event, user_id, email, metadata, created_at)
  values ($event, $tenant, $resource, 'token_refreshed', $id, 'user@example.com', '{}', $now)`
const REVOCATION = `insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
  values ('session', $tenant, $id, 2, $until)`

/**
 * The minimal writes of a refresh without the service: rotate the session, insert an event and a revocation. On the same
 * tables with the same durability, to separate the engine's growth from the service's.
 */
export async function rawTransaction(services: readonly SizedService[]): Promise<RawTransaction> {
  const runners = new Map<SizedService, { run(): Promise<void>; close(): Promise<void> }>()
  for (const service of services) runners.set(service, await runnerFor(service))
  return {
    name: 'raw transaction',
    times: 250,
    concurrency: CONCURRENCY,
    target: 'none',
    prepare: async (service) => {
      const runner = runners.get(service)
      assert.ok(runner)
      return () => runner.run()
    },
    async close() {
      for (const runner of runners.values()) await runner.close()
    },
  }
}

async function runnerFor(service: SizedService): Promise<{ run(): Promise<void>; close(): Promise<void> }> {
  const { database } = service
  if (database.engine === 'sqlite') {
    const db = new DatabaseSync(database.file, { timeout: 5_000 })
    db.exec('pragma synchronous = full')
    const [rotation, event, revocation] = [ROTATION, EVENT, REVOCATION].map((sql) => db.prepare(sql))
    return {
      async run() {
        const { id, tenant, resource, now, until, event: eventId } = nextSession(service)
        db.exec('begin immediate')
        assert.equal(rotation?.run({ $id: id, $salt: saltOf(id), $now: now }).changes, 1)
        event?.run({ $event: eventId, $tenant: tenant, $resource: resource, $id: id, $now: now })
        revocation?.run({ $tenant: tenant, $id: id, $until: until })
        db.exec('commit')
      },
      close: async () => db.close(),
    }
  }
  const pool = new Pool({ connectionString: database.url, max: CONCURRENCY })
  const text = `with rotated as (${ROTATION} returning id), recorded as (${EVENT} returning id), revoked as (${REVOCATION} returning id)
    select (select count(*) from rotated)::int as changes, (select count(*) from recorded), (select count(*) from revoked)`
  const numbered = ['id', 'salt', 'now', 'tenant', 'resource', 'until', 'event'].reduce(
    (sql, name, index) => sql.replaceAll(`$${name}`, `$${index + 1}`),
    text,
  )
  return {
    async run() {
      const { id, tenant, resource, now, until, event } = nextSession(service)
      const values = [id, saltOf(id), now, tenant, resource, until, event]
      const { rows } = await pool.query({ name: 'raw', text: numbered, values })
      assert.equal(rows[0].changes, 1)
    },
    close: () => pool.end(),
  }
}

/** Far above the ids of the population. */
let nextEventId = 1_000_000_000

function nextSession(service: SizedService) {
  service.advanceClock()
  const { id, tenantId: tenant } = service.session()
  const now = service.app.ctx.now()
  return { id, tenant, resource: service.population.tenantOf(id), now, until: now + 3_720_000, event: nextEventId++ }
}
