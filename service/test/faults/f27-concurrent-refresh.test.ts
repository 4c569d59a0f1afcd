import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pair, Tenant } from '../support/actors/agent.ts'
import { ownedApp, randomEmail, signIn } from '../support/faults/app.ts'
import type { Cluster } from '../support/faults/cluster.ts'
import { count, figure, fullOrShort } from '../support/faults/figures.ts'
import { createFixture } from '../support/faults/fixture.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { withinTwoSeconds } from '../support/process/wait-until.ts'

const TOKENS = fullOrShort(500, 10)
const CLIENTS = 50
/** An owner's limit is 750 events a minute, and a sign-in is two. */
const TOKENS_PER_APP = 100

interface AppSession {
  readonly app: Tenant
  readonly pair: Pair
}

async function createSessions(cluster: Cluster): Promise<AppSession[]> {
  const created: AppSession[] = []
  while (created.length < TOKENS) {
    const app = await ownedApp(cluster)
    const some = Math.min(TOKENS_PER_APP, TOKENS - created.length)
    for (let done = 0; done < some; ) {
      const pairs = await Promise.all(
        Array.from({ length: Math.min(10, some - done) }, () =>
          signIn(cluster, app, randomEmail()),
        ),
      )
      for (const pair of pairs) {
        if (pair !== null) {
          created.push({ app, pair })
        }
      }
      done += pairs.filter((pair) => pair !== null).length
    }
  }
  return created
}

/** All clients send the same token at once to all instances. Returns the pairs of the winners. */
async function race({ instances }: Cluster, { app, pair }: AppSession): Promise<Pair[]> {
  const { refresh_token } = pair
  const responses = await Promise.all(
    Array.from({ length: CLIENTS }, (_, at) =>
      app
        .at((instances[at % instances.length] ?? assert.fail()).agent)
        .edge('refresh', { refresh_token }),
    ),
  )
  for (const { status, text } of responses) {
    assert.ok([200, 401, 503].includes(status), text)
  }
  const codes = responses.filter(({ status }) => status === 401).map(({ json }) => json.error.code)
  assert.deepEqual([...new Set(codes)].sort(), ['refreshTokenSuperseded'])
  return responses.filter(({ status }) => status === 200).map(({ json }) => json)
}

for (const engine of ENGINES) {
  test(`[${engine}] F27: ${TOKENS} refresh tokens, each sent by ${CLIENTS} clients at once to two processes, have one successor each`, {
    timeout: 300_000,
  }, async (t) => {
    const { cluster } = await createFixture(t, engine, { instances: 2 })
    const sessions = await createSessions(cluster)
    let won = 0
    for (const each of sessions) {
      const [pair, ...more] = await race(cluster, each)
      assert.equal(more.length, 0, 'I2: one refresh token has at most one successor')
      // Under this load all clients may get 503; then the token is still valid.
      const next = pair ?? (await each.app.refresh(each.pair.refresh_token))
      won += 1
      for (const { agent } of cluster.instances) {
        const app = each.app.at(agent)
        assert.equal(await app.isValid(next.access_token), true)
        await withinTwoSeconds(
          'the old token is invalid',
          async () => !(await app.isValid(each.pair.access_token)),
        )
      }
    }
    for (const app of new Set(sessions.map((each) => each.app))) {
      const users = await app.users()
      const events = await app.manage(
        'GET',
        '/api/social-login/events?event=token_refreshed&limit=500',
      )
      assert.equal(
        events.json.events.length,
        sessions.filter((each) => each.app === app).length,
        `${users.length} users`,
      )
    }
    assert.equal(won, TOKENS)
    assert.deepEqual(cluster.seen.violations, [])
    figure(
      t,
      `F27 [${engine}]: ${count(TOKENS * CLIENTS)} refreshes of ${TOKENS} tokens at two processes, ${won} successors, 0 duplicated (${cluster.seen})`,
    )
  })
}
