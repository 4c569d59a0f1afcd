import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { Browser } from '../../service/test/support/actors/browser.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { startDemo } from './demo.ts'

test('one command gives a newcomer an app to sign in to, and a dashboard with a month of sign-ins', async (t) => {
  const DATA_DIR = path.join(await freshFolder(), 'data')
  const demo = await startDemo({
    env: { DATA_DIR, PORT: String(await freePort()) },
    notesPort: 0,
    seed: true,
    log: { write: () => {} },
  })
  t.after(() => demo.close())
  const person = new Browser({ origins: [demo.serviceUrl, demo.notesUrl] })
  await person.open(`${demo.notesUrl}/notes`)
  await person.press('Ada Lovelace')
  await person.press('Continue')
  assert.equal(person.page.url.href.split('?')[0], `${demo.notesUrl}/notes`)
  assert.match(person.page.text, /ada@example\.com|Ada Lovelace/)

  await person.open(`${demo.serviceUrl}/account`)
  await person.press('Sign in with Google')
  await person.press('Ada Lovelace')
  const response = await person.request(`${demo.serviceUrl}/account/insights/data`)
  const insights = JSON.parse(await response.text())
  const [project] = insights.projects
  assert.equal(project.tenant_id, demo.seededTenantId)
  assert.ok(project.users.total > 10)
  const logins = project.daily.filter((day: { logins: number }) => day.logins > 0)
  assert.ok(logins.length >= 28, 'nearly every day has sign-ins')
  assert.ok(insights.account.usage.stored_users.used === project.users.total)
})
