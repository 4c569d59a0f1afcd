import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTH_EVENT_KINDS, type AuthEventKind } from '@gatehouse-auth/contract'
import type { NewAuthEvent } from '../../../src/domain/events/auth-event.ts'
import { REFRESH_TOKEN_MS } from '../../../src/domain/sessions/session.ts'
import type { DayTally, Resource, Stores } from '../../../src/domain/stores/stores.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import {
  appendEvent,
  googleProfile,
  HOUR_MS,
  NOW,
  newEvent,
  newSession,
  openTestStorage,
  raw,
  refreshSession,
  rotation,
  signInUser,
  type TestStorage,
} from '../../support/postgres/storage.ts'
import { slow } from '../../support/tags.ts'

const happened = (event: AuthEventKind, createdAt: number): NewAuthEvent =>
  newEvent(event, { createdAt })

/** Events of all kinds over several days, slightly out of order. */
const history = (count: number): NewAuthEvent[] =>
  Array.from({ length: count }, (_, index) =>
    happened(
      AUTH_EVENT_KINDS[(index * index) % AUTH_EVENT_KINDS.length] as AuthEventKind,
      NOW + index * 2 * HOUR_MS - (index % 3) * HOUR_MS,
    ),
  )

const append = async (stores: Stores, resource: Resource, events: readonly NewAuthEvent[]) => {
  for (const event of events) {
    await appendEvent(stores, resource, event)
  }
}

/** Counted from the events. */
async function counted(stores: Stores, resource: Resource, fromDay = ''): Promise<DayTally[]> {
  const counts: DayTally[] = []
  for (const { event, createdAt } of await stores.events.page(resource, {
    after: 0,
    limit: 100_000,
  })) {
    const day = new Date(createdAt).toISOString().slice(0, 10)
    if (day < fromDay) {
      continue
    }
    const at = counts.findIndex((each) => each.day === day && each.event === event)
    if (at === -1) {
      counts.push({ day, event, count: 1 })
    } else {
      counts[at] = { day, event, count: (counts[at] as DayTally).count + 1 }
    }
  }
  return counts
}

const sorted = (tallies: readonly DayTally[]) =>
  tallies.map(({ day, event, count }) => `${day} ${event} ${count}`).sort()

async function assertExact(stores: Stores, resource: Resource): Promise<void> {
  for (const fromDay of ['', '2027-01-18', '2027-01-31', '2099-01-01']) {
    const daily = await stores.events.daily(resource, fromDay)
    assert.deepEqual(sorted(daily), sorted(await counted(stores, resource, fromDay)))
    assert.deepEqual(
      daily.map(({ day }) => day),
      daily.map(({ day }) => day).sort(),
    )
  }
}

const tallyAll = async (
  { stores }: TestStorage,
  resource: Resource,
  limit: number,
): Promise<number> => {
  let tallied = 0
  while ((await stores.events.listUntallied(10)).length > 0) {
    tallied += await stores.events.tally(resource, limit)
  }
  return tallied
}

for (const engine of ENGINES) {
  test(`[${engine}] daily totals are exact before, during and after tallying`, {
    skip: slow,
  }, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource } = await signInUser(stores)
    const { resource: other } = await signInUser(stores, 'other-tenant')
    assert.deepEqual(await stores.events.daily(resource, ''), [])
    await append(stores, resource, history(100))
    await append(stores, other, history(7))
    await assertExact(stores, resource)

    assert.equal(await stores.events.tally(resource, 30), 30)
    await assertExact(stores, resource)
    assert.equal(await stores.events.tally(resource, 30), 30)
    assert.equal(await stores.events.tally(resource, 1_000), 40)
    assert.equal(await stores.events.tally(resource, 1_000), 0)
    await assertExact(stores, resource)
    await assertExact(stores, other)

    await append(stores, resource, history(20))
    await assertExact(stores, resource)
    assert.equal(await stores.events.tally(resource, 1_000), 20)
    await assertExact(stores, resource)
  })

  test(`[${engine}] days are in UTC, to the millisecond`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource } = await signInUser(stores)
    const midnight = Date.parse('2027-03-01T00:00:00Z')
    const moments = [midnight - 1, midnight, midnight + 24 * HOUR_MS - 1, midnight + 24 * HOUR_MS]
    const expected = [
      { day: '2027-02-28', event: 'logout', count: 1 },
      { day: '2027-03-01', event: 'logout', count: 2 },
      { day: '2027-03-02', event: 'logout', count: 1 },
    ]
    await append(
      stores,
      resource,
      moments.map((at) => happened('logout', at)),
    )
    assert.deepEqual(await stores.events.daily(resource, ''), expected)
    assert.deepEqual(await stores.events.daily(resource, '2027-03-01'), expected.slice(1))
    await stores.events.tally(resource, 10)
    assert.deepEqual(await stores.events.daily(resource, ''), expected)
    assert.deepEqual(await stores.events.daily(resource, '2027-03-01'), expected.slice(1))
  })

  test(`[${engine}] two instances that tally while events arrive count each event once`, {
    skip: slow,
  }, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    const { resource } = await signInUser(one.stores)
    await append(one.stores, resource, history(100))
    const arriving = history(60).map((event, index) => {
      const { stores } = index % 2 === 0 ? one : two
      return stores.transaction(async (open) => {
        await appendEvent(open, resource, event)
      })
    })
    const tallied = [
      tallyAll(one, resource, 3),
      tallyAll(two, resource, 7),
      tallyAll(one, resource, 5),
    ]
    await Promise.all(arriving)
    const sum = (await Promise.all(tallied)).reduce((total, each) => total + each, 0)
    assert.equal(sum + (await tallyAll(one, resource, 1_000)), 160)
    await assertExact(two.stores, resource)
    const [row] = await raw(one.database, 'select sum(count) as total from day_tallies')
    assert.equal(Number(row?.total), 160)
  })

  test(`[${engine}] resources with untallied events are listed in turn`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const ids: number[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const { resource } = await signInUser(stores, `tenant-${name}`)
      if (name === 'b') {
        continue
      }
      await append(stores, resource, history(3))
      if (name === 'c') {
        await stores.events.tally(resource, 10)
      } else {
        ids.push(resource.id)
      }
    }
    const list = async (limit: number) =>
      (await stores.events.listUntallied(limit)).map(({ id }) => id)
    assert.deepEqual(await list(10), ids)
    assert.deepEqual(await list(2), ids.slice(0, 2))
    assert.deepEqual(await list(2), ids.slice(2))
    assert.deepEqual(await list(10), ids)

    const [first] = await stores.events.listUntallied(1)
    assert.deepEqual(first, await stores.resources.findActive('tenant-a'))
    await stores.resources.markDeleted('tenant-a', NOW)
    assert.deepEqual(await list(10), ids.slice(1), 'from its position')
    assert.deepEqual(await list(10), ids.slice(1), 'and from the start')
  })

  // proves C374
  test(`[${engine}] old events are removed in steps once they are tallied, and no daily total changes`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource } = await signInUser(stores)
    const { resource: other } = await signInUser(stores, 'other-tenant')
    const before = NOW + 10 * 24 * HOUR_MS
    await append(
      stores,
      resource,
      [0, 1, 5, 9, 10, 20].flatMap((day) =>
        (['authorize', 'logout'] as const).map((event) =>
          happened(event, NOW + day * 24 * HOUR_MS),
        ),
      ),
    )
    await append(stores, other, [happened('authorize', before)])
    const kept = async () =>
      (await stores.events.page(resource, { after: 0, limit: 100 })).map(({ id }) => id)
    assert.equal(await stores.events.removeOlder(resource, before, 100), 0, 'not tallied')
    await stores.events.tally(resource, 6)
    assert.equal(await stores.events.removeOlder(resource, before, 4), 4)
    assert.equal(
      await stores.events.removeOlder(resource, before, 4),
      2,
      'up to the last one that is tallied',
    )
    await stores.events.tally(resource, 100)
    const totals = await stores.events.daily(resource, '')
    assert.deepEqual(
      (await stores.events.listOlder(before, 10)).map(({ id }) => id),
      [resource.id],
    )
    assert.equal(await stores.events.removeOlder(resource, before, 100), 2)
    assert.deepEqual(await kept(), [9, 10, 11, 12])
    assert.deepEqual(await stores.events.daily(resource, ''), totals)
    assert.equal(totals.length, 12)
    assert.deepEqual(await stores.events.listOlder(before, 10), [])
    assert.equal(
      await appendEvent(stores, resource, happened('logout', before)),
      13,
      'no id is used again',
    )
  })

  test(`[${engine}] a deleted resource returns and tallies nothing, and its tallies are purged in chunks`, async (t) => {
    const { stores, database } = await openTestStorage(t, engine)
    const { resource } = await signInUser(stores)
    const { resource: other } = await signInUser(stores, 'other-tenant')
    for (const each of [resource, other]) {
      await append(
        stores,
        each,
        [0, 1, 2, 3].map((day) => happened('authorize', NOW + day * 24 * HOUR_MS)),
      )
      await stores.events.tally(each, 3)
    }
    await stores.resources.markDeleted(resource.tenantId, NOW)
    assert.deepEqual(await stores.events.daily(resource, ''), [])
    assert.deepEqual(await stores.events.recent(resource, 0, 10), [])
    assert.deepEqual(
      await stores.users.page(resource, { after: 0, limit: 10, newestFirst: true }),
      [],
    )
    assert.equal(await stores.users.count(resource), 0)
    assert.deepEqual(await stores.sessions.active(resource, NOW, { limit: 10 }), [])
    assert.equal(await stores.sessions.countActive(resource, NOW), 0)
    assert.equal(await stores.events.tally(resource, 10), 0)

    const rows: number[] = []
    do {
      rows.push((await stores.resources.purge(resource.tenantId, resource.id, 2)).rows)
    } while (rows.at(-1) !== 0)
    // A session, four events, a user, three tallies, and the resource itself.
    assert.deepEqual(rows, [2, 2, 2, 2, 2, 0])
    const left = await raw(database, 'select distinct tenant_id from day_tallies')
    assert.deepEqual(
      left.map((row) => row.tenant_id),
      ['other-tenant'],
    )
    assert.equal((await stores.events.daily(other, '')).length, 4)
  })

  test(`[${engine}] recent events of all kinds come newest first, none at or before the given time`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource } = await signInUser(stores)
    const { resource: other } = await signInUser(stores, 'other-tenant')
    for (const [index, kind] of [...AUTH_EVENT_KINDS, ...AUTH_EVENT_KINDS].entries()) {
      await appendEvent(stores, resource, {
        ...happened(kind, NOW + index),
        metadata: { by: String(index) as 'user' },
      })
      await appendEvent(stores, other, happened(kind, NOW + index))
    }
    const recent = async (since: number, limit: number) =>
      (await stores.events.recent(resource, since, limit)).map(({ metadata }) =>
        Number(metadata.by),
      )
    assert.deepEqual(await recent(0, 100), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    assert.deepEqual(await recent(0, 3), [11, 10, 9])
    assert.deepEqual(await recent(NOW + 8, 100), [11, 10, 9])
    assert.deepEqual(await recent(NOW + 8, 2), [11, 10])
    assert.deepEqual(await recent(NOW + 11, 100), [])
    const [last] = await stores.events
      .page(resource, { after: 0, limit: 100, event: 'logout' })
      .then((all) => all.slice(-1))
    assert.deepEqual(await stores.events.recent(resource, 0, 1), [last])

    const all = (await stores.events.newest(resource, { limit: 100 })).map(({ id }) => id)
    assert.deepEqual(
      all,
      [...all].sort((a, b) => b - a),
    )
    const pages = [await stores.events.newest(resource, { limit: 7 })]
    pages.push(
      await stores.events.newest(resource, { limit: 7, before: pages[0]?.at(-1)?.id ?? 0 }),
    )
    assert.deepEqual(
      pages.flat().map(({ id }) => id),
      all,
      'pages join without a gap',
    )
    const logouts = await stores.events.newest(resource, {
      limit: 1,
      event: 'logout',
      before: last?.id ?? 0,
    })
    assert.deepEqual(
      logouts.map(({ event, metadata }) => [event, metadata.by]),
      [['logout', '5']],
    )
    assert.deepEqual(await stores.events.newest(resource, { limit: 10, userId: 99 }), [])
  })

  test(`[${engine}] users are counted, and recent users come newest first`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource } = await signInUser(stores)
    await signInUser(stores, 'other-tenant')
    const eve = {
      ...(await stores.users.insert(resource, googleProfile('eve'), NOW)),
      lastSeen: NOW,
    }
    const bob = {
      ...(await stores.users.insert(resource, googleProfile('bob'), NOW)),
      lastSeen: NOW,
    }
    assert.equal(await stores.users.count(resource), 3)
    const newest = (after: number, limit: number, prefix?: string) =>
      stores.users.page(resource, { after, limit, prefix, newestFirst: true })
    assert.deepEqual(await newest(0, 2), [bob, eve])
    assert.deepEqual(await newest(bob.id, 1), [eve])
    assert.equal((await newest(0, 10)).length, 3)
    assert.deepEqual(await newest(0, 1, 'eve'), [eve])
    assert.deepEqual(await newest(eve.id, 10, 'eve'), [])
  })

  test(`[${engine}] refreshable sessions are counted and listed in pages, the newest first`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource, userId, session } = await signInUser(stores)
    await signInUser(stores, 'other-tenant')
    const eve = await stores.users.insert(resource, googleProfile('eve'), NOW)
    const hers = await stores.sessions.start(
      resource,
      newSession(eve.id, { createdAt: NOW + 5, rotatedAt: NOW + 5 }),
    )
    await stores.sessions.start(resource, newSession(userId, { expiresAt: NOW + 20 }))
    await stores.sessions.start(resource, newSession(userId, { absoluteExpiresAt: NOW + 20 }))
    await refreshSession(stores, resource, rotation(session, NOW + 10))

    const now = NOW + 20
    assert.equal(await stores.sessions.countActive(resource, now - 1), 4)
    assert.equal(await stores.sessions.countActive(resource, now), 2)
    const both = await stores.sessions.active(resource, now, { limit: 10 })
    assert.deepEqual(both, [
      {
        id: hers.id,
        userId: eve.id,
        email: 'eve@example.com',
        createdAt: NOW + 5,
        rotatedAt: NOW + 5,
      },
      { id: session.id, userId, email: 'ada@example.com', createdAt: NOW, rotatedAt: NOW + 10 },
    ])
    const pages = [
      await stores.sessions.active(resource, now, { limit: 1 }),
      await stores.sessions.active(resource, now, { limit: 1, before: hers.id }),
      await stores.sessions.active(resource, now, { limit: 1, before: session.id }),
    ]
    assert.deepEqual(
      pages,
      [[both[0]], [both[1]], []],
      'pages join without a gap, and expired sessions are in none',
    )
    assert.equal(await stores.sessions.countActive(resource, NOW + REFRESH_TOKEN_MS + 10), 0)
  })

  test(`[${engine}] insights never return another tenant's data, even for its ids`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource } = await signInUser(stores)
    await append(stores, resource, history(5))
    await stores.events.tally(resource, 2)
    const other = await stores.resources.provision('other-tenant', [], NOW)
    for (const theirs of [other, { ...resource, tenantId: 'other-tenant' }]) {
      assert.deepEqual(
        await stores.users.page(theirs, { after: 0, limit: 10, newestFirst: true }),
        [],
      )
      assert.equal(await stores.users.count(theirs), 0)
      assert.deepEqual(await stores.sessions.active(theirs, NOW, { limit: 10 }), [])
      assert.equal(await stores.sessions.countActive(theirs, NOW), 0)
      assert.deepEqual(await stores.events.recent(theirs, 0, 10), [])
      assert.deepEqual(await stores.events.daily(theirs, ''), [])
      assert.equal(await stores.events.tally(theirs, 10), 0)
    }
    assert.equal(await stores.events.tally(resource, 10), 3)
  })
}
