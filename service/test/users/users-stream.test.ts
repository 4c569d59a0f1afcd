import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listUsers } from '../../src/operations/users/users.ts'
import { manyUsers } from '../support/postgres/bulk.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import { EventLoopYields } from '../support/process/event-loop-yields.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

/** A tenant with many users, and a mock that counts the pages read from the database. */
async function tenantWithUsers(t: TestContext, engine: Engine, userCount: number, bytes: number) {
  const service = await world(t, { through: 'port', engine })
  const tenant = await service.agent.createTenant()
  const { stores } = service.app.ctx
  const { resources, users } = stores
  const resource = await resources.findActive(tenant.id)
  assert.ok(resource)
  await manyUsers(service, resource, userCount, bytes)
  const reads = [t.mock.method(users, 'page').mock, t.mock.method(users, 'records').mock]
  const callCount = (): number => reads.reduce((sum, read) => sum + read.callCount(), 0)
  /** Whether no page is being read, and none begins when everything has run that can run. */
  const areRead = async (): Promise<boolean> => {
    const before = callCount()
    for (const { calls } of reads) {
      await calls.at(-1)?.result
    }
    for (let turns = 0; turns < 20; turns += 1) {
      await nextTurn()
    }
    return callCount() === before
  }
  return { service, tenant, pages: { callCount, areRead } }
}

for (const engine of ENGINES) {
  test(`[${engine}] streaming stops reading the database when the client stops reading`, {
    skip: slow,
  }, async (t) => {
    const userCount = 40_000
    const { service, tenant, pages } = await tenantWithUsers(t, engine, userCount, 1_000)
    const accepted = once(service.app.server, 'connection')
    const headers = { Authorization: `Bearer ${tenant.key}` }
    const request = get(`${service.agent.baseUrl}/api/social-login/users`, {
      headers,
      agent: false,
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const [socket] = (await accepted) as [Socket]

    await waitUntil(
      'the service stops reading',
      async () => (await pages.areRead()) && socket.writableNeedDrain,
    )
    const readAhead = pages.callCount()
    assert.ok(readAhead < 200, `${readAhead} pages of 100 were read ahead`)

    let text = ''
    response.setEncoding('utf8')
    for await (const part of response) {
      text += part
    }
    assert.equal(JSON.parse(text).users.length, userCount)
    assert.equal(pages.callCount(), userCount / 100 + 1)
  })

  test(`[${engine}] streaming stops reading the database when the client disconnects`, {
    skip: slow,
  }, async (t) => {
    const { service, tenant, pages } = await tenantWithUsers(t, engine, 40_000, 1_000)
    const headers = { Authorization: `Bearer ${tenant.key}` }
    for (const list of ['users', 'export', 'export?format=csv']) {
      const earlier = pages.callCount()
      const request = get(`${service.agent.baseUrl}/api/social-login/${list}`, {
        headers,
        agent: false,
      })
      const closed = new Promise<void>((resolve) => {
        service.app.server.once('connection', (socket) => socket.once('close', () => resolve()))
      })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      response.destroy()
      await closed
      await waitUntil('the service stops reading the database', () => pages.areRead())
      const read = pages.callCount() - earlier
      assert.ok(read > 0 && read < 400, `${list}: ${read} pages were read`)
    }
  })

  test(`[${engine}] streaming yields to other requests between two pages`, async (t) => {
    const { service, tenant, pages } = await tenantWithUsers(t, engine, 500, 10)
    const { ctx } = service.app
    const owner = await ctx.stores.tenants.find(tenant.id)
    assert.ok(owner)
    const yields = new EventLoopYields()
    const { rest } = await listUsers(ctx, owner, {})
    for await (const _page of rest) {
      yields.step()
    }
    assert.equal(yields.steps, 4)
    assert.equal(yields.missing, 0)
    assert.equal(pages.callCount(), 6)
  })
}
