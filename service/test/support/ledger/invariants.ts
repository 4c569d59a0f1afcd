import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, Instance } from '../faults/cluster.ts'
import type { Traffic } from '../faults/traffic.ts'
import { raw } from '../postgres/storage.ts'
import { type Entry, hashOf, type Ledger } from './ledger.ts'
import { secretsIn } from './observed-responses.ts'

/** The number of older entries that each check samples. */
const SAMPLE = 100
/** A revocation reaches every other instance within two seconds, counted in polls as `withinTwoSeconds` does. */
const POLLS = 100
const POLL_INTERVAL_MS = 20

interface InvariantCounts {
  readonly acknowledged: number
  readonly revokedTokens: number
}

/** The acknowledged state of one session. */
interface SessionHistory {
  readonly tenant: string
  readonly access: string[]
  signedOut: boolean
}

/**
 * Compares the service with the ledger and asserts the invariants that hold after any fault. `since`: the number of
 * entries checked before; only a sample of those is checked again.
 */
export async function assertInvariants(
  cluster: Cluster,
  ledger: Ledger,
  traffic: Traffic,
  since = 0,
): Promise<InvariantCounts> {
  assert.deepEqual(traffic.problems, [], 'during the traffic')
  assert.deepEqual(cluster.seen.violations, [], 'no 5xx other than 503 with Retry-After')
  const entries = await ledger.entries()
  const running = cluster.instances.filter(({ alive }) => alive)
  noTokenHasTwoSuccessors(entries)
  await tenantsExist(running, ledger, entries, since)
  await usersExist(running, traffic, entries)
  const revokedTokens = await revokedTokensAreInvalid(running, ledger, entries, since)
  await eventsAreCounted(cluster, traffic, entries)
  if (cluster.engine === 'sqlite') {
    await passesIntegrityCheck(cluster)
  }
  assert.deepEqual(secretsIn(cluster.log), [], 'I6: a secret is in the log')
  return { acknowledged: entries.length, revokedTokens }
}

function noTokenHasTwoSuccessors(entries: readonly Entry[]): void {
  const successors = new Map<string, string>()
  for (const entry of entries) {
    if (entry.kind !== 'refreshed') {
      continue
    }
    const known = successors.get(entry.spent)
    assert.ok(
      known === undefined || known === entry.refresh,
      'I2: one refresh token has two successors',
    )
    successors.set(entry.spent, entry.refresh)
  }
}

async function tenantsExist(
  running: readonly Instance[],
  ledger: Ledger,
  entries: readonly Entry[],
  since: number,
): Promise<void> {
  for (const { tenant, key } of recent(entries, since).filter((entry) => entry.kind === 'tenant')) {
    const { agent } = any(running)
    const response = await agent.call('GET', '/api/status', { key: ledger.secret(key) })
    assert.equal(response.status, 200, `I1: an acknowledged tenant is lost: ${response.text}`)
    assert.equal(response.json.tenant_id, tenant)
  }
}

async function usersExist(
  running: readonly Instance[],
  { simulatedUsers }: Traffic,
  entries: readonly Entry[],
): Promise<void> {
  for (const { app } of simulatedUsers) {
    const users = await app.at(any(running).agent).users()
    const stored = new Set(users.map(({ email }) => hashOf(email)))
    const known = entries.filter((entry) => entry.kind === 'signed-in' && entry.tenant === app.id)
    const lost = known.filter((entry) => entry.kind === 'signed-in' && !stored.has(entry.user))
    assert.equal(lost.length, 0, 'I1: a user who signed in is not stored')
  }
}

async function revokedTokensAreInvalid(
  running: readonly Instance[],
  ledger: Ledger,
  entries: readonly Entry[],
  since: number,
): Promise<number> {
  const histories = sessionHistories(entries)
  const fresh = new Set(
    recent(entries, since).flatMap((entry) => ('session' in entry ? [entry.session] : [])),
  )
  let dead = 0
  // Another instance may have acknowledged the newest revocation just now.
  let polls = 0
  for (const [session, { tenant, access, signedOut }] of histories) {
    if (!fresh.has(session)) {
      continue
    }
    const revoked = signedOut ? access : access.slice(0, -1)
    for (const instance of running) {
      const isValid = (token: string): Promise<boolean> =>
        verifies(instance, tenant, ledger.secret(token))
      const verifyRevoked = async (): Promise<boolean[]> =>
        Promise.all(revoked.slice(-20).map(isValid))
      let verdicts = await verifyRevoked()
      for (; verdicts.includes(true) && polls < POLLS; polls++) {
        await sleep(POLL_INTERVAL_MS)
        verdicts = await verifyRevoked()
      }
      assert.ok(!verdicts.includes(true), 'I3: a replaced or signed-out access token is valid')
      dead += verdicts.length
      const current = access.at(-1)
      if (signedOut || current === undefined) {
        continue
      }
      assert.equal(await isValid(current), true, 'I1: an acknowledged session is lost')
    }
  }
  return dead
}

function sessionHistories(entries: readonly Entry[]): Map<string, SessionHistory> {
  const histories = new Map<string, SessionHistory>()
  for (const entry of entries) {
    if (entry.kind === 'tenant') {
      continue
    }
    const history = histories.get(entry.session) ?? {
      tenant: entry.tenant,
      access: [],
      signedOut: false,
    }
    histories.set(entry.session, history)
    if (entry.kind === 'signed-out') {
      history.signedOut = true
    } else {
      history.access.push(entry.access)
    }
  }
  return histories
}

/** For each app, counters equal recorded events, and recorded events equal acknowledged ones. */
async function eventsAreCounted(
  { database }: Cluster,
  { simulatedUsers }: Traffic,
  entries: readonly Entry[],
): Promise<void> {
  const counted = await numbers(
    database,
    "select scope as name, lifetime_used as n from event_counts where scope like 'tenant:%'",
  )
  const recorded = await numbers(
    database,
    'select tenant_id as name, count(*) as n from events group by tenant_id',
  )
  const byKind = await numbers(
    database,
    "select tenant_id || ' ' || event as name, count(*) as n from events group by tenant_id, event",
  )
  for (const [tenant, events] of recorded) {
    assert.equal(
      counted.get(`tenant:${tenant}`),
      events,
      'I4: the counter differs from the number of events',
    )
  }
  const [top] = await raw(
    database,
    "select max(minute_authenticated) as n from event_counts where scope like 'account:%'",
  )
  assert.ok(
    Number(top?.n ?? 0) <= 750,
    'I4: an account had more than its 750 sign-ins and refreshes in a minute',
  )
  for (const { app, unconfirmedSignIns } of simulatedUsers) {
    const acknowledged = (kind: Entry['kind']): number =>
      entries.filter((entry) => entry.kind === kind && entry.tenant === app.id).length
    const happened = (event: string): number => byKind.get(`${app.id} ${event}`) ?? 0
    assert.equal(
      happened('token_refreshed'),
      acknowledged('refreshed'),
      'I2: a refresh happened twice, or not at all',
    )
    assert.equal(
      happened('logout'),
      acknowledged('signed-out'),
      'I1: a sign-out happened twice, or not at all',
    )
    const [least, most] = [
      acknowledged('signed-in'),
      acknowledged('signed-in') + unconfirmedSignIns,
    ]
    const authorized = happened('authorize')
    assert.ok(
      authorized >= least && authorized <= most,
      `I1: ${authorized} sign-ins, not ${least} to ${most}`,
    )
  }
}

async function passesIntegrityCheck({ database }: Cluster): Promise<void> {
  const [row] = await raw(database, 'pragma integrity_check')
  assert.equal(row?.integrity_check, 'ok')
}

async function numbers(database: Cluster['database'], sql: string): Promise<Map<string, number>> {
  return new Map((await raw(database, sql)).map(({ name, n }) => [String(name), Number(n)]))
}

/** The entries after `since`, and a sample of those before. */
function recent<T>(entries: readonly T[], since: number): T[] {
  const older = Array.from(
    { length: Math.min(SAMPLE, since) },
    () => entries[Math.floor(Math.random() * since)],
  )
  return [...older.filter((entry) => entry !== undefined), ...entries.slice(since)]
}

const any = (running: readonly Instance[]): Instance => {
  const instance = running[Math.floor(Math.random() * running.length)]
  assert.ok(instance, 'no instance is running')
  return instance
}

async function verifies(
  { agent }: Instance,
  tenant: string,
  access_token: string,
): Promise<boolean> {
  const response = await agent.call('POST', `/edge/auth/${tenant}/verify`, {
    body: { access_token },
  })
  assert.equal(response.status, 200, response.text)
  return response.json.valid
}
