import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pair, Tenant } from '../support/agent.ts'
import { BEHIND_A_PROXY, newTenant, type ServiceProcess, startService } from '../support/service-process.ts'
import { soon } from '../support/soon.ts'
import { raw } from '../support/storage.ts'

const ROUNDS = 3
const SESSIONS = 5
const BOOT_MS = 3_000

/** Everything that was acknowledged, as the client's own side of the story. */
interface Ledger {
  readonly tenants: Tenant[]
  /** E-mail addresses of people who landed in the app. */
  readonly people: string[]
  readonly sessions: Session[]
}

interface Session {
  current: Pair
  /** Names the refresh that is under way, so that it can be asked for again. */
  attempt: number
  readonly spent: Pair[]
}

/** Enough allowance for a load of real events: an owner with the largest plan. */
async function ownedBy(service: ServiceProcess, tenant: Tenant, accountId: number): Promise<void> {
  const home = { engine: 'sqlite', file: path.join(service.settings.DATA_DIR, 'gatehouse.db') } as const
  await raw(
    home,
    `insert into accounts (id, issuer, subject, email, tier, created_at, last_seen)
     values (${accountId}, 'i', '${accountId}', 'owner@example.com', 'pro', 1, 1)`,
  )
  await raw(
    home,
    `update tenants set owner_account_id = ${accountId}, claimed_at = 1, expires_at = null where id = '${tenant.id}'`,
  )
}

const refresh = (tenant: Tenant, { current, attempt }: Session) =>
  tenant.edge('refresh', { refresh_token: current.refresh_token }, { 'Idempotency-Key': `attempt-${attempt}` })

function acknowledge(session: Session, next: Pair): void {
  session.spent.push(session.current)
  session.current = next
  session.attempt += 1
}

/** Refreshes, new tenants and new people, all at once, until the process is gone. */
async function load(service: ServiceProcess, app: Tenant, ledger: Ledger): Promise<void> {
  const untilGone = async (act: () => Promise<void>): Promise<void> => {
    while (service.child.exitCode === null && service.child.signalCode === null) {
      try {
        await act()
      } catch (error) {
        if (!/ECONN|socket hang up|EPIPE/.test(`${(error as NodeJS.ErrnoException).code} ${error}`)) throw error
        return
      }
    }
  }
  let people = 0
  await Promise.all([
    ...ledger.sessions.map((session) =>
      untilGone(async () => {
        const answer = await refresh(app, session)
        assert.equal(answer.status, 200, answer.text)
        acknowledge(session, answer.json)
        await sleep(15)
      }),
    ),
    untilGone(async () => {
      ledger.tenants.push(await newTenant(service))
    }),
    untilGone(async () => {
      const email = `person-${ledger.people.length}-${people++}@example.com`
      await signIn(service, app, email)
      ledger.people.push(email)
    }),
  ])
}

async function signIn(service: ServiceProcess, app: Tenant, email: string): Promise<Pair> {
  const person = service.browser()
  await person.open(app.loginUrl)
  await person.press('Continue', { email })
  const landed = await person.press('Continue')
  const access_token = landed.searchParams.get('access_token')
  const refresh_token = landed.searchParams.get('refresh_token')
  assert.ok(access_token !== null && refresh_token !== null, landed.origin)
  return { access_token, refresh_token }
}

async function nothingWasLost(service: ServiceProcess, app: Tenant, ledger: Ledger): Promise<void> {
  const statuses = ledger.tenants.map((tenant) => tenant.at(service.agent).manage('GET', '/api/status'))
  for (const { status } of await Promise.all(statuses)) assert.equal(status, 200)
  const stored = new Set((await app.users()).map(({ email }) => email))
  assert.deepEqual(
    ledger.people.filter((email) => !stored.has(email)),
    [],
  )
  for (const session of ledger.sessions) {
    const spent = await Promise.all(session.spent.slice(-20).map(({ access_token }) => app.isValid(access_token)))
    assert.ok(!spent.includes(true))
    // The one that was under way when it died: it happened or it did not, and asking again gives the pair either way.
    const answer = await refresh(app, session)
    assert.equal(answer.status, 200, answer.text)
    acknowledge(session, answer.json)
    assert.equal(await app.isValid(session.current.access_token), true)
    assert.equal(await app.isValid(session.spent.at(-1)?.access_token ?? ''), false)
  }
}

async function started(t: TestContext): Promise<{ service: ServiceProcess; app: Tenant; ledger: Ledger }> {
  const service = await startService(t, BEHIND_A_PROXY)
  const app = await newTenant(service)
  await ownedBy(service, app, 1)
  const sessions: Session[] = []
  for (let number = 0; number < SESSIONS; number++) {
    sessions.push({ current: await signIn(service, app, `first-${number}@example.com`), attempt: 10_000, spent: [] })
  }
  return {
    service,
    app,
    ledger: { tenants: [app], people: sessions.map((_, at) => `first-${at}@example.com`), sessions },
  }
}

test(`killed ${ROUNDS} times under load, it has everything that it acknowledged, and no dead token lives`, async (t) => {
  let { service, app, ledger } = await started(t)
  for (let round = 0; round < ROUNDS; round++) {
    const before = ledger.sessions.map(({ attempt }) => attempt)
    const loading = load(service, app, ledger)
    const isLoaded = async () => ledger.sessions.every(({ attempt }, at) => attempt > (before[at] ?? 0) + 4)
    await soon('it is under load', isLoaded, 10_000)
    await sleep(Math.random() * 300)
    const { signal } = await service.end('SIGKILL')
    assert.equal(signal, 'SIGKILL')
    await loading

    const began = performance.now()
    service = await startService(t, service.settings)
    assert.ok(performance.now() - began < BOOT_MS, `it took ${Math.round(performance.now() - began)} ms to start`)
    app = app.at(service.agent)
    await nothingWasLost(service, app, ledger)
  }

  const home = { engine: 'sqlite', file: path.join(service.settings.DATA_DIR, 'gatehouse.db') } as const
  assert.deepEqual(
    (await raw(home, 'pragma integrity_check')).map((row) => ({ ...row })),
    [{ integrity_check: 'ok' }],
  )
  const [counted] = await raw(
    home,
    `select used from counters where scope = 'tenant:${app.id}' and bucket = 'lifetime'`,
  )
  const [recorded] = await raw(home, `select count(*) as events from events where tenant_id = '${app.id}'`)
  assert.equal(counted?.used, recorded?.events, 'what is counted is what is recorded')

  const [session] = ledger.sessions
  assert.ok(session)
  await app.refreshRefused(session.spent[0]?.refresh_token ?? '', 'refreshTokenReused')
  assert.equal(await app.isValid(session.current.access_token), false)
})
