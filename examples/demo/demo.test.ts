import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { Browser } from '../../service/test/support/actors/browser.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { startDemo } from './demo.ts'

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
