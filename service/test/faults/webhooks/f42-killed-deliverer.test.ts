import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SQLITE_FILE } from '../../../src/storage/database-location.ts'
import type { Tenant } from '../../support/actors/agent.ts'
import { addWebhook, webhookOf } from '../../support/actors/webhooks.ts'
import { figure, fullOrShort } from '../../support/faults/figures.ts'
import { databaseFor, ENGINES } from '../../support/postgres/engines.ts'
import { raw } from '../../support/postgres/storage.ts'
import { newTenant, startService } from '../../support/process/service-process.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { slow } from '../../support/tags.ts'
import { receiver } from '../../support/webhook-receiver.ts'

const EVENTS = fullOrShort(200, 20)
/** Of the processes; the test waits for it only in a full run. */
const LEASE_MS = 30_000

async function signInTimes(tenant: Tenant, from: number, count: number): Promise<void> {
  for (let user = from; user < from + count; user++) {
    const email = `user-${user}@example.com`
    assert.equal(
      (await tenant.manage('POST', '/api/social-login/test-sessions', { email })).status,
      201,
    )
  }
}

for (const engine of ENGINES) {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    test(`[${engine}] F42: with ${signal} between a delivery and its record, every event still arrives`, {
      skip: slow,
    }, async (t) => {
      const settings = { ...(await databaseFor(t, engine)), DEV_UNLIMITED: '1' }
      const service = await startService(t, settings)
      const tenant = await newTenant(service)
      const app = await receiver(t)
      const { path } = await addWebhook(tenant, app.url)
      let isEnded = false
      // The receiver has the delivery, and its response never reaches the process.
      app.answer = (res) => {
        if (app.received.length < 5) {
          res.end()
        } else if (!isEnded) {
          isEnded = true
          service.child.kill(signal)
        }
      }
      await signInTimes(tenant, 0, EVENTS / 2).catch(() => {})
      await waitUntil('the process is told to end', () => isEnded)
      assert.equal((await service.ended).signal ?? 'SIGTERM', signal)

      app.answer = 200
      const before = app.received.length
      if (signal === 'SIGKILL') {
        await expireLease(settings)
      }
      const again = await startService(t, { ...settings, PORT: service.settings.PORT })
      const there = tenant.at(again.agent)
      await signInTimes(there, EVENTS, EVENTS / 2)
      const events = (await there.events()).map(({ id }) => `msg_${tenant.id}_${id}`)
      await waitUntil('every event has arrived', () => new Set(app.ids()).size === events.length)
      await waitUntil(
        'and is recorded',
        async () => (await webhookOf(there, path)).cursor === events.length,
      )
      assert.deepEqual([...new Set(app.ids())].sort(), events.sort())
      const duplicates = app.received.length - events.length
      assert.ok(duplicates <= 16, `${duplicates} duplicates`)
      figure(
        t,
        `F42 [${engine}]: ${signal} after ${before} deliveries; ${events.length} events, 0 lost, ${duplicates} twice`,
      )
    })
  }
}

/** Another process may continue when the lease ends. */
async function expireLease({
  DATA_DIR,
  DATABASE_URL,
}: {
  DATA_DIR: string
  DATABASE_URL?: string
}): Promise<void> {
  const wait = fullOrShort(true, false)
  if (wait) {
    return sleep(LEASE_MS)
  }
  const database =
    DATABASE_URL === undefined
      ? ({ engine: 'sqlite', file: join(DATA_DIR, SQLITE_FILE) } as const)
      : ({ engine: 'postgres', url: DATABASE_URL } as const)
  await raw(
    database,
    `update webhooks set lease_until = 1, next_look_at = 1 where lease_until is not null`,
  )
}
