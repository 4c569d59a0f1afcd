import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pair, Tenant } from '../support/actors/agent.ts'
import { ownedApp, randomEmail, signIn } from '../support/faults/app.ts'
import type { Cluster } from '../support/faults/cluster.ts'
import { count, figure, fullOrShort } from '../support/faults/figures.ts'
import { createFixture } from '../support/faults/fixture.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'

const TOKENS = fullOrShort(500, 60)
const AT_ONCE = 50
/** An owner's minute has room for 750 events, and a sign-in is two. */
const TOKENS_IN_AN_APP = 100

interface Held {
  readonly app: Tenant
  readonly pair: Pair
}

async function sessions(cluster: Cluster): Promise<Held[]> {
  const held: Held[] = []
  while (held.length < TOKENS) {
    const app = await ownedApp(cluster)
    const some = Math.min(TOKENS_IN_AN_APP, TOKENS - held.length)
    for (let done = 0; done < some; ) {
      const pairs = await Promise.all(
        Array.from({ length: Math.min(10, some - done) }, () => signIn(cluster, app, randomEmail())),
      )
      for (const pair of pairs) if (pair !== null) held.push({ app, pair })
      done += pairs.filter((pair) => pair !== null).length
    }
  }
  return held
}

/** Everybody brings the same token at once, here and there. The one who wins gets the only pair. */
async function race({ instances }: Cluster, { app, pair }: Held): Promise<Pair[]> {
  const { refresh_token } = pair
  const responses = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) =>
      app.at((instances[at % instances.length] ?? assert.fail()).agent).edge('refresh', { refresh_token }),
    ),
  )
  for (const { status, text } of responses) assert.ok([200, 401, 503].includes(status), text)
  const codes = responses.filter(({ status }) => status === 401).map(({ json }) => json.error.code)
  assert.deepEqual([...new Set(codes)].sort(), ['refreshTokenSuperseded'])
  return responses.filter(({ status }) => status === 200).map(({ json }) => json)
}

for (const engine of ENGINES) {
  test(`[${engine}] F27: ${TOKENS} refresh tokens, each brought by ${AT_ONCE} at once to two processes, have one successor each`, {
    timeout: 300_000,
  }, async (t) => {
    const { cluster } = await createFixture(t, engine, { instances: 2 })
    const held = await sessions(cluster)
    let won = 0
    for (const each of held) {
      const [pair, ...more] = await race(cluster, each)
      assert.equal(more.length, 0, 'I2: one refresh token has at most one successor')
      // Under this load all fifty may have been told to come back; then the token still works.
      const next = pair ?? (await each.app.refresh(each.pair.refresh_token))
      won += 1
      for (const { agent } of cluster.instances) {
        const app = each.app.at(agent)
        assert.equal(await app.isValid(next.access_token), true)
        await waitUntil('the old one is dead', async () => !(await app.isValid(each.pair.access_token)))
      }
    }
    for (const app of new Set(held.map((each) => each.app))) {
      const users = await app.users()
      const events = await app.manage('GET', '/api/social-login/events?event=token_refreshed&limit=500')
      assert.equal(events.json.events.length, held.filter((each) => each.app === app).length, `${users.length} people`)
    }
    assert.equal(won, TOKENS)
    assert.deepEqual(cluster.seen.violations, [])
    figure(
      t,
      `F27 [${engine}]: ${count(TOKENS * AT_ONCE)} refreshes of ${TOKENS} tokens at two processes, ${won} successors, 0 doubled (${cluster.seen})`,
    )
  })
}
