import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ApiError } from '../../src/domain/api-error.ts'
import type { TenantId, UserId } from '../../src/domain/ids.ts'
import { chargesFor, windowLimits } from '../../src/domain/limits/allowance.ts'
import { monthEnd } from '../../src/domain/limits/counter.ts'
import {
  REFRESH_TOKEN_MS,
  type Refresh,
  type RefreshOutcome,
} from '../../src/domain/sessions/session.ts'
import type { TransactionStores } from '../../src/domain/stores/stores.ts'
import type { Tenant } from '../../src/domain/tenants/tenant.ts'
import {
  mintRefreshToken,
  type RefreshTokenFields,
  readRefreshToken,
} from '../../src/domain/tokens/refresh-token.ts'
import type { Context } from '../../src/operations/context.ts'
import { logOut } from '../../src/operations/sessions/end-session.ts'
import { openSession } from '../../src/operations/sessions/open-session.ts'
import { refreshSession } from '../../src/operations/sessions/refresh-session.ts'
import { blockUser, unblockUser } from '../../src/operations/users/block-user.ts'
import { SQLITE_FILE } from '../../src/storage/database-location.ts'
import type { StorageOptions } from '../../src/storage/open.ts'
import { Clock } from '../support/clock.ts'
import { fc, SEED } from '../support/generated.ts'
import { type Engine, sqliteOnly } from '../support/postgres/engines.ts'
import { googleProfile, guest, withConnection } from '../support/postgres/storage.ts'
import { long, slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

const SEQUENCES = long ? 60 : 600
/** 600 take a minute on two idle cores, and longer on busy ones. */
const TIMEOUT_MS = 900_000

/** A guest, whose counts are one row, and two tenants of one owner, who share a minute and a month. */
const TENANTS = ['guest', 'owned', 'sibling'] as const
const SESSIONS = 3 * TENANTS.length
const KEYS = [null, 'a-key', 'gh1_bound'] as const

const session = fc.nat({ max: SESSIONS - 1 })
const key = fc.constantFrom(...KEYS)
/** How many generations ago the presented token was issued; -1: never. */
const age = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1, 2))
const often = (weight: number, value: boolean) =>
  fc.oneof({ weight, arbitrary: fc.constant(value) }, fc.constant(!value))

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('refresh together' as const),
      refreshes: fc.uniqueArray(
        fc.record({
          session,
          age,
          key,
          hasItsSalt: often(9, true),
          isOfStaleTenant: often(9, false),
        }),
        { minLength: 1, maxLength: SESSIONS, selector: (refresh) => refresh.session },
      ),
      minuteLimit: fc.option(fc.nat({ max: 6 })),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('refresh' as const), session, age, key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('log out' as const), session, age }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('block' as const, 'unblock' as const), session }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('move the clock' as const),
      seconds: fc.constantFrom(
        -90,
        -30,
        1,
        11,
        61,
        120,
        3_600,
        25 * 3_600,
        8 * 24 * 3_600,
        31 * 24 * 3_600,
      ),
    }),
  },
)

const sequence = fc.record({
  /** Whether PostgreSQL decides the refreshes of a step in one statement, or in one each. */
  isBatched: fc.boolean(),
  /** Events of the tenant's life and of the owner's month, shortly before the limits of their tiers. */
  usedByGuest: fc.constantFrom(0, 90, 98),
  usedByOwner: fc.constantFrom(0, 4_990, 4_998),
  steps: fc.array(step, { minLength: 1, maxLength: 14 }),
})

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
type Sequence = typeof sequence extends fc.Arbitrary<infer Value> ? Value : never

test('any sequence of refreshes, repeats, logouts, blocks and clock changes has the same outcomes and rows on each engine', {
  skip: sqliteOnly || slow,
  timeout: TIMEOUT_MS,
}, async (t) => {
  t.diagnostic(`seed ${SEED}, ${SEQUENCES} sequences`)
  const clock = new Clock()
  const services = await Promise.all([
    openService(t, 'sqlite', clock),
    openService(t, 'postgres', clock),
  ])
  const seen = new Set<unknown>()
  let run = 0
  const property = fc.asyncProperty(sequence, async (generated) => {
    run += 1
    // Shortly before the end of a month, so that moving the clock starts another.
    clock.advance({ ms: monthEnd(monthEnd(clock.now())) - 90_000 - clock.now() })
    const [sqlite, postgres] = await Promise.all([
      Scene.create(services[0], run, clock.now(), generated),
      Scene.create(services[1], run, clock.now(), generated),
    ])
    for (const each of generated.steps) {
      if (each.kind === 'move the clock') {
        clock.advance({ seconds: each.seconds })
      }
      const [expected, found] = await Promise.all([sqlite.take(each), postgres.take(each)])
      assert.deepEqual(found, expected, each.kind)
      for (const outcome of [found].flat()) {
        seen.add(outcome.error ?? outcome.outcome)
      }
    }
    const [expected, found] = await Promise.all([sqlite.rows(), postgres.rows()])
    assert.deepEqual(found, expected, 'rows')
  })
  await fc.assert(property, { numRuns: SEQUENCES })

  const expected = [
    'refreshed',
    'not-current',
    'tenant-changed',
    'over-lifetime',
    'over-minute',
    'over-month',
  ]
  const errors = [
    'invalidRefreshToken',
    'refreshTokenSuperseded',
    'refreshTokenReused',
    'rateLimited',
    'tenantPaused',
  ]
  assert.deepEqual(
    [...expected, ...errors].filter((outcome) => !seen.has(outcome)),
    [],
    'never generated',
  )
})

interface Service {
  readonly engine: Engine
  readonly ctx: Context
  readonly query: (sql: string) => Promise<Record<string, unknown>[]>
}

async function openService(t: TestContext, engine: Engine, clock: Clock): Promise<Service> {
  const { app, env } = await world(t, { engine, clock })
  return { engine, ctx: app.ctx, query: await connected(t, env) }
}

/** A connection until the end of the test. */
function connected(t: TestContext, env: World['env']): Promise<Service['query']> {
  const { DATABASE_URL: url, DATA_DIR } = env
  const database: StorageOptions['database'] =
    url === undefined
      ? { engine: 'sqlite', file: `${DATA_DIR}/${SQLITE_FILE}` }
      : { engine: 'postgres', url }
  const ended = Promise.withResolvers<void>()
  return new Promise((resolve, reject) => {
    const closed = withConnection(database, async (query) => {
      resolve(query)
      await ended.promise
    })
    closed.catch(reject)
    t.after(() => {
      ended.resolve()
      return closed
    })
  })
}

interface Outcome {
  readonly outcome?: unknown
  readonly error?: string
}

const AUTHOR = { actor: 'operator', requestId: 'generated' } as const

/** The tenants and sessions of one sequence on one service. */
class Scene {
  readonly #service: Service
  readonly #isBatched: boolean
  readonly #tenants: readonly TenantId[]
  #owner = 0
  readonly #sessions: (RefreshTokenFields & {
    readonly tenantId: TenantId
    readonly userId: UserId
  })[] = []
  /** The current generation of each session. */
  readonly #generations: number[] = []

  private constructor(service: Service, run: number, isBatched: boolean) {
    this.#service = service
    this.#isBatched = isBatched && service.engine === 'postgres'
    this.#tenants = TENANTS.map((name) => `${name}-${run}-k3qd`)
  }

  static async create(
    service: Service,
    run: number,
    now: number,
    generated: Sequence,
  ): Promise<Scene> {
    const scene = new Scene(service, run, generated.isBatched)
    await service.ctx.stores.transaction((stores) => scene.#fill(stores, now, generated))
    return scene
  }

  async #fill(
    stores: TransactionStores,
    now: number,
    { usedByGuest, usedByOwner }: Sequence,
  ): Promise<void> {
    const { ctx } = this.#service
    const { id: accountId } = await stores.accounts.signIn(googleProfile(this.#tenants.join()), now)
    this.#owner = accountId
    const owned = { expiresAt: null, claimedAt: now, owner: { accountId, tier: 'free' } } as const
    for (const [at, id] of this.#tenants.entries()) {
      const isGuest = TENANTS[at] === 'guest'
      const created = { createdAt: now, expiresAt: now + 72 * 3_600_000 }
      const tenant = guest(id, ctx.profile, isGuest ? created : { ...created, ...owned })
      await stores.tenants.create(tenant, [])
      const resource = await stores.resources.provision(id, ['https://app.example.com/cb'], now)
      const usedByClaimed = TENANTS[at] === 'owned' ? usedByOwner : 0
      const used = isGuest ? usedByGuest : usedByClaimed
      if (used > 0) {
        await stores.eventCounts.add(
          chargesFor(tenant, 'token_refreshed', now - 600_000, true),
          used,
        )
      }
      const users = [
        await stores.users.insert(resource, googleProfile('ada'), now),
        await stores.users.insert(resource, googleProfile('grace'), now),
      ]
      for (const user of [0, 0, 1].map((which) => users[which])) {
        assert.ok(user)
        const { refreshToken } = await openSession(ctx, stores, { tenant, resource, user, now })
        const fields = readRefreshToken(ctx.keyring, id, refreshToken)
        assert.ok(fields)
        this.#sessions.push({ ...fields, tenantId: id, userId: user.id })
        this.#generations.push(fields.generation)
      }
    }
  }

  /** The outcomes, without the ids and secrets of this service. */
  async take(step: Step): Promise<Outcome | Outcome[]> {
    const { ctx } = this.#service
    if (step.kind === 'move the clock') {
      return {}
    }
    if (step.kind === 'refresh together') {
      const found = await Promise.all(this.#tenants.map((id) => ctx.stores.tenants.find(id)))
      const refreshes = step.refreshes.map((each) => this.#refreshOf(found, each, step.minuteLimit))
      if (this.#isBatched) {
        return Promise.all(refreshes.map((refresh) => this.#decide(refresh)))
      }
      const outcomes: Outcome[] = []
      for (const refresh of refreshes) {
        outcomes.push(await this.#decide(refresh))
      }
      return outcomes
    }
    const { tenantId, userId } = this.#session(step.session)
    const tenant = await ctx.stores.tenants.find(tenantId)
    assert.ok(tenant)
    try {
      switch (step.kind) {
        case 'refresh':
          return await this.#refresh(step.session, this.#token(step), step.key)
        case 'log out':
          return { outcome: await logOut(ctx, { tenantId, refreshToken: this.#token(step) }) }
        case 'block':
          return { outcome: (await blockUser(ctx, tenant, userId, AUTHOR)).blockedAt }
        case 'unblock':
          return { outcome: (await unblockUser(ctx, tenant, userId, AUTHOR)).blockedAt }
      }
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error
      }
      return { error: error.code, outcome: error.message }
    }
  }

  #session(at: number) {
    const found = this.#sessions[at]
    assert.ok(found)
    return found
  }

  #token({ session, age }: { session: number; age: number }): string {
    const { tenantId, ...fields } = this.#session(session)
    const generation = Math.max(0, (this.#generations[session] ?? 0) - age)
    return mintRefreshToken(this.#service.ctx.keyring, tenantId, { ...fields, generation })
  }

  async #refresh(
    session: number,
    refreshToken: string,
    idempotencyKey: string | null,
  ): Promise<Outcome> {
    const { ctx } = this.#service
    const { tenantId } = this.#session(session)
    const { pair, rate } = await refreshSession(ctx, { tenantId, refreshToken, idempotencyKey })
    const generation = readRefreshToken(ctx.keyring, tenantId, pair.refreshToken)?.generation ?? 0
    this.#generations[session] = generation
    const [, payload = ''] = pair.accessToken.split('.')
    const { sid: _, rid: __, ...claims } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return { outcome: { generation, rate, claims } }
  }

  #refreshOf(
    tenants: readonly (Tenant | null)[],
    {
      session,
      age,
      key,
      hasItsSalt,
      isOfStaleTenant,
    }: (Step & { kind: 'refresh together' })['refreshes'][number],
    minuteLimit: number | null,
  ): Refresh {
    const { ctx } = this.#service
    const { tenantId, sessionId, salt } = this.#session(session)
    const tenant = tenants[this.#tenants.indexOf(tenantId)]
    assert.ok(tenant)
    const now = ctx.now()
    const charges = chargesFor(tenant, 'token_refreshed', now)
    const minute =
      minuteLimit === null
        ? charges.minute
        : { ...charges.minute, ...windowLimits('authenticated', minuteLimit) }
    return {
      tenant: isOfStaleTenant ? { ...tenant, pausedAt: (tenant.pausedAt ?? now) + 1 } : tenant,
      charges: { ...charges, minute },
      rotation: {
        sessionId,
        generation: (this.#generations[session] ?? 0) - age,
        salt: hasItsSalt ? salt : salt.map((byte) => byte ^ 1),
        now,
        expiresAt: now + REFRESH_TOKEN_MS,
        idempotencyHash: key === null ? null : ctx.keyring.hash('idempotency', key),
      },
    }
  }

  async #decide(refresh: Refresh): Promise<Outcome> {
    const decided: RefreshOutcome = await this.#service.ctx.stores.refresh(refresh)
    if (decided.outcome === 'over-limit') {
      return { outcome: `over-${decided.reached.window}` }
    }
    if (decided.outcome !== 'refreshed') {
      return decided
    }
    const { session, resourceId: _, ...others } = decided
    const { id, salt: __, idempotencyHash, ...times } = session
    const at = this.#sessions.findIndex(({ sessionId }) => sessionId === id)
    this.#generations[at] = session.generation
    return { ...others, ...{ session: { ...times, at, key: this.#keyOf(idempotencyHash) } } }
  }

  #keyOf(hash: unknown): unknown {
    const { keyring } = this.#service.ctx
    return hash === null
      ? null
      : KEYS.find((key) => key !== null && keyring.hash('idempotency', key) === hash)
  }

  /** Every row that a step can change, without the ids and secrets of this database. */
  async rows(): Promise<Record<string, unknown>[]> {
    const tenants = this.#tenants.map((id) => `'${id}'`).join()
    const scopes = [
      ...this.#tenants.map((id) => `'tenant:${id}'`),
      `'account:${this.#owner}'`,
    ].join()
    const queries = [
      `select id as session, tenant_id, user_id, generation, created_at, rotated_at, previous_rotated_at, expires_at,
          absolute_expires_at, idempotency_hash, late_generation, late_until, sweep_at
          from sessions where tenant_id in (${tenants}) order by id`,
      `select id, tenant_id, event, user_id, email, redirect_uri, return_to, metadata, created_at
          from events where tenant_id in (${tenants}) order by tenant_id, id`,
      `select kind, tenant_id, subject_id as session, generation, until_ms
          from revocations where tenant_id in (${tenants}) order by kind, subject_id, generation, until_ms`,
      `select * from event_counts where scope in (${scopes}) order by scope`,
      `select id, tenant_id, email, name, blocked_at from users where tenant_id in (${tenants}) order by tenant_id, id`,
      `select id, paused_at, pause_reason from tenants where id in (${tenants}) order by id`,
    ]
    const found: Record<string, unknown>[] = []
    for (const query of queries) {
      found.push(...(await this.#service.query(query)))
    }
    return found.map((row) => this.#normalized(row))
  }

  #normalized(row: Record<string, unknown>): Record<string, unknown> {
    // PostgreSQL's client returns numbers of 64 bits as text.
    const values = Object.entries(row).map(([name, value]) => [
      name,
      /^\d+$/.test(String(value)) ? Number(value) : value,
    ])
    const { session, idempotency_hash: hash, scope, ...others } = Object.fromEntries(values)
    return {
      ...others,
      ...(session === undefined
        ? {}
        : { session: this.#sessions.findIndex(({ sessionId }) => sessionId === session) }),
      ...(hash === undefined ? {} : { key: this.#keyOf(hash) }),
      ...(scope === undefined ? {} : { scope: String(scope).replace(/^account:\d+$/, 'owner') }),
    }
  }
}
