import assert from 'node:assert/strict'
import { consentToken } from '../../../service/src/domain/login/request-secrets.ts'
import { listEvents } from '../../../service/src/operations/events/events.ts'
import { readProject } from '../../../service/src/operations/events/insights.ts'
import { decideConsent } from '../../../service/src/operations/login/decide-consent.ts'
import { listActiveSessions, logOut } from '../../../service/src/operations/sessions/end-session.ts'
import { refreshSession } from '../../../service/src/operations/sessions/refresh-session.ts'
import { verifyAccessToken } from '../../../service/src/operations/sessions/verify-access-token.ts'
import { purgeResource } from '../../../service/src/operations/tenants/purge-resource.ts'
import { getUser, listUsers } from '../../../service/src/operations/users/users.ts'
import {
  CALLBACK,
  DAY_MS,
  ISSUER,
  NOW,
  subjectOf,
  tenantId,
} from '../../../service/test/support/population/population.ts'
import type { SizedService } from './sized-service.ts'

/** An operation of the service. Its preparation is not measured. */
export interface Operation {
  readonly name: string
  /** Calls in one batch. */
  readonly times: number
  /** Repetitions within one call, for operations too short to measure. */
  readonly each?: number
  /** Concurrent calls; one for long operations. */
  readonly concurrency: number
  /** Which limit of workshop/bench/growth/report.ts applies to its growth. */
  readonly target: 'flat' | 'bounded' | 'page' | 'none'
  prepare(service: SizedService): Promise<() => Promise<void>>
}

/** Each call uses one session, and the smallest table has ten thousand for all rounds. */
const MANY = { times: 250, concurrency: 8 } as const
/** Short reads that consume nothing: enough calls to exceed the noise. */
const READS = { times: 1_000, concurrency: 8 } as const
const ONE = { times: 1, concurrency: 1 } as const

/** An operation without preparation. */
const unprepared =
  (workload: (service: SizedService) => Promise<void>): Operation['prepare'] =>
  async (service) =>
  () =>
    workload(service)

const eventsPage = (name: string, query: (service: SizedService) => object): Operation => ({
  name,
  ...READS,
  target: 'bounded',
  prepare: unprepared(async (service) => {
    const { events } = await listEvents(service.app.ctx, service.large, {
      after: 0,
      limit: 50,
      waitSeconds: 0,
      addressKey: '',
      ...query(service),
    })
    assert.ok(events.length > 0, name)
  }),
})

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'refresh',
    ...MANY,
    target: 'bounded',
    async prepare(service) {
      const { tenantId: tenant, refreshToken } = service.session()
      // Fill the tenant cache: the first request of a tenant takes two more queries at every size.
      await service.app.ctx.directory.lastKnown(tenant)
      return async () => {
        service.advanceClock()
        const input = { tenantId: tenant, refreshToken, idempotencyKey: null }
        const { pair } = await refreshSession(service.app.ctx, input)
        service.issued.push({ tenantId: tenant, pair })
        if (service.issued.length > 200) {
          service.issued.shift()
        }
      }
    },
  },
  {
    name: 'verify',
    times: 1_000,
    each: 200,
    concurrency: 1,
    target: 'flat',
    prepare: unprepared(async ({ issued, app }) => {
      assert.equal(issued.length, 200)
      for (const { tenantId: tenant, pair } of issued) {
        const { outcome } = verifyAccessToken(app.ctx, {
          tenantId: tenant,
          accessToken: pair.accessToken,
        })
        if (outcome !== 'valid') {
          throw new Error(`a token that was just issued is ${outcome}`)
        }
      }
    }),
  },
  {
    name: 'login, existing user',
    ...MANY,
    target: 'bounded',
    prepare: (service) => login(service, subjectOf),
  },
  {
    name: 'login, new user',
    ...MANY,
    target: 'bounded',
    prepare: (service) => login(service, newSubject),
  },
  {
    name: 'logout',
    ...MANY,
    target: 'bounded',
    async prepare(service) {
      const { tenantId: tenant, refreshToken } = service.session()
      return async () => {
        service.advanceClock()
        await logOut(service.app.ctx, { tenantId: tenant, refreshToken })
      }
    },
  },
  {
    name: 'user by id',
    ...READS,
    target: 'bounded',
    prepare: unprepared(async (service) => {
      const id = service.randomUser()
      const tenant = await service.app.ctx.stores.tenants.find(
        tenantId(service.population.tenantOf(id)),
      )
      assert.ok(tenant)
      assert.equal((await getUser(service.app.ctx, tenant, id)).id, id)
    }),
  },
  {
    name: 'users, page of 100',
    ...READS,
    // The smaller the tenant's share of the table, the further apart its rows are.
    target: 'page',
    prepare: unprepared(async (service) => {
      // Leave at least one page.
      const after = Math.floor(service.randomUser() * 0.8)
      const { first } = await listUsers(service.app.ctx, service.large, { after, limit: 100 })
      assert.equal(first.length, 100)
    }),
  },
  eventsPage('events, first page', () => ({})),
  eventsPage('events, middle', ({ population }) => ({ after: Math.floor(population.size / 2) })),
  // The last hundredth, or enough events for a page of every kind, which the query reads.
  eventsPage('events, last page', ({ population: { size } }) => ({
    after: size - Math.max(3_000, Math.floor(size / 100)),
  })),
  eventsPage('events of one kind', ({ population }) => ({
    after: Math.floor(population.size / 2),
    event: 'logout',
  })),
  {
    ...eventsPage('events of one user', () => ({})),
    prepare: unprepared(async (service) => {
      await listEvents(service.app.ctx, service.large, {
        after: 0,
        limit: 50,
        waitSeconds: 0,
        addressKey: '',
        userId: service.randomUserOfLargeTenant(),
      })
    }),
  },
  {
    name: 'daily counts of 30 days',
    times: 100,
    concurrency: 4,
    target: 'page',
    prepare: unprepared(async ({ app, resource }) => {
      const from = new Date(NOW - 30 * DAY_MS).toISOString().slice(0, 10)
      const days = await app.ctx.stores.events.daily(resource, from)
      assert.ok(days.length > 30)
    }),
  },
  {
    name: 'insights of the large tenant',
    times: 3,
    concurrency: 1,
    target: 'page',
    prepare: unprepared(async ({ app, large }) => {
      const { users, activeSessions } = await readProject(app.ctx, { ...large, name: null })
      assert.ok(users.total > 0 && activeSessions > 0)
    }),
  },
  {
    name: 'active sessions of the large tenant',
    times: 3,
    concurrency: 1,
    target: 'page',
    prepare: unprepared(async ({ app, large }) => {
      assert.equal((await listActiveSessions(app.ctx, large, { limit: 50 })).sessions.length, 50)
    }),
  },
  {
    name: 'sweep step (250 sessions)',
    ...ONE,
    target: 'none',
    prepare: unprepared(async ({ app }) => {
      assert.equal(await app.ctx.stores.sessions.sweep(app.ctx.now(), 250), 250)
    }),
  },
  {
    name: 'deletion step (250 rows)',
    ...ONE,
    target: 'none',
    prepare: unprepared(async ({ app, leaving, population }) => {
      assert.equal(await purgeResource(app.ctx, leaving, population.leaving, 1), false)
    }),
  },
]

let newUsers = 0
/** The OpenID subject of a user who has never signed in. */
const newSubject = (): string =>
  `2${String(Math.trunc((newUsers++ * 7_919) % 1e10)).padStart(10, '0')}${String(newUsers).padStart(10, '0')}`

/** The consent decision of a login whose user is already identified: the database's share of a login. */
async function login(
  service: SizedService,
  subjectFor: (userId: number) => string,
): Promise<() => Promise<void>> {
  const { ctx } = service.app
  const userId = service.randomUser()
  const browser = `browser-of-${userId}`
  const id = Buffer.from(ctx.random(16)).toString('base64url')
  const now = ctx.now()
  await ctx.stores.attempts.add({
    id,
    tenantId: tenantId(service.population.tenantOf(userId)),
    redirectUri: CALLBACK,
    returnTo: null,
    provider: 'google',
    providerClientId: null,
    browserHash: ctx.keyring.hash('browser', browser),
    challenge: null,
    openId: null,
    invitationId: null,
    linkSessionId: null,
    chooser: true,
    remember: false,
    stage: 'identified',
    decision: null,
    hostedDomain: null,
    profile: {
      issuer: ISSUER,
      subject: subjectFor(userId),
      email: `person${userId}@example.com`,
      name: `Person ${userId}`,
      picture: null,
    },
    createdAt: now,
    expiresAt: now + 600_000,
  })
  const csrf = consentToken(ctx.keyring, id, browser)
  return async () => {
    service.advanceClock()
    const redirectUrl = await decideConsent(ctx, {
      attemptId: id,
      browser,
      csrf,
      allow: true,
      shown: null,
      requestId: '',
    })
    assert.ok(redirectUrl.includes('refresh_token='), redirectUrl)
  }
}
