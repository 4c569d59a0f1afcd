import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { manyEvents, manyExpiredSessions, manyUsers } from '../support/postgres/bulk.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import { EventLoopYields } from '../support/process/event-loop-yields.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

// Sweeps and deletions run in small steps, so that other requests wait for one step at most.

const STEP_ROWS = 250

async function provisioned(t: TestContext, engine: Engine) {
  const service = await world(t, { engine })
  const tenant = await service.agent.createTenant()
  const { stores } = service.app.ctx
  const resource = await stores.resources.findActive(tenant.id)
  assert.ok(resource)
  return { service, tenant, stores, resource }
}

/** The order in which the long operation and a request that starts with it finish. */
async function completionOrder(service: World, long: Promise<unknown>): Promise<string[]> {
  const order: string[] = []
  await Promise.all([
    long.then(() => order.push('the long work')),
    service.agent.call('GET', '/healthz').then(() => order.push('a request')),
  ])
  return order
}

for (const engine of ENGINES) {
  test(`[${engine}] a sweep of many sessions runs in small steps and lets requests in between`, {
    skip: slow,
  }, async (t) => {
    const { service, stores, resource } = await provisioned(t, engine)
    await manyExpiredSessions(service, resource, 5_100)
    const yields = new EventLoopYields()
    const deleted: number[] = []
    const { sweep } = stores.sessions
    t.mock.method(stores.sessions, 'sweep', async (now: number, limit: number) => {
      yields.step()
      const count = await sweep(now, limit)
      deleted.push(count)
      return count
    })

    assert.deepEqual(await completionOrder(service, service.app.sweep()), [
      'a request',
      'the long work',
    ])
    assert.deepEqual(deleted, [...Array(20).fill(STEP_ROWS), 100])
    assert.equal(yields.missing, 0)
    assert.equal(await stores.sessions.countActive(resource, service.clock.now()), 0)
  })

  test(`[${engine}] a deletion of many users and events runs in small steps and lets requests in between`, {
    skip: slow,
  }, async (t) => {
    const { service, tenant, resource } = await provisioned(t, engine)
    // Its start creates the counter of events.
    await service.browser().request(tenant.loginUrl)
    await manyUsers(service, resource, 20 * STEP_ROWS)
    await manyEvents(service, resource, 20 * STEP_ROWS)
    const yields = new EventLoopYields()
    const { stores } = service.app.ctx
    const { transaction } = stores
    t.mock.method(stores, 'transaction', (...args: Parameters<typeof transaction>) => {
      yields.step()
      return transaction(...args)
    })

    const removed = tenant
      .manage('DELETE', '/api/resources/social-login')
      .then(() => service.app.sweep())
    assert.deepEqual(await completionOrder(service, removed), ['a request', 'the long work'])
    // The deletion mark, forty steps, the other rows with the resource's own, and a last step that finds nothing.
    assert.equal(yields.steps, 1 + 40 + 2)
    assert.equal(yields.missing, 0)
  })
}
