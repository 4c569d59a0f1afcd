import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTH_EVENT_KINDS, type AuthEventKind, TIER_LIMITS } from '@gatehouse-auth/contract'
import { classOf, loginStartLimit, scopesOf } from '../../src/domain/limits/allowance.ts'
import { OverLimit } from '../../src/domain/limits/over-limit.ts'
import { countAuthEvent } from '../../src/operations/limits/count-auth-event.ts'
import { fc } from '../support/generated.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { guest, NOW, openTestStorage } from '../support/postgres/storage.ts'

const { eventsPerMinute, eventsPerLifetime } = TIER_LIMITS.ephemeral
const LIFETIME = eventsPerLifetime ?? 0
const START_LIMIT = loginStartLimit(eventsPerMinute)

const minutes = fc.array(
  fc.array(fc.constantFrom(...AUTH_EVENT_KINDS), { minLength: 1, maxLength: 12 }),
  {
    minLength: 26,
    maxLength: 30,
  },
)

for (const engine of ENGINES) {
  test(`[${engine}] with any mix of concurrent events a minute stays within its limit, apart from consequences, and every event gets the next id`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    for (const [run, minutesOfRun] of fc.sample(minutes, 3).entries()) {
      const tenant = guest(`crowded-tenant-${run}`, profile)
      const ids: number[] = []
      for (const [minute, kinds] of minutesOfRun.entries()) {
        const now = NOW + minute * 60_000
        const before = ids.length
        const counted = (
          await Promise.all(
            kinds.map(async (kind) => {
              try {
                const { id } = await stores.transaction((open) =>
                  countAuthEvent({ unlimited: false }, open, tenant, kind, now),
                )
                ids.push(id)
                return [kind]
              } catch (error) {
                if (error instanceof OverLimit) {
                  return []
                }
                throw error
              }
            }),
          )
        ).flat()
        const authenticated = ofClass(counted, 'authenticated')
        const { lifetime, minute: inMinute } = await stores.eventCounts.read(scopesOf(tenant), now)
        assert.deepEqual(
          [lifetime, inMinute.used, inMinute.authenticated],
          [ids.length, counted.length, authenticated],
          `minute ${minute} of run ${run}: ${kinds.join()}`,
        )
        assert.equal(
          ofClass(counted, 'consequence'),
          ofClass(kinds, 'consequence'),
          'always recorded',
        )
        const starts = ofClass(counted, 'start')
        assert.equal(inMinute.loginStarts, starts)
        assert.ok(starts <= START_LIMIT && starts + authenticated <= eventsPerMinute)
        if (before + kinds.length <= LIFETIME) {
          const reserved = eventsPerMinute - START_LIMIT
          const wanted = ofClass(kinds, 'authenticated')
          assert.ok(authenticated >= Math.min(wanted, reserved), 'their half is theirs')
        }
      }
      assert.deepEqual(
        ids.toSorted((a, b) => a - b),
        ids.map((_, at) => at + 1),
      )
    }
  })
}

const ofClass = (kinds: readonly AuthEventKind[], name: ReturnType<typeof classOf>): number =>
  kinds.filter((kind) => classOf(kind) === name).length
