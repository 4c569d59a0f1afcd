import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '@gatehouse-auth/contract'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { googleProfile } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

const PATH = '/api/social-login/users'

/** Inserts users directly into the store. */
async function fill({ app, clock }: World, tenant: Tenant, count: number): Promise<void> {
  await app.ctx.stores.transaction(async ({ resources, users }) => {
    const resource = await resources.findActive(tenant.id)
    assert.ok(resource)
    for (let index = 0; index < count; index++) {
      await users.insert(resource, googleProfile(`p${index}`), clock.now())
    }
  })
}

const idsOf = (response: ApiResponse): number[] => response.json.users.map(({ id }: User) => id)

/** Follows `Link: rel="next"` to the last page. */
async function pagesFrom(tenant: Tenant, path: string): Promise<number[][]> {
  const pages: number[][] = []
  for (let next: string | null = path; next !== null; ) {
    const response: ApiResponse = await tenant.manage('GET', next)
    assert.equal(response.status, 200, response.text)
    pages.push(idsOf(response))
    const link = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? null
    next = link === null ? null : link.slice(new URL(link).origin.length)
  }
  return pages
}

for (const engine of ENGINES) {
  // proves S009
  test(`[${engine}] users and events of each tenant are numbered from 1, whatever happens at others`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const [first, second] = [await agent.createTenant(), await agent.createTenant()]
    for (const [tenant, user] of [
      [first, 'Ada Lovelace'],
      [first, 'Grace Hopper'],
      [second, 'Ada Lovelace'],
      [first, 'Ada Lovelace'],
    ] as const) {
      await tenant.signIn(browser(), user)
    }
    const numbers = async (tenant: Tenant) => ({
      users: (await tenant.users()).map(({ id }) => id),
      events: (await tenant.events()).map(({ id }) => id),
    })
    assert.deepEqual(await numbers(first), { users: [1, 2], events: [1, 2, 3, 4, 5, 6] })
    assert.deepEqual(await numbers(second), { users: [1], events: [1, 2] })
  })

  // proves C015
  test(`[${engine}] users are listed by ascending id, with the six fields of the specification`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    assert.deepEqual((await tenant.manage('GET', PATH)).json, { users: [] })
    for (const name of ['Grace Hopper', 'Ada Lovelace', 'Alan Turing', 'Grace Hopper']) {
      await tenant.signIn(service.browser(), name)
    }
    const users = await tenant.users()
    assert.deepEqual(
      users.map(({ name, picture }) => [name, picture === null]),
      [
        ['Grace Hopper', false],
        ['Ada Lovelace', false],
        ['Alan Turing', true],
      ],
    )
    for (const [index, user] of users.entries()) {
      assert.deepEqual(Object.keys(user), [
        'id',
        'email',
        'name',
        'picture',
        'first_seen',
        'last_seen',
      ])
      assert.ok(Number.isInteger(user.id) && user.id > (users[index - 1]?.id ?? 0))
      for (const time of [user.first_seen, user.last_seen]) {
        assert.equal(new Date(time).toISOString(), time)
      }
      assert.deepEqual((await tenant.manage('GET', `${PATH}/${user.id}`)).json, { user })
    }
    assert.ok(
      (users[0]?.last_seen ?? '') > (users[0]?.first_seen ?? ''),
      'a second sign-in updates last_seen',
    )
    assert.equal((await tenant.status()).usage.stored_users.used, 3)
  })

  // proves C171
  test(`[${engine}] a full last page of users or events has no Link to another page`, async (t) => {
    const service = await world(t, { engine, env: { DEV_UNLIMITED: '1' } })
    const tenant = await service.agent.createTenant()
    await fill(service, tenant, 4)
    assert.deepEqual(await pagesFrom(tenant, `${PATH}?limit=4`), [[1, 2, 3, 4]])
    assert.deepEqual(await pagesFrom(tenant, `${PATH}?limit=2`), [
      [1, 2],
      [3, 4],
    ])
    assert.deepEqual(await pagesFrom(tenant, `${PATH}?limit=1000`), [[1, 2, 3, 4]])

    for (let started = 0; started < 4; started++) {
      await service.browser().open(tenant.loginUrl)
    }
    const link = async (query: string): Promise<unknown> => {
      const { headers, json } = await tenant.manage('GET', `/api/social-login/events?${query}`)
      return [
        json.events.length,
        /[?&]after=\d+&limit=\d+/.exec(headers.get('link') ?? '')?.[0] ?? null,
      ]
    }
    const [first = 0, second = 0, third = 0] = (await tenant.events()).map(({ id }) => id)
    assert.deepEqual(await link('limit=4'), [4, null])
    assert.deepEqual(await link('limit=3'), [3, `?after=${third}&limit=3`])
    assert.deepEqual(await link(`after=${second}&limit=2&event=login_started`), [2, null])
    assert.deepEqual(await link(`after=${first}&limit=2&wait=5`), [2, `?after=${third}&limit=2`])
    assert.deepEqual(await link('limit=500'), [4, null])
  })

  // proves C069
  test(`[${engine}] thousands of users are listed completely, and every page continues where the previous one ended`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    await fill(service, tenant, 2_500)
    const response = await tenant.manage('GET', PATH)
    const all = idsOf(response)
    assert.equal(all.length, 2_500)
    assert.deepEqual(
      all,
      [...all].sort((a, b) => a - b),
    )
    assert.deepEqual(
      [response.headers.get('link'), response.headers.get('content-length')],
      [null, null],
    )
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)

    for (const limit of [499, 500, 700, 1_000]) {
      const pages = await pagesFrom(tenant, `${PATH}?limit=${limit}`)
      assert.ok(
        pages.every(({ length }) => length <= limit),
        `${limit}`,
      )
      assert.equal(pages.flat().join(), all.join(), `${limit}`)
    }
    const middle = all[1_233] ?? 0
    assert.deepEqual(idsOf(await tenant.manage('GET', `${PATH}?after=${middle}`)), all.slice(1_234))
    assert.deepEqual(
      idsOf(await tenant.manage('GET', `${PATH}?after=${middle}&limit=2`)),
      all.slice(1_234, 1_236),
    )
    for (const after of [all.at(-1), 999_999_999_999_999]) {
      assert.deepEqual(idsOf(await tenant.manage('GET', `${PATH}?after=${after}`)), [])
    }
  })

  test(`[${engine}] a list whose length is a multiple of the page size ends correctly`, async (t) => {
    const service = await world(t, { engine })
    for (const count of [99, 100, 101, 200, 1_000]) {
      const tenant = await service.agent.createTenant()
      await fill(service, tenant, count)
      assert.equal((await tenant.users()).length, count)
    }
  })

  // proves C070, C143, S046
  test(`[${engine}] a user of another tenant or with an invalid id gets 404`, async (t) => {
    const service = await world(t, { engine })
    const [tenant, other] = [await service.agent.createTenant(), await service.agent.createTenant()]
    await tenant.signIn(service.browser())
    await other.signIn(service.browser())
    await other.signIn(service.browser(), 'Grace Hopper')
    const [mine] = await tenant.users()
    const [, theirs] = await other.users()
    assert.deepEqual([mine?.id, theirs?.id], [1, 2], 'each tenant counts its own users')
    for (const id of [
      theirs?.id,
      999_999,
      0,
      -1,
      'abc',
      '1e3',
      '0x1',
      `${mine?.id}.0`,
      `${mine?.id}%20`,
      `%00${mine?.id}`,
      `${mine?.id}%2f`,
      '%zz',
      '9'.repeat(15),
      '9'.repeat(400),
      '９',
      "1'%20or%20'1'='1",
    ]) {
      assert.equal(
        assertApiError(await tenant.manage('GET', `${PATH}/${id}`), 'userNotFound'),
        undefined,
      )
    }
    assert.equal((await tenant.manage('GET', `${PATH}/${mine?.id}`)).json.user.id, mine?.id)
    assertApiError(await tenant.manage('GET', `${PATH}/`), 'unknownRoute')
  })
}

test('an invalid users query is rejected with the path of each problem', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  for (const [query, ...paths] of [
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=-5', 'limit'],
    ['limit=5.5', 'limit'],
    ['limit=%205', 'limit'],
    ['limit=1e2', 'limit'],
    ['after=-1', 'after'],
    ['after=x&limit=0', 'after', 'limit'],
    [`after=${'9'.repeat(16)}`, 'after'],
    ['limit=5&limit=6', 'limit'],
    ['page=2', 'page'],
    ['offset=2&sort=name', 'offset', 'sort'],
  ] as const) {
    assert.deepEqual(problemPaths(await tenant.manage('GET', `${PATH}?${query}`)), paths, query)
  }
  assertApiError(
    await (await service.agent.createTenant(null)).manage('GET', PATH),
    'notProvisioned',
  )
})
