import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Counter } from '../../src/domain/limits/counter.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import {
  NOW,
  openTestStorage,
  refreshOf,
  rotation,
  signInUser,
} from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'

const minute: Counter = { scope: 'tenant:one-two', window: 'minute', start: NOW }

for (const engine of ENGINES) {
  test(`[${engine}] of 20 concurrent rotations of one generation on two instances, exactly one succeeds`, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    const { resource, session } = await signInUser(one.stores)
    const refresh = await refreshOf(one.stores, resource, rotation(session, NOW + 1))
    const rotations = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? one : two).stores.refresh(refresh),
    )
    const winners = (await Promise.all(rotations)).filter(({ outcome }) => outcome === 'refreshed')
    assert.equal(winners.length, 1)
    assert.equal((await two.stores.sessions.find(resource, session.id))?.generation, 1)
    assert.equal(one.revocations().length + two.revocations().length, 1)
  })

  test(`[${engine}] of 50 concurrent charges on two instances with a limit of 5, exactly 5 succeed`, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    const spent = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? one : two).stores.transaction((open) =>
          open.counters.spend(minute, 1, 5),
        ),
      ),
    )
    assert.deepEqual(spent.filter((used) => used !== null).sort(), [1, 2, 3, 4, 5])
  })

  test(`[${engine}] two processes that refresh the same session get each generation once`, {
    skip: slow,
  }, async (t) => {
    const { stores, database, revocations, storage } = await openTestStorage(t, engine)
    await storage.follow()
    const { resource, session } = await signInUser(stores)
    await refreshOf(stores, resource, rotation(session, NOW))
    const rounds = 50
    const others = [0, 1].map(() =>
      fork(
        new URL('rotating-process.ts', import.meta.url),
        [JSON.stringify({ database, resource, session, rounds })],
        {
          serialization: 'advanced',
        },
      ),
    )
    t.after(() => {
      for (const other of others) {
        other.kill()
      }
    })
    const won = await Promise.all(others.map(generationsWon))
    assert.deepEqual(
      won.flat().sort((a, b) => a - b),
      Array.from({ length: rounds }, (_, index) => index + 1),
    )
    assert.equal((await stores.sessions.find(resource, session.id))?.generation, rounds)
    await waitUntil('the third process receives the last generation', () =>
      revocations().some(
        (revocation) => revocation.kind === 'session' && revocation.generation === rounds,
      ),
    )
  })
}

async function generationsWon(child: ChildProcess): Promise<number[]> {
  const [generations] = (await once(child, 'message')) as [number[]]
  return generations
}
