import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserDetails } from '@gatehouse-auth/contract'
import { searchUsers } from '../../src/operations/users/users.ts'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { googleProfile } from '../support/postgres/storage.ts'
import { type World, world } from '../support/world.ts'

const PATH = '/api/social-login/users'

const PEOPLE: readonly (readonly [email: string, name: string | null])[] = [
  ['Ada@Example.com', 'Ada Lovelace'],
  ['adam@example.com', 'Żaneta Nowak'],
  ['kelvin@example.com', 'ada byron'],
  ['\u212Aelvin@example.com', null],
  ['zoe@example.com', 'ÖZIL 100%_'],
  ['ADA@example.COM', 'Ada Twin'],
]

const ODD_NAMES: readonly (string | null)[] = [
  "Conan O'Brien",
  'back\\slash \\& \\1',
  'a & b | !c <-> (d):*',
  '\u{1F600}\u{1F601} smile \u{1F602}',
  'Z\u0307aneta',
  '\u0130stanbul \u212Aelvin',
  '\u0958a \u1E9E',
  '"quoted" \'single\' `tick` $1 {x}',
  null,
  'x',
  'yz',
]

/** `skipped`: so many ids are not used. */
async function tenantWithPeople({ agent, app, clock }: World, skipped = 0): Promise<Tenant> {
  const tenant = await agent.createTenant()
  await app.ctx.stores.transaction(async ({ resources, users, counters }) => {
    const resource = (await resources.findActive(tenant.id)) ?? assert.fail()
    await counters.spend(
      { scope: `tenant:${tenant.id}`, window: 'user-ids', start: 0 },
      skipped,
      null,
    )
    for (const [at, [email, name]] of PEOPLE.entries()) {
      await users.insert(resource, googleProfile(`p${at}`, { email, name }), clock.now())
    }
  })
  return tenant
}

const idsOf = ({ status, json, text }: ApiResponse): number[] => {
  assert.equal(status, 200, text)
  return json.users.map(({ id }: UserDetails) => id)
}

for (const engine of ENGINES) {
  // proves C316, S046
  test(`[${engine}] users are found by whole email address, and by the start of email address or name, in either case`, async (t) => {
    const tenant = await tenantWithPeople(await world(t, { engine }))
    const find = async (query: Record<string, string>): Promise<number[]> =>
      idsOf(await tenant.manage('GET', `${PATH}?${new URLSearchParams(query)}`))
    assert.deepEqual(await find({ email: 'aDa@eXample.com' }), [1, 6])
    assert.deepEqual(await find({ email: 'ada@example.co' }), [])
    assert.deepEqual(
      await find({ email: 'kelvin@example.com' }),
      [3],
      'not the address with a Kelvin sign',
    )
    assert.deepEqual(await find({ email: '\u212Aelvin@example.com' }), [4])
    assert.deepEqual(await find({ q: 'AD' }), [1, 2, 3, 6])
    assert.deepEqual(await find({ q: 'ada l' }), [1])
    assert.deepEqual(await find({ q: 'özil 100%' }), [5])
    assert.deepEqual(
      await find({ q: 'z\u0307aneta'.normalize('NFD') }),
      [2],
      'composed as names are',
    )
    for (const q of ['%%', '__', 'lovelace', 'example', "a' or 1=1 --", '\u{10ffff}\u{10ffff}']) {
      assert.deepEqual(await find({ q }), [], q)
    }
    assert.deepEqual(await find({ q: 'ad', after: '1', limit: '2' }), [2, 3])
  })

  // proves C267
  test(`[${engine}] the console finds users by any part of address or name, in each order, and a large list span by span with the same result`, async (t) => {
    const service = await world(t, { engine })
    const { ctx } = service.app
    const created = await tenantWithPeople(service)
    const tenant = (await ctx.stores.tenants.find(created.id)) ?? assert.fail()
    const resource = (await ctx.stores.resources.findActive(tenant.id)) ?? assert.fail()
    service.clock.advance({ minutes: 1 })
    await ctx.stores.transaction(({ users }) =>
      users.update(
        resource,
        2,
        googleProfile('p1', { email: 'adam@example.com', name: 'Żaneta Nowak' }),
        ctx.now(),
      ),
    )
    const search = async (asked: object, limits?: Parameters<typeof searchUsers>[3]) => {
      const page = {
        part: undefined,
        blocked: undefined,
        order: undefined,
        after: 0,
        limit: 9,
        ...asked,
      }
      const { users, hasMore, total, isSortable } = await searchUsers(ctx, tenant, page, limits)
      return [users.map(({ id }) => id), hasMore, total, isSortable]
    }
    for (const [part, ids] of [
      ['LOVE', [1]],
      ['@EXAMPLE', [6, 5, 4, 3, 2, 1]],
      ['żil 1', []],
      ['zil 100%', [5]],
      ['%_', [5]],
      ['kelvin', [3]],
      ["' or 1=1", []],
    ] as const) {
      assert.deepEqual(await search({ part }), [ids, false, ids.length, true], part)
      for (const span of [1, 2, 100]) {
        assert.deepEqual(
          await search({ part }, { sortable: 0, span }),
          [ids, false, null, false],
          `${part} in spans of ${span}`,
        )
      }
    }
    assert.deepEqual(
      await search({ order: 'name' }),
      [[3, 1, 6, 5, 2, 4], false, 6, true],
      'no name last',
    )
    assert.deepEqual(await search({ order: 'name', after: 2, limit: 2 }), [[6, 5], true, 6, true])
    assert.deepEqual(await search({ order: 'last-seen' }), [[2, 6, 5, 4, 3, 1], false, 6, true])
    assert.deepEqual(await search({ order: 'first-seen' }), [[6, 5, 4, 3, 2, 1], false, 6, true])
    const twoOf = (after: number) =>
      search({ part: 'example', after, limit: 2 }, { sortable: 0, span: 3 })
    assert.deepEqual(await twoOf(0), [[6, 5], true, null, false])
    assert.deepEqual(await twoOf(5), [[4, 3], true, null, false])
    assert.deepEqual(await twoOf(3), [[2, 1], false, null, false])
  })

  // proves C267
  test(`[${engine}] a search in spans finds the same users as one statement, whatever the characters and gaps between ids`, async (t) => {
    const service = await world(t, { engine })
    const { ctx } = service.app
    const created = await tenantWithPeople(service, 2_045)
    const tenant = (await ctx.stores.tenants.find(created.id)) ?? assert.fail()
    await ctx.stores.transaction(async ({ resources, users, counters }) => {
      const resource = (await resources.findActive(tenant.id)) ?? assert.fail()
      for (const [at, name] of ODD_NAMES.entries()) {
        // A gap that is longer than a span.
        if (at % 4 === 0) {
          await counters.spend(
            { scope: `tenant:${tenant.id}`, window: 'user-ids', start: 0 },
            16_377,
            null,
          )
        }
        await users.insert(
          resource,
          googleProfile(`odd${at}`, { email: `odd${at}@example.com`, name }),
          ctx.now(),
        )
      }
    })
    const find = async (
      part: string,
      limits?: Parameters<typeof searchUsers>[3],
    ): Promise<number[]> => {
      const page = { part, blocked: undefined, order: undefined, after: 0, limit: 99 }
      return (await searchUsers(ctx, tenant, page, limits)).users.map(({ id }) => id)
    }
    const texts = [...PEOPLE.map(([email]) => email), ...ODD_NAMES.map((name) => name ?? '')]
    const parts = texts.flatMap((text) => [text, text.slice(-2), text.slice(2, 5)])
    for (const part of new Set(
      [...parts, 'Z\u0307a', '\u0958a', "'' & '", '\\', "a':*", 'a | b', '"', 'com\nad'].filter(
        Boolean,
      ),
    )) {
      assert.deepEqual(
        await find(part, { sortable: 0, span: 3 }),
        await find(part),
        JSON.stringify(part),
      )
    }
  })

  // proves C316
  test(`[${engine}] a filtered list continues page by page, and X-Total-Count counts every match`, async (t) => {
    const tenant = await tenantWithPeople(await world(t, { engine }))
    for (const id of [2, 3]) {
      await tenant.manage('POST', `${PATH}/${id}/block`)
    }
    const pages: number[][] = []
    let next: string | null = `${PATH}?q=ad&limit=2&count=true&include=blocked`
    while (next !== null) {
      const response: ApiResponse = await tenant.manage('GET', next)
      assert.equal(response.headers.get('x-total-count'), '4')
      pages.push(idsOf(response))
      for (const user of response.json.users) {
        assert.equal(user.blocked, [2, 3].includes(user.id))
      }
      const link: string | null =
        /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? null
      next = link === null ? null : link.slice(new URL(link).origin.length)
    }
    assert.deepEqual(pages, [
      [1, 2],
      [3, 6],
    ])
    const counted = async (query: string): Promise<unknown[]> => {
      const response = await tenant.manage('GET', `${PATH}?count=true&${query}`)
      return [idsOf(response), response.headers.get('x-total-count')]
    }
    assert.deepEqual(await counted('blocked=true'), [[2, 3], '2'])
    assert.deepEqual(await counted('blocked=false&limit=1'), [[1], '4'])
    assert.deepEqual(await counted('q=ad&blocked=true'), [[2, 3], '2'])
    assert.deepEqual(await counted('email=ada@example.com&blocked=true'), [[], '0'])
    assert.deepEqual(await counted('after=5'), [[6], '6'])
    assert.equal((await tenant.manage('GET', PATH)).headers.get('x-total-count'), null)
  })

  // proves C317
  test(`[${engine}] metadata, blocked and identities are in a user only if the request includes them`, async (t) => {
    const tenant = await tenantWithPeople(await world(t, { engine }))
    await tenant.manage('PUT', `${PATH}/1/metadata`, { metadata: { plan: 'pro' } })
    const plain = ['id', 'email', 'name', 'picture', 'first_seen', 'last_seen']
    const fields = async (query: string): Promise<string[][]> => {
      const listed = (await tenant.manage('GET', `${PATH}${query}`)).json.users[0]
      const one = (await tenant.manage('GET', `${PATH}/1${query}`)).json.user
      assert.deepEqual(one, listed)
      return [Object.keys(one), [one.metadata?.plan, one.blocked, one.identities?.[0]?.subject]]
    }
    assert.deepEqual(await fields(''), [plain, [undefined, undefined, undefined]])
    assert.deepEqual(await fields('?include=blocked'), [
      [...plain, 'blocked'],
      [undefined, false, undefined],
    ])
    assert.deepEqual(await fields('?include=identities,metadata,blocked'), [
      [...plain, 'metadata', 'blocked', 'identities'],
      ['pro', false, 'subject-of-p0'],
    ])
    assert.deepEqual(await fields('?include=identities'), [
      [...plain, 'identities'],
      [undefined, undefined, 'subject-of-p0'],
    ])
  })
}

test('an invalid search of users is rejected with the path of each problem', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  for (const [query, ...paths] of [
    ['q=a', 'q'],
    ['q=', 'q'],
    [`q=${'x'.repeat(255)}`, 'q'],
    ['email=', 'email'],
    ['email=a@b.c&q=ab', 'q'],
    ['blocked=1', 'blocked'],
    ['count=yes', 'count'],
    ['include=', 'include[0]'],
    ['include=metadata,secrets', 'include[1]'],
    ['q=ab&q=cd', 'q'],
  ] as const) {
    assert.deepEqual(problemPaths(await tenant.manage('GET', `${PATH}?${query}`)), paths, query)
  }
  for (const [method, path] of [
    ['POST', '/block'],
    ['POST', '/unblock'],
    ['DELETE', ''],
    ['GET', '/sessions'],
    ['DELETE', '/sessions'],
    ['GET', '/metadata'],
  ] as const) {
    for (const id of ['7', 'x', '9'.repeat(15), '9'.repeat(400)]) {
      assertApiError(await tenant.manage(method, `${PATH}/${id}${path}`), 'userNotFound')
    }
  }
})
