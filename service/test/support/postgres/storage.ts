import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import type { AuthEventKind, RuntimeProfile } from '@gatehouse-auth/contract'
import { Client } from 'pg'
import type { NewAuthEvent } from '../../../src/domain/events/auth-event.ts'
import { chargesFor } from '../../../src/domain/limits/allowance.ts'
import { ATTEMPT_LIFETIME_MS, type Attempt } from '../../../src/domain/login/attempt.ts'
import type { Profile } from '../../../src/domain/login/identity-provider.ts'
import type { Revocation } from '../../../src/domain/revocation/revocation.ts'
import {
  REFRESH_TOKEN_MS,
  type Refresh,
  type Rotation,
  SESSION_ABSOLUTE_MS,
  type Session,
} from '../../../src/domain/sessions/session.ts'
import type {
  CommittedEvents,
  Resource,
  Stores,
  TransactionStores,
} from '../../../src/domain/stores/stores.ts'
import { GUEST_LIFETIME_MS, type Tenant } from '../../../src/domain/tenants/tenant.ts'
import { SQLITE_FILE } from '../../../src/storage/database-location.ts'
import { profileOf } from '../../../src/storage/engine.ts'
import { openStorage, type Storage, type StorageOptions } from '../../../src/storage/open.ts'
import type { StorageTiming } from '../../../src/storage/timing.ts'
import { HANG_TIMEOUT_MS, waitUntil } from '../process/wait-until.ts'
import { databaseFor, type Engine, PATIENT_TIMING } from './engines.ts'

export const NOW = Date.parse('2027-01-15T12:00:00Z')
export const HOUR_MS = 3_600_000

/** Short intervals, and deadlines that only a hang exceeds. A test of a deadline passes its own. */
export const TEST_TIMING = {
  ...PATIENT_TIMING,
  healthyMs: HANG_TIMEOUT_MS,
  listenerMs: HANG_TIMEOUT_MS,
  listenerDeadMs: HANG_TIMEOUT_MS,
  sqlitePollMs: 5,
  pollMs: 20,
  minPollMs: 1,
  notifyMs: 1,
  reconnectMs: 10,
} satisfies Partial<StorageTiming>

export interface TestStorage {
  readonly storage: Storage
  readonly stores: Stores
  readonly profile: RuntimeProfile
  readonly database: StorageOptions['database']
  /** Everything published so far, in order. */
  readonly published: CommittedEvents[]
  readonly warnings: string[]
  revocations(): Revocation[]
  close(): Promise<void>
}

export interface TestStorageOptions
  extends Partial<Pick<StorageOptions, 'database' | 'publish' | 'clockMeasured' | 'timing'>> {
  readonly now?: number
}

/** Storage on a new database, or on a given one. Closed after the test. */
export async function openTestStorage(
  t: TestContext,
  engine: Engine,
  options: TestStorageOptions = {},
): Promise<TestStorage> {
  const { database = await freshDatabase(t, engine), now = NOW, timing, ...others } = options
  const published: CommittedEvents[] = []
  const warnings: string[] = []
  const storage = await openStorage({
    database,
    now: () => now,
    publish: (events) => void published.push(events),
    warn: (message) => void warnings.push(message),
    timing: { ...TEST_TIMING, ...timing },
    ...others,
  })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= storage.close()
    return closing
  }
  t.after(close)
  return {
    storage,
    stores: storage.stores,
    profile: profileOf(engine),
    database,
    published,
    warnings,
    revocations: () => published.flatMap(({ revocations }) => revocations),
    close,
  }
}

export async function freshDatabase(
  t: TestContext,
  engine: Engine,
): Promise<StorageOptions['database']> {
  const { DATA_DIR, DATABASE_URL } = await databaseFor(t, engine)
  return DATABASE_URL === undefined
    ? { engine: 'sqlite', file: `${DATA_DIR}/${SQLITE_FILE}` }
    : { engine: 'postgres', url: DATABASE_URL }
}

/** Runs one statement on a connection of its own, bypassing the stores. */
export const raw = (
  database: StorageOptions['database'],
  sql: string,
): Promise<Record<string, unknown>[]> => withConnection(database, (query) => query(sql))

/** How often a table of a PostgreSQL database was vacuumed. */
export async function vacuumsOf(
  database: StorageOptions['database'],
  table = 'events',
): Promise<number> {
  const [row] = await raw(
    database,
    `select vacuum_count from pg_stat_user_tables where relname = '${table}'`,
  )
  return Number(row?.vacuum_count)
}

const SQLITE_BUSY = 5

/** Waits without blocking the thread: the transaction that has the lock may be one of the service in this process. */
async function whenUnlocked<T>(query: () => T): Promise<T> {
  let result: { readonly rows: T } | undefined
  await waitUntil('the database is unlocked', () => {
    try {
      result = { rows: query() }
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) {
        throw error
      }
    }
    return result !== undefined
  })
  return result?.rows as T
}

/** Runs statements on a connection of their own, bypassing the stores. */
export async function withConnection<T>(
  database: StorageOptions['database'],
  run: (query: (sql: string) => Promise<Record<string, unknown>[]>) => Promise<T>,
): Promise<T> {
  if (database.engine === 'sqlite') {
    const db = new DatabaseSync(database.file, { timeout: 0 })
    try {
      return await run((sql) => whenUnlocked(() => db.prepare(sql).all()))
    } finally {
      db.close()
    }
  }
  const client = new Client(database.url)
  await client.connect()
  try {
    return await run(async (sql) => (await client.query(sql)).rows)
  } finally {
    await client.end()
  }
}

export const guest = (
  id: string,
  profile: RuntimeProfile,
  changes: Partial<Tenant> = {},
): Tenant => ({
  id,
  origin: 'genesis',
  profile,
  createdAt: NOW,
  expiresAt: NOW + GUEST_LIFETIME_MS,
  claimedAt: null,
  owner: null,
  creatorGuestHash: null,
  pausedAt: null,
  pauseReason: null,
  suspension: null,
  ...changes,
})

export const googleProfile = (name: string, changes: Partial<Profile> = {}): Profile => ({
  issuer: 'https://accounts.google.com',
  subject: `subject-of-${name}`,
  email: `${name}@example.com`,
  name,
  picture: null,
  ...changes,
})

export const newEvent = (
  event: AuthEventKind,
  changes: Partial<NewAuthEvent> = {},
): NewAuthEvent => ({
  event,
  userId: null,
  email: null,
  redirectUri: null,
  returnTo: null,
  metadata: {},
  createdAt: NOW,
  ...changes,
})

/** A login that has started. */
export const consentOf = (userId: number) =>
  ({
    userId,
    host: 'app.example.com',
    provider: 'google',
    browserHash: 'b',
    brandHash: 'h',
    at: NOW,
  }) as const

export const startedAttempt = (tenantId: string, changes: Partial<Attempt> = {}): Attempt => ({
  id: 'attempt-1',
  tenantId,
  redirectUri: 'https://app.example.com/cb',
  returnTo: null,
  provider: 'google',
  providerClientId: null,
  browserHash: 'browser-1',
  openId: null,
  challenge: null,
  invitationId: null,
  linkSessionId: null,
  chooser: true,
  remember: false,
  stage: 'started',
  profile: null,
  hostedDomain: null,
  decision: null,
  createdAt: NOW,
  expiresAt: NOW + ATTEMPT_LIFETIME_MS,
  ...changes,
})

export const newSession = (
  userId: number,
  changes: Partial<Session> = {},
): Omit<Session, 'id'> => ({
  userId,
  salt: Uint8Array.from({ length: 16 }, (_, index) => index * 16),
  generation: 0,
  createdAt: NOW,
  rotatedAt: NOW,
  expiresAt: NOW + REFRESH_TOKEN_MS,
  absoluteExpiresAt: NOW + SESSION_ABSOLUTE_MS,
  idempotencyHash: null,
  late: null,
  ...changes,
})

export const rotation = (
  session: Session,
  now: number,
  changes: Partial<Rotation> = {},
): Rotation => ({
  sessionId: session.id,
  generation: session.generation,
  salt: session.salt,
  now,
  expiresAt: now + REFRESH_TOKEN_MS,
  idempotencyHash: null,
  ...changes,
})

/** Provisions a tenant and signs in one user. */
export async function signInUser(
  stores: Stores,
  tenantId = 'swift-fox-running-k3qd',
): Promise<{ resource: Resource; userId: number; session: Session }> {
  const resource = await stores.resources.provision(tenantId, ['https://app.example.com/cb'], NOW)
  const { id: userId } = await stores.users.insert(resource, googleProfile('ada'), NOW)
  const session = await stores.sessions.start(resource, newSession(userId))
  return { resource, userId, session }
}

/** Appends an event with the tenant's next event id, without limits. */
export async function appendEvent(
  stores: TransactionStores,
  resource: Resource,
  event: NewAuthEvent,
): Promise<number> {
  const charges = chargesFor(guest(resource.tenantId, 'v1-1'), event.event, event.createdAt, true)
  const { lastEventId } = await stores.eventCounts.add(charges)
  await stores.events.append(resource, lastEventId, event)
  return lastEventId
}

/** A refresh without limits. Creates the tenant if there is none. */
export async function refreshOf(
  stores: Stores,
  { tenantId }: Resource,
  rotation: Rotation,
): Promise<Refresh> {
  const tenant = guest(tenantId, 'v1-1')
  const known = await stores.tenants.find(tenantId)
  if (known === null) {
    await stores.tenants.create(tenant, [])
  }
  const charges = chargesFor(known ?? tenant, 'token_refreshed', rotation.now)
  const { lifetime, minute, month } = charges
  return {
    tenant: known ?? tenant,
    rotation,
    charges: {
      ...charges,
      lifetime: { ...lifetime, limit: null },
      minute: { ...minute, limit: Number.MAX_SAFE_INTEGER },
      month: { ...month, limit: null },
    },
  }
}

/** Refreshes a session; null if the rotation is rejected. */
export async function refreshSession(
  stores: Stores,
  resource: Resource,
  rotation: Rotation,
): Promise<Session | null> {
  const outcome = await stores.refresh(await refreshOf(stores, resource, rotation))
  return outcome.outcome === 'refreshed' ? { ...outcome.session, late: null } : null
}
