import assert from 'node:assert/strict'
import { readActiveSessions, readProject } from '../../service/src/operations/observability/read-insights.ts'
import { logOut } from '../../service/src/operations/sessions/log-out.ts'
import { refreshSession } from '../../service/src/operations/sessions/refresh-session.ts'
import { verifyAccessToken } from '../../service/src/operations/sessions/verify-access-token.ts'
import { getUser } from '../../service/src/operations/social-login/get-user.ts'
import { listEvents } from '../../service/src/operations/social-login/list-events.ts'
import { listUsers } from '../../service/src/operations/social-login/list-users.ts'
import { purgeResource } from '../../service/src/operations/social-login/purge-resource.ts'
import { DAY_MS, NOW, subjectOf, tenantId } from '../../service/test/support/population/population.ts'
import { CLIENT, login, newSubject } from './login.ts'
import type { Subject } from './subject.ts'

/** One thing the service does, once. What it needs first is prepared outside the measured time. */
export interface Operation {
  readonly name: string
  /** In one batch. */
  readonly times: number
  /** What one call does more than once, because once is too short to see. */
  readonly each?: number
  /** In how many places at once; one where each is large. */
  readonly atOnce: number
  /** Must it stay within the growth that performance targets allow? */
  readonly target: 'flat' | 'bounded' | 'none'
  prepare(subject: Subject): Promise<() => Promise<void>>
}

/** Each uses up a session, and the smallest table has ten thousand for all rounds. */
const MANY = { times: 250, atOnce: 8 } as const
/** Short, and uses up nothing: as many as it takes to stand out from the noise. */
const READS = { times: 1_000, atOnce: 8 } as const
const ONE = { times: 1, atOnce: 1 } as const

/** Needs nothing prepared but a choice, made when it runs. */
const plain =
  (work: (subject: Subject) => Promise<void>): Operation['prepare'] =>
  async (subject) =>
  () =>
    work(subject)

const eventsPage = (name: string, query: (subject: Subject) => object): Operation => ({
  name,
  ...READS,
  target: 'bounded',
  prepare: plain(async (subject) => {
    const page = await listEvents(subject.app.ctx, subject.large, {
      after: 0,
      limit: 50,
      waitSeconds: 0,
      ...query(subject),
    })
    assert.ok(page.length > 0, name)
  }),
})

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'refresh',
    ...MANY,
    target: 'bounded',
    async prepare(subject) {
      const { tenantId: tenant, refreshToken } = subject.session()
      // As to a process that has run for a while; the first sight of a tenant is two more queries, at every size.
      await subject.app.ctx.directory.lastKnown(tenant)
      return async () => {
        subject.pass()
        const input = { tenantId: tenant, refreshToken, client: CLIENT, idempotencyKey: null }
        const { pair } = await refreshSession(subject.app.ctx, input)
        subject.signed.push({ tenantId: tenant, pair })
        if (subject.signed.length > 200) subject.signed.shift()
      }
    },
  },
  {
    name: 'verify',
    times: 1_000,
    each: 200,
    atOnce: 1,
    target: 'flat',
    prepare: plain(async ({ signed, app }) => {
      assert.equal(signed.length, 200)
      for (const { tenantId: tenant, pair } of signed) {
        const { outcome } = verifyAccessToken(app.ctx, { tenantId: tenant, accessToken: pair.accessToken })
        if (outcome !== 'valid') throw new Error(`a token that was just issued is ${outcome}`)
      }
    }),
  },
  { name: 'login, known person', ...MANY, target: 'bounded', prepare: (subject) => login(subject, subjectOf) },
  { name: 'login, new person', ...MANY, target: 'bounded', prepare: (subject) => login(subject, newSubject) },
  {
    name: 'logout',
    ...MANY,
    target: 'bounded',
    async prepare(subject) {
      const { tenantId: tenant, refreshToken } = subject.session()
      return async () => {
        subject.pass()
        await logOut(subject.app.ctx, { tenantId: tenant, refreshToken })
      }
    },
  },
  {
    name: 'user by id',
    ...READS,
    target: 'bounded',
    prepare: plain(async (subject) => {
      const id = subject.anybody()
      const tenant = await subject.app.ctx.stores.tenants.find(tenantId(subject.population.tenantOf(id)))
      assert.ok(tenant)
      assert.equal((await getUser(subject.app.ctx, tenant, id)).id, id)
    }),
  },
  {
    name: 'users, page of 100',
    ...READS,
    // Its rows lie the further apart, the smaller a part of the table the tenant is.
    target: 'none',
    prepare: plain(async (subject) => {
      // Not so far that fewer than a page are left.
      const after = Math.floor(subject.anybody() * 0.8)
      const { first } = await listUsers(subject.app.ctx, subject.large, { after, limit: 100 })
      assert.equal(first.length, 100)
    }),
  },
  eventsPage('events, first page', () => ({})),
  eventsPage('events, middle', ({ population }) => ({ after: Math.floor(population.size / 2) })),
  // The last hundredth, or as much as holds a page of each kind: so many are read to find those of all kinds.
  eventsPage('events, last page', ({ population: { size } }) => ({
    after: size - Math.max(3_000, Math.floor(size / 100)),
  })),
  eventsPage('events of a kind', ({ population }) => ({ after: Math.floor(population.size / 2), event: 'logout' })),
  {
    ...eventsPage('events of a person', () => ({})),
    prepare: plain(async (subject) => {
      await listEvents(subject.app.ctx, subject.large, {
        after: 0,
        limit: 50,
        waitSeconds: 0,
        userId: subject.somebodyLarge(),
      })
    }),
  },
  {
    name: 'tallies of 30 days',
    times: 100,
    atOnce: 4,
    target: 'none',
    prepare: plain(async ({ app, resource }) => {
      const from = new Date(NOW - 30 * DAY_MS).toISOString().slice(0, 10)
      const days = await app.ctx.stores.events.daily(resource, from)
      assert.ok(days.length > 30)
    }),
  },
  {
    name: 'insights of the large tenant',
    times: 3,
    atOnce: 1,
    target: 'none',
    prepare: plain(async ({ app, large }) => {
      const { users, activeSessions } = await readProject(app.ctx, large)
      assert.ok(users.total > 0 && activeSessions > 0)
    }),
  },
  {
    name: 'sessions in use of the large tenant',
    times: 3,
    atOnce: 1,
    target: 'none',
    prepare: plain(async ({ app, large }) => {
      assert.equal((await readActiveSessions(app.ctx, large)).length, 50)
    }),
  },
  {
    name: 'sweep step (250 sessions)',
    ...ONE,
    target: 'none',
    prepare: plain(async ({ app }) => {
      assert.equal(await app.ctx.stores.sessions.sweep(app.ctx.now(), 250), 250)
    }),
  },
  {
    name: 'deletion step (250 rows)',
    ...ONE,
    target: 'none',
    prepare: plain(async ({ app, leaving, population }) => {
      assert.equal(await purgeResource(app.ctx, leaving, population.leaving, 1), false)
    }),
  },
]
