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

interface Doomed extends Fixture {
  /** The next transaction like the one this was made for is committed, and then the process is gone. */
  doom(): Promise<void>
  readonly victim: Instance
}

/** A process that dies exactly between a commit and its answer. `statement`: what that transaction does. */
async function doomed(t: TestContext, engine: Engine, statement: string): Promise<Doomed> {
  if (engine === 'sqlite') {
    const settings = preload('kill-after-commit', { FAULT_KILL_AFTER: statement })
    const fixture = await createFixture(t, engine, { settings })
    const victim = fixture.cluster.first
    return { ...fixture, victim, doom: () => signalPreload(victim, 'armed') }
  }
  const database = await freshPostgres()
  const proxy = await faultProxy(t, database)
  const fixture = await createFixture(t, engine, { databases: [proxy.url, database], instances: 1 })
  const victim = fixture.cluster.first
  return { ...fixture, victim, doom: async () => proxy.loseNextCommit(() => victim.service.child.kill('SIGKILL')) }
}

/** It is over, and started again without whatever killed it. */
async function comesBack({ victim }: Doomed): Promise<void> {
  assert.equal((await victim.service.ended).signal, 'SIGKILL')
  await victim.restart({ NODE_OPTIONS: '' })
}

const refresh = (app: Tenant, { refresh_token }: Pair, key?: string): Promise<ApiResponse> =>
  app.edge('refresh', { refresh_token }, key === undefined ? {} : { 'Idempotency-Key': key })

const kinds = async (app: Tenant, { first }: Cluster): Promise<string[]> => app.at(first.agent).eventKinds()

for (const engine of ENGINES) {
  test(`[${engine}] F2: a refresh that is killed after its commit gives the same pair when asked for again by its name`, {
    skip: long,
  }, async (t) => {
    const fixture = await doomed(t, engine, 'update "?sessions')
    const app = fixture.app.at(fixture.victim.agent)
    const pair = await newTokenPair(fixture)
    await fixture.doom()
    await assert.rejects(refresh(app, pair, 'attempt-0001'))
    await comesBack(fixture)

    assert.equal(
      await app.isValid(pair.access_token),
      false,
      'I3: what was committed is known from the first answer on',
    )
    const again = await refresh(app, pair, 'attempt-0001')
    assert.equal(again.status, 200, again.text)
    assert.deepEqual((await refresh(app, pair, 'attempt-0001')).json, again.json, 'the same pair, however often')
    assert.equal(await app.isValid(again.json.access_token), true)
    assert.equal((await refresh(app, again.json, 'attempt-0002')).status, 200)
    const refreshes = (await kinds(app, fixture.cluster)).filter((kind) => kind === 'token_refreshed')
    assert.equal(refreshes.length, 2, 'I2: it happened once')
    figure(t, `F2 [${engine}]: 1 refresh committed, 0 answered, 1 pair, 1 event`)
  })

  test(`[${engine}] F2: without a name it is a lost race for 10 seconds: refused, and the session is not ended`, {
    skip: long,
  }, async (t) => {
    const fixture = await doomed(t, engine, 'update "?sessions')
    const app = fixture.app.at(fixture.victim.agent)
    const pair = await newTokenPair(fixture)
    await fixture.doom()
    await assert.rejects(refresh(app, pair))
    await comesBack(fixture)
    const again = await refresh(app, pair)
    assert.equal(again.status, 401)
    assert.equal(again.json.error.code, 'refreshTokenSuperseded', 'no alarm: nobody stole anything')
    assert.equal(await app.isValid(pair.access_token), false)
    assert.equal((await kinds(app, fixture.cluster)).includes('logout'), false)
    figure(t, `F2 [${engine}]: 1 refresh committed, 0 answered, 0 pairs given twice, 0 sessions ended by it`)
  })

  test(`[${engine}] F2: a sign-out that is killed after its commit has happened, and asking again says so`, {
    skip: long,
  }, async (t) => {
    const fixture = await doomed(t, engine, 'delete from "?sessions')
    const app = fixture.app.at(fixture.victim.agent)
    const pair = await newTokenPair(fixture)
    await fixture.doom()
    await assert.rejects(app.edge('logout', { refresh_token: pair.refresh_token }))
    await comesBack(fixture)
    assert.equal(await app.isValid(pair.access_token), false)
    assert.equal((await app.edge('logout', { refresh_token: pair.refresh_token })).status, 200)
    assert.equal((await refresh(app, pair)).json.error.code, 'invalidRefreshToken')
    assert.deepEqual(await kinds(app, fixture.cluster), ['login_started', 'authorize', 'logout'])
  })

  test(`[${engine}] F2: killed between consent and redirect, somebody signs in again and is the same person, once`, {
    skip: long,
  }, async (t) => {
    const fixture = await doomed(t, engine, 'insert into "?sessions')
    const { cluster, app } = fixture
    const email = randomEmail()
    const browser = cluster.browser()
    const start = `${cluster.baseUrl}/edge/auth/${app.id}/google`
    await browser.open(providerCallback(await browser.open(start), email))
    await fixture.doom()
    await assert.rejects(browser.press('Continue'))
    await comesBack(fixture)

    await browser.press('Continue')
    assert.equal(browser.page.status, 410, 'pressing again gives no second pair')
    await browser.open(providerCallback(await browser.open(start), email))
    const landed = await browser.press('Continue')
    assert.equal(await app.at(fixture.victim.agent).isValid(landed.searchParams.get('access_token') ?? ''), true)
    assert.deepEqual(
      (await app.at(fixture.victim.agent).users()).map((user) => user.email),
      [email],
    )
    assert.deepEqual(await kinds(app, cluster), ['login_started', 'authorize', 'login_started', 'authorize'])
  })
}
