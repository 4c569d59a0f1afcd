import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CALLBACK } from '../support/actors/agent.ts'
import { ownedApp, randomEmail, signIn } from '../support/faults/app.ts'
import { count, figure, fullOrShort } from '../support/faults/figures.ts'
import { createFixture, createTraffic } from '../support/faults/fixture.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { isConnectionLost } from '../support/ledger/observed-responses.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { long } from '../support/tags.ts'

const DELETIONS = fullOrShort(30, 6)

for (const engine of ENGINES) {
  test(`[${engine}] F30: ${DELETIONS} social logins deleted while users sign in leave no rows behind, and other apps are unaffected`, {
    skip: long,
    timeout: 180_000,
  }, async (t) => {
    const { cluster } = await createFixture(t, engine)
    const { traffic, ledger } = await createTraffic(t, cluster, 4)
    traffic.start()
    let signIns = 0
    for (let round = 0; round < DELETIONS; round++) {
      const app = await ownedApp(cluster)
      const pairs = [
        await signIn(cluster, app, randomEmail()),
        await signIn(cluster, app, randomEmail()),
      ]
      let isDeleted = false
      // Users keep signing in during the deletion.
      const signingIn = Array.from({ length: 4 }, async () => {
        while (!isDeleted) {
          try {
            await signIn(cluster, app, randomEmail())
            signIns += 1
          } catch (error) {
            if (!isConnectionLost(error) && !/“Continue”/.test(String(error))) {
              throw error
            }
          }
        }
      })
      await sleep(300)
      const response = await app.manage('DELETE', '/api/resources/social-login')
      assert.equal(response.status, 200, response.text)
      isDeleted = true
      await Promise.all(signingIn)
      for (const pair of pairs) {
        const verdict = await app.edge('verify', { access_token: pair?.access_token ?? '' })
        assert.notEqual(verdict.json.valid, true, 'I3: a token of a deleted social login is valid')
      }
      for (const table of ['users', 'sessions', 'events']) {
        const [row] = await raw(
          cluster.database,
          `select count(*) as n from ${table} where tenant_id = '${app.id}'`,
        )
        assert.equal(Number(row?.n), 0, `${table} are left`)
      }
      await app.provision([CALLBACK])
      assert.deepEqual(await app.users(), [], 'a new social login has no old users')
    }
    await traffic.stop()
    await traffic.settle()
    const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
    figure(
      t,
      `F30 [${engine}]: ${DELETIONS} deletions, ${count(signIns)} sign-ins meanwhile, 0 rows left; elsewhere ${count(acknowledged)} acknowledged, 0 lost`,
    )
  })
}
