import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { readDaily } from '../../service/src/operations/events/insights.ts'
import { Browser } from '../../service/test/support/actors/browser.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { world } from '../../service/test/support/world.ts'
import { startDemo } from './demo.ts'
import { seedDemo } from './seed.ts'

test('npm run demo starts an app with sign-in, and --seed fills a dashboard with a month of logins', async (t) => {
  const DATA_DIR = path.join(await freshFolder(), 'data')
  const demo = await startDemo({
    env: { DATA_DIR, PORT: String(await freePort()) },
    notesPort: 0,
    seed: true,
    log: { write: () => {} },
  })
  t.after(() => demo.close())
  const browser = new Browser({ origins: [demo.serviceUrl, demo.notesUrl] })
  await browser.open(`${demo.notesUrl}/notes`)
  await browser.press('Ada Lovelace')
  await browser.press('Continue')
  assert.equal(browser.page.url.href.split('?')[0], `${demo.notesUrl}/notes`)
  assert.match(browser.page.text, /ada@example\.com|Ada Lovelace/)

  await browser.open(`${demo.serviceUrl}/account`)
  await browser.press('Sign in with Google')
  await browser.press('Ada Lovelace')
  const response = await browser.request(`${demo.serviceUrl}/account/insights/data`)
  const insights = JSON.parse(await response.text())
  const [project] = insights.projects
  assert.equal(project.tenant_id, demo.seededTenantId)
  assert.ok(project.users.total > 10)
  const logins = project.daily.filter((day: { logins: number }) => day.logins > 0)
  assert.ok(logins.length >= 28, 'at least 28 days have logins')
  assert.ok(insights.account.usage.stored_users.used === project.users.total)
})

test('the seeded month agrees with itself: sign-outs end sessions, counts match lists, and the history is in order', async (t) => {
  const { app } = await world(t, { through: 'port', realTime: true })
  const tenant = await seedDemo(app.ctx)
  const { stores } = app.ctx
  const resource = await stores.resources.findActive(tenant.id)
  assert.ok(resource)
  const events = await stores.events.page(resource, { after: 0, limit: 10_000 })
  const times = events.map(({ createdAt }) => createdAt)
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
    'in the order of time',
  )
  const count = (kind: string): number => events.filter(({ event }) => event === kind).length
  assert.equal(count('login_started'), count('authorize') + count('login_failed'))
  assert.ok(count('logout') > 20 && count('token_refreshed') > 20 && count('login_failed') > 2)

  const now = app.ctx.now()
  const sessions = await stores.sessions.active(resource, now, { limit: 1_000 })
  assert.equal(sessions.length, count('authorize') - count('logout'))
  assert.equal(await stores.sessions.countActive(resource, now), sessions.length)
  assert.equal(
    new Set(sessions.map(({ userId }) => userId)).size,
    sessions.length,
    'one browser per user',
  )
  const users = await stores.users.page(resource, { after: 0, limit: 1_000 })
  const signedIn = new Set(
    events.flatMap(({ event, userId }) => (event === 'authorize' ? [userId] : [])),
  )
  assert.deepEqual(
    users.map(({ id }) => id),
    [...signedIn].toSorted((a, b) => Number(a) - Number(b)),
  )
  assert.equal(new Set(users.map(({ email }) => email)).size, users.length)
  const daily = await readDaily(app.ctx, tenant, 31)
  const total = (field: 'logins' | 'logouts' | 'refreshes' | 'starts'): number =>
    daily.reduce((sum, day) => sum + day[field], 0)
  assert.deepEqual(
    [total('logins'), total('logouts'), total('refreshes'), total('starts')],
    [count('authorize'), count('logout'), count('token_refreshed'), count('login_started')],
  )
})
