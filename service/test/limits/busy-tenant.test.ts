import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Tenant } from '../support/actors/agent.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves S010
  test(`[${engine}] a tenant refreshes while forty refreshes of another wait for the database`, {
    skip: slow,
  }, async (t) => {
    const { service, busy, other } = await twoTenants(t, engine)
    const pair = await busy.signIn(service.browser(), 'Ada Lovelace')
    const { refresh_token } = await other.signIn(service.browser(), 'Ada Lovelace')
    const held = holdRefreshes(t, service, busy.id)

    const waiting = Promise.all(Array.from({ length: 40 }, () => busy.edge('refresh', pair)))
    try {
      await waitUntil('its share is used up', () => held.count() > 0)
      assert.equal((await other.edge('refresh', { refresh_token })).status, 200)
      assert.ok(
        held.count() <= 32,
        `${held.count()} requests of the busy tenant reached the database`,
      )
    } finally {
      held.release()
    }
    const statuses = (await waiting).map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted(),
      [200, ...Array.from({ length: 39 }, () => 401)],
      'one of them wins',
    )
  })

  test(`[${engine}] a login of one tenant starts while ten starts of another wait for the database`, async (t) => {
    const { service, busy, other } = await twoTenants(t, engine)
    const held = holdStarts(t, service, busy.id)

    const start = ({ loginUrl }: Tenant) => service.browser().request(loginUrl)
    const waiting = Promise.all(Array.from({ length: 10 }, () => start(busy)))
    try {
      await waitUntil('its share is used up', () => held.count() > 0)
      assert.equal((await start(other)).status, 302)
      assert.ok(
        held.count() <= 2,
        `${held.count()} requests of the busy tenant reached the database`,
      )
    } finally {
      held.release()
    }
    assert.ok((await waiting).every(({ status }) => status === 302 || status === 429))
  })
}

async function twoTenants(t: TestContext, engine: World['engine']) {
  const service = await world(t, { engine })
  return {
    service,
    busy: await service.agent.createTenant(),
    other: await service.agent.createTenant(),
  }
}

/** Calls of the busy tenant that reached the database and got no response yet. */
interface Held {
  count(): number
  release(): void
}

function holding(): Held & { hold(): Promise<void> } {
  let count = 0
  const released = Promise.withResolvers<void>()
  return {
    count: () => count,
    release: () => released.resolve(),
    hold: () => {
      count += 1
      return released.promise
    },
  }
}

function holdRefreshes(t: TestContext, { app }: World, tenantId: string): Held {
  const held = holding()
  const { refresh } = app.ctx.stores
  t.mock.method(app.ctx.stores, 'refresh', async (request: Parameters<typeof refresh>[0]) => {
    if (request.tenant.id === tenantId) {
      await held.hold()
    }
    return refresh(request)
  })
  return held
}

function holdStarts(t: TestContext, { app }: World, tenantId: string): Held {
  const held = holding()
  const { tenants } = app.ctx.stores
  const { find } = tenants
  t.mock.method(tenants, 'find', async (id: string) => {
    if (id === tenantId) {
      await held.hold()
    }
    return find(id)
  })
  return held
}
