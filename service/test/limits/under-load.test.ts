import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuthEventKind, TIER_LIMITS } from '@gatehouse/contract'
import fc from 'fast-check'
import { chargesFor, unauthenticatedShare } from '../../src/domain/limits/allowance.ts'
import { OverLimit } from '../../src/domain/limits/over-limit.ts'
import { spendAuthEvent, trySpendAuthEvent } from '../../src/operations/limits/spend-auth-event.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { guest, NOW, openTestStorage } from '../support/postgres/storage.ts'

const { eventsPerMinute, eventsPerLifetime } = TIER_LIMITS.ephemeral
const LIFETIME = eventsPerLifetime ?? 0

const kind = fc.constantFrom<AuthEventKind>('login_started', 'login_failed', 'authorize', 'token_refreshed', 'logout')
const minutes = fc.array(fc.array(kind, { minLength: 1, maxLength: 9 }), { minLength: 26, maxLength: 30 })

for (const engine of ENGINES) {
  test(`[${engine}] with any mix of concurrent events no counter exceeds its limit, loses an event or adds one`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    for (const [run, minutesOfRun] of fc.sample(minutes, 3).entries()) {
      const tenant = guest(`crowded-tenant-${run}`, profile)
      let passed = 0
      for (const [minute, kinds] of minutesOfRun.entries()) {
        const now = NOW + minute * 60_000
        const outcomes = await Promise.all(
          kinds.map((kind) =>
            stores
              .transaction(async (within) => {
                if (kind === 'logout') return trySpendAuthEvent(within, tenant, kind, now)
                await spendAuthEvent(within, tenant, kind, now)
                return true
              })
              .catch((error: unknown) => {
                if (error instanceof OverLimit) return false
                throw error
              }),
          ),
        )
        const counted = outcomes.filter((each) => each).length
        passed += counted
        const { lifetime, minute: bucket } = chargesFor(tenant, now)
        const used = await stores.counters.read([lifetime.counter, bucket.counter])
        assert.deepEqual(used, [passed, counted], `minute ${minute} of run ${run}: ${kinds.join()}`)
        assert.ok(counted <= eventsPerMinute && passed <= LIFETIME)
        // Below the unauthenticated share only the per-minute limit rejects an event.
        const room = unauthenticatedShare(LIFETIME) - (passed - counted)
        assert.ok(counted >= Math.min(kinds.length, eventsPerMinute, room), 'no event is rejected below its limit')
      }
    }
  })
}
