import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pair, Tenant } from '../../support/actors/agent.ts'
import {
  claimsOf,
  type FailoverFixture,
  failoverFixture,
  followPrimary,
} from '../../support/faults/failover.ts'
import { count, figure, fullOrShort } from '../../support/faults/figures.ts'
import { newTokenPair } from '../../support/faults/fixture.ts'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { long, slow } from '../../support/tags.ts'

const SIGN_INS = fullOrShort(200, 12)

async function pairs(fixture: FailoverFixture, number: number): Promise<Pair[]> {
  const all: Pair[] = []
  while (all.length < number) {
    all.push(await newTokenPair(fixture))
  }
  return all
}

const eventIds = async (app: Tenant): Promise<number[]> => {
  const ids: number[] = []
  for (;;) {
    const page = await app.events(`&after=${ids.at(-1) ?? 0}`)
    if (page.length === 0) {
      return ids
    }
    ids.push(...page.map(({ id }) => id))
  }
}

/** How many of these tokens are valid, at each instance. */
async function countValid(everywhere: readonly Tenant[], pairs: readonly Pair[]): Promise<number> {
  let valid = 0
  for (const { access_token } of pairs) {
    for (const at of everywhere) {
      if (await at.isValid(access_token)) {
        valid += 1
      }
    }
  }
  return valid
}

for (const connect of ['hosts', 'name'] as const) {
  // proves S021
  test(`F36: after an asynchronous failover (${connect}) no id is assigned twice, no new session is invalid, and no token of a lost session is valid`, {
    skip: sqliteOnly || (connect === 'hosts' ? slow : long),
    timeout: 240_000,
  }, async (t) => {
    const fixture = await failoverFixture(t, { synchronous: false, connect })
    const { pair, cluster, app } = fixture
    const [a, b] = cluster.instances
    assert.ok(a && b)
    const everywhere = cluster.instances.map(({ agent }) => app.at(agent))
    const [untouched, refreshedBefore, signedOutBefore] = await pairs(fixture, 3)
    assert.ok(untouched && refreshedBefore && signedOutBefore)
    await pair.lag()

    // All of this is acknowledged, and lost.
    const lost = await pairs(fixture, SIGN_INS)
    const refreshed = await app.at(a.agent).refresh(refreshedBefore.refresh_token)
    assert.equal(
      (await app.at(b.agent).edge('logout', { refresh_token: signedOutBefore.refresh_token }))
        .status,
      200,
    )
    const lostIds = { events: await eventIds(app), users: (await app.users()).map(({ id }) => id) }
    const last = await eventIds(app)

    await pair.kill()
    await pair.promote()
    followPrimary(fixture)
    const ready = await cluster.ready()
    const kept = {
      events: new Set(await eventIds(app)),
      users: new Set((await app.users()).map(({ id }) => id)),
    }
    assert.ok(lostIds.events.length > kept.events.size, 'events were lost')

    await waitUntil('lost sessions are refused everywhere', async () => {
      for (const at of everywhere) {
        if (await at.isValid(lost[0]?.access_token ?? '')) {
          return false
        }
      }
      return true
    })
    const stillValid = await countValid(everywhere, lost)
    assert.equal(stillValid, 0, 'tokens of lost sessions that are valid')

    const fresh = await pairs(fixture, SIGN_INS)
    const lostSessions = new Set(lost.map((each) => claimsOf(each).sid))
    const twice = fresh.filter((each) => lostSessions.has(claimsOf(each).sid)).length
    const bornInvalid = fresh.length * everywhere.length - (await countValid(everywhere, fresh))
    assert.deepEqual({ twice, bornInvalid }, { twice: 0, bornInvalid: 0 })
    for (const each of fresh.slice(0, 3)) {
      await app.refresh(each.refresh_token)
    }
    const again = (
      ids: readonly number[],
      now: readonly number[],
      before: ReadonlySet<number>,
    ): number[] => now.filter((id) => !before.has(id) && ids.includes(id))
    assert.deepEqual(
      again(lostIds.events, await eventIds(app), kept.events),
      [],
      'event ids assigned twice',
    )
    const users = (await app.users()).map(({ id }) => id)
    assert.deepEqual(again(lostIds.users, users, kept.users), [], 'user ids assigned twice')
    const newer = await app.events(`&after=${last.at(-1)}`)
    assert.ok(
      newer.length >= 2 * SIGN_INS,
      'a reader that continues after its last event misses none',
    )

    // The instances remember what was refreshed and signed out, and write it back.
    for (const at of everywhere) {
      await waitUntil(
        'revocations are written back',
        async () => !(await at.isValid(signedOutBefore.access_token)),
      )
      assert.equal(
        await at.isValid(refreshedBefore.access_token),
        false,
        'replaced before the failover',
      )
      assert.equal(await at.isValid(refreshed.access_token), true)
      assert.equal(await at.isValid(untouched.access_token), true)
    }
    await waitUntil('the log says so', () => {
      const logged = [
        ...cluster.log.matchAll(/repeated: (\d+) sessions ended, (\d+) sessions refreshed/g),
      ]
      return logged.reduce((all, [, ended, again]) => all + Number(ended) + Number(again), 0) === 2
    })
    await app.assertRefreshRejected(signedOutBefore.refresh_token, 'invalidRefreshToken')
    const next = await app.refresh(refreshed.refresh_token)
    assert.equal(
      claimsOf(next).gen,
      claimsOf(refreshed).gen + 1,
      'the session continues with the token that its client has',
    )
    await app.refresh(untouched.refresh_token)
    assert.match(
      cluster.log,
      /PostgreSQL is on timeline 2, its data was on 1: a standby was promoted/,
    )
    assert.match((await a.agent.call('GET', '/metrics')).text, /^gatehouse_database_timeline 2$/m)
    figure(
      t,
      `F36 (${connect}): ${count(lost.length)} sign-ins, a refresh and a sign-out lost; ids assigned twice 0, new sessions invalid 0 of ${fresh.length}, tokens of lost sessions valid 0 of ${lost.length}; ready ${Math.round(ready)} ms after the promotion`,
    )
  })
}
