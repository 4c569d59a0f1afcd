import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ApiResponse, Pair, Tenant } from '../support/actors/agent.ts'
import { randomEmail } from '../support/faults/app.ts'
import type { Cluster, Instance } from '../support/faults/cluster.ts'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { figure } from '../support/faults/figures.ts'
import { createFixture, type Fixture, newTokenPair } from '../support/faults/fixture.ts'
import { preload, signalPreload } from '../support/faults/preload.ts'
import { providerCallback } from '../support/faults/scripted-provider.ts'
import { ENGINES, type Engine, freshPostgres } from '../support/postgres/engines.ts'
import { long } from '../support/tags.ts'

interface KillFixture extends Fixture {
  /** From now on, the next commit of the transaction under test kills the process before the response is sent. */
  arm(): Promise<void>
  readonly victim: Instance
}

/** `statement` identifies the transaction: one of its statements must match this pattern. */
async function killAfterCommit(
  t: TestContext,
  engine: Engine,
  statement: string,
): Promise<KillFixture> {
  if (engine === 'sqlite') {
    const settings = preload('kill-after-commit', { FAULT_KILL_AFTER: statement })
    const fixture = await createFixture(t, engine, { settings })
    const victim = fixture.cluster.first
    return { ...fixture, victim, arm: () => signalPreload(victim, 'armed') }
  }
  const database = await freshPostgres()
  const proxy = await faultProxy(t, database)
  const fixture = await createFixture(t, engine, { databases: [proxy.url, database], instances: 1 })
  const victim = fixture.cluster.first
  return {
    ...fixture,
    victim,
    arm: async () => proxy.loseNextCommit(() => victim.service.child.kill('SIGKILL')),
  }
}

/** Waits for the kill and restarts the process without the fault. */
async function restartAfterKill({ victim }: KillFixture): Promise<void> {
  assert.equal((await victim.service.ended).signal, 'SIGKILL')
  await victim.restart({ NODE_OPTIONS: '' })
}

const refresh = (app: Tenant, { refresh_token }: Pair, key?: string): Promise<ApiResponse> =>
  app.edge('refresh', { refresh_token }, key === undefined ? {} : { 'Idempotency-Key': key })

const kinds = async (app: Tenant, { first }: Cluster): Promise<string[]> =>
  app.at(first.agent).eventKinds()

for (const engine of ENGINES) {
  test(`[${engine}] F2: a refresh killed after its commit returns the same pair when retried with its idempotency key`, {
    skip: long,
  }, async (t) => {
    const fixture = await killAfterCommit(t, engine, 'update "?sessions')
    const app = fixture.app.at(fixture.victim.agent)
    const pair = await newTokenPair(fixture)
    await fixture.arm()
    await assert.rejects(refresh(app, pair, 'attempt-0001'))
    await restartAfterKill(fixture)

    assert.equal(
      await app.isValid(pair.access_token),
      false,
      'I3: the committed revocation applies from the first response on',
    )
    const again = await refresh(app, pair, 'attempt-0001')
    assert.equal(again.status, 200, again.text)
    assert.deepEqual(
      (await refresh(app, pair, 'attempt-0001')).json,
      again.json,
      'every retry returns the same pair',
    )
    assert.equal(await app.isValid(again.json.access_token), true)
    assert.equal((await refresh(app, again.json, 'attempt-0002')).status, 200)
    const refreshes = (await kinds(app, fixture.cluster)).filter(
      (kind) => kind === 'token_refreshed',
    )
    assert.equal(refreshes.length, 2, 'I2: one refresh, one event')
    figure(t, `F2 [${engine}]: 1 refresh committed, 0 responses, 1 pair, 1 event`)
  })

  test(`[${engine}] F2: a refresh killed after its commit and retried without an idempotency key is a lost race, and the session continues`, {
    skip: long,
  }, async (t) => {
    const fixture = await killAfterCommit(t, engine, 'update "?sessions')
    const app = fixture.app.at(fixture.victim.agent)
    const pair = await newTokenPair(fixture)
    await fixture.arm()
    await assert.rejects(refresh(app, pair))
    await restartAfterKill(fixture)
    const again = await refresh(app, pair)
    assert.equal(again.status, 401)
    assert.equal(again.json.error.code, 'refreshTokenSuperseded', 'no false reuse alarm')
    assert.equal(await app.isValid(pair.access_token), false)
    assert.equal((await kinds(app, fixture.cluster)).includes('logout'), false)
    figure(
      t,
      `F2 [${engine}]: 1 refresh committed, 0 responses, 0 pairs issued twice, 0 sessions ended`,
    )
  })

  test(`[${engine}] F2: a logout killed after its commit has ended the session, and a retry succeeds`, {
    skip: long,
  }, async (t) => {
    const fixture = await killAfterCommit(t, engine, 'delete from "?sessions')
    const app = fixture.app.at(fixture.victim.agent)
    const pair = await newTokenPair(fixture)
    await fixture.arm()
    await assert.rejects(app.edge('logout', { refresh_token: pair.refresh_token }))
    await restartAfterKill(fixture)
    assert.equal(await app.isValid(pair.access_token), false)
    assert.equal((await app.edge('logout', { refresh_token: pair.refresh_token })).status, 200)
    assert.equal((await refresh(app, pair)).json.error.code, 'invalidRefreshToken')
    assert.deepEqual(await kinds(app, fixture.cluster), ['login_started', 'authorize', 'logout'])
  })

  test(`[${engine}] F2: a user whose sign-in is killed between consent and redirect presses Continue again and is signed in once`, {
    skip: long,
  }, async (t) => {
    const fixture = await killAfterCommit(t, engine, 'insert into "?sessions')
    const { cluster, app } = fixture
    const email = randomEmail()
    const browser = cluster.browser()
    const start = `${cluster.baseUrl}/edge/auth/${app.id}/google`
    await browser.open(providerCallback(await browser.open(start), email))
    await fixture.arm()
    await assert.rejects(browser.press('Continue'))
    await restartAfterKill(fixture)

    const redirectUrl = await browser.press('Continue')
    assert.equal(
      await app
        .at(fixture.victim.agent)
        .isValid(redirectUrl.searchParams.get('access_token') ?? ''),
      true,
    )
    assert.deepEqual(
      (await app.at(fixture.victim.agent).users()).map((user) => user.email),
      [email],
    )
    assert.deepEqual(await kinds(app, cluster), ['login_started', 'authorize'])
  })
}
