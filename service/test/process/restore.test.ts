import assert from 'node:assert/strict'
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { AuthEvent } from '@gatehouse-auth/contract'
import type { Pair, Tenant } from '../support/actors/agent.ts'
import { claim, openClaim, requestClaim, waitForClaim } from '../support/actors/claim.ts'
import { runOperatorCommand } from '../support/actors/operator-command.ts'
import { databaseFor, ENGINES, type Engine, freshFolder } from '../support/postgres/engines.ts'
import { dumpPostgres } from '../support/postgres/pg-dump.ts'
import {
  newTenant,
  type ServiceProcess,
  type Settings,
  startService,
  type TestScope,
  TRUST_LOCAL_PROXY,
} from '../support/process/service-process.ts'
import { waitUntil } from '../support/process/wait-until.ts'

interface Backup {
  readonly by: string
  /** Restores into a new data folder and database. Returns the settings to start there. */
  restore(): Promise<Settings>
}

/** Follows docs/operating.md. */
async function backUp({ settings }: ServiceProcess): Promise<Backup> {
  const { DATABASE_URL } = settings as Settings
  if (DATABASE_URL !== undefined) {
    const dump = await dumpPostgres(DATABASE_URL)
    return {
      by: dump.by,
      async restore() {
        const DATA_DIR = path.join(await freshFolder(), 'data')
        mkdirSync(DATA_DIR, { mode: 0o700 })
        cpSync(path.join(settings.DATA_DIR, 'keys.json'), path.join(DATA_DIR, 'keys.json'))
        return { ...settings, DATA_DIR, DATABASE_URL: await dump.restore() }
      },
    }
  }
  const folder = path.join(await freshFolder(), 'backup')
  const { status, stderr } = await runOperatorCommand(settings, 'backup', folder)
  assert.equal(status, 0, stderr)
  return {
    by: 'the operator command',
    async restore() {
      const DATA_DIR = path.join(await freshFolder(), 'data')
      cpSync(folder, DATA_DIR, { recursive: true })
      return { ...settings, DATA_DIR }
    },
  }
}

/** Refreshes until `stop`. `pairs` has every pair, including the first. */
function keepRefreshing(
  tenant: Tenant,
  first: Pair,
): { readonly pairs: Pair[]; stop(): Promise<void> } {
  const pairs = [first]
  let running = true
  const ended = (async () => {
    while (running) {
      pairs.push(await tenant.refresh((pairs.at(-1) as Pair).refresh_token))
    }
  })()
  return {
    pairs,
    stop() {
      running = false
      return ended
    },
  }
}

/** Refreshes exceed the event limit. */
const UNLIMITED: Settings = { DEV_UNLIMITED: '1' }

/** All events, over all pages. */
async function historyOf(tenant: Tenant): Promise<AuthEvent[]> {
  const history: AuthEvent[] = []
  for (;;) {
    const page = await tenant.events(`&after=${history.at(-1)?.id ?? 0}`)
    if (page.length === 0) {
      return history
    }
    history.push(...page)
  }
}

/** A service that is backed up under writes, keeps writing, and is killed. */
async function lostService(t: TestScope, engine: Engine) {
  const service = await startService(t, {
    ...(await databaseFor(t, engine)),
    ...TRUST_LOCAL_PROXY,
    ...UNLIMITED,
  })
  const [tenant, guest] = [await newTenant(service), await newTenant(service)]
  const owner = service.browser()
  await claim(tenant, owner, 'Grace Hopper')
  await runOperatorCommand(service.settings, 'account', 'set-tier', 'grace@example.com', 'pro')
  const offer = await requestClaim(guest)
  const signIn = (name = 'Ada Lovelace') => tenant.signIn(service.browser(), name)
  const [untouched, refreshedSince] = [await signIn(), await signIn()]
  const [endedBefore, endedSince] = [await signIn(), await signIn()]
  await tenant.edge('logout', { refresh_token: endedBefore.refresh_token })
  const past = await historyOf(tenant)

  const { pairs: chain, stop } = keepRefreshing(tenant, await signIn())
  // Refreshes happen before, during and after the backup.
  const reaches = (length: number) =>
    waitUntil(`${length} pairs were issued`, async () => chain.length >= length)
  await reaches(3)
  const backup = await backUp(service)
  await reaches(chain.length + 2)
  await stop()

  const refreshed = await tenant.refresh(refreshedSince.refresh_token)
  await tenant.edge('logout', { refresh_token: endedSince.refresh_token })
  assert.equal(await tenant.isValid(endedSince.access_token), false)
  const newcomer = await signIn('Alan Turing')
  const [events, users] = [await historyOf(tenant), await tenant.users()]
  await service.end('SIGKILL')
  const tokens = { untouched, refreshedSince, refreshed, endedBefore, endedSince, newcomer }
  return { service, tenant, guest, owner, offer, past, chain, events, users, tokens, backup }
}

for (const engine of ENGINES) {
  describe(`restoring ${engine}`, () => {
    const endings: (() => void)[] = []
    let fixture: Awaited<ReturnType<typeof lostService>>
    before(async () => {
      fixture = await lostService({ after: (end) => void endings.push(end as () => void) }, engine)
    })
    after(() => {
      for (const end of endings) {
        end()
      }
    })

    test(`[${engine}] a backup taken under writes has users, sessions, events, keys and claims of one point in time`, async (t) => {
      const { tenant, guest, offer, past, chain, events, tokens, backup } = fixture
      t.diagnostic(`by ${backup.by}`)
      const back = await startService(t, await backup.restore())
      const [same, stillGuest] = [tenant.at(back.agent), guest.at(back.agent)]

      const { status, tier } = await same.status()
      assert.deepEqual(
        [status, tier, (await stillGuest.status()).status],
        ['claimed', 'pro', 'ephemeral'],
      )
      const edge = await back.agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)
      assert.equal(edge.status, 200, 'the application key')
      assert.deepEqual(
        (await same.users()).map(({ id, email }) => [id, email]),
        [[1, 'ada@example.com']],
      )

      // The backup contains some of the refreshes, and its session matches its events.
      const history = await historyOf(same)
      assert.ok(history.length > past.length && history.length < events.length)
      assert.deepEqual(history, events.slice(0, history.length))
      const refreshes = history.filter(({ event }) => event === 'token_refreshed').length
      await same.assertRefreshRejected(
        (chain[refreshes + 1] as Pair).refresh_token,
        'invalidRefreshToken',
      )
      await same.refresh((chain[refreshes] as Pair).refresh_token)

      assert.equal(await same.isValid(tokens.untouched.access_token), true)
      await same.refresh(tokens.untouched.refresh_token)
      assert.equal(
        await same.isValid(tokens.endedBefore.access_token),
        false,
        'revoked before the backup',
      )
      await same.assertRefreshRejected(tokens.endedBefore.refresh_token, 'invalidRefreshToken')

      assert.equal((await waitForClaim(stillGuest, offer)).json.status, 'pending')
      const browser = back.browser()
      await openClaim(browser, offer)
      await browser.press('Approve')
      assert.equal((await waitForClaim(stillGuest, offer)).json.status, 'approved')
    })

    test(`[${engine}] a restore undoes later changes: spent tokens are valid again, newer ones are unknown`, async (t) => {
      const { tenant, tokens, backup } = fixture
      const back = await startService(t, await backup.restore())
      const same = tenant.at(back.agent)

      // A refresh token issued after the backup is rejected without ending the session.
      await same.assertRefreshRejected(tokens.refreshed.refresh_token, 'invalidRefreshToken')
      await same.refresh(tokens.refreshedSince.refresh_token)
      assert.equal(await same.isValid(tokens.endedSince.access_token), true, 'its logout is undone')
      assert.equal(
        await same.isValid(tokens.newcomer.access_token),
        true,
        'verify uses no database; the token expires within an hour',
      )
      await same.assertRefreshRejected(tokens.newcomer.refresh_token, 'invalidRefreshToken')
    })

    // proves S023
    test(`[${engine}] after "restored --sign-out" no token of the backup is valid, and no id is assigned twice`, async (t) => {
      const { service, tenant, owner, users, events, tokens, backup } = fixture
      const settings = await backup.restore()
      const { status, stdout, stderr } = await runOperatorCommand(
        settings,
        'restored',
        '--sign-out',
      )
      assert.equal(status, 0, stderr)
      assert.match(
        stdout,
        /^Skipped 1000000 ids .*\n.*: 4 of users and 1 of owners\. Disconnected 0 agents\.\n$/,
      )

      const back = await startService(t, settings)
      const same = tenant.at(back.agent)
      for (const { access_token, refresh_token } of [
        tokens.untouched,
        tokens.refreshedSince,
        tokens.endedSince,
      ]) {
        assert.equal(await same.isValid(access_token), false)
        await same.assertRefreshRejected(refresh_token, 'invalidRefreshToken')
      }
      assert.equal(
        await same.isValid(tokens.refreshed.access_token),
        false,
        'issued after the backup, for a session in it',
      )
      assert.equal(
        await same.isValid(tokens.newcomer.access_token),
        false,
        'for a session that began after the backup',
      )
      const insights = await owner.request(
        `http://localhost:${service.settings.PORT}/account/insights/data`,
      )
      assert.equal(insights.status, 401, 'owners must sign in again too')

      await same.signIn(back.browser(), 'Alan Turing')
      const newest = (await same.users()).at(-1)
      assert.equal(newest?.email, 'alan@example.com')
      assert.ok((newest?.id ?? 0) > Math.max(...users.map(({ id }) => id)), 'a new id')
      const newKinds = (await same.events(`&after=${events.at(-1)?.id}`)).map(({ event }) => event)
      assert.deepEqual(
        newKinds,
        ['login_started', 'authorize'],
        'a reader that continues after its last event id misses nothing',
      )
      assert.equal((await same.status()).status, 'claimed', 'tenant keys stay valid')
    })
  })
}
