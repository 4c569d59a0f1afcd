import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seedDemo } from '../../../examples/demo/seed.ts'
import { accountPaths } from '../../src/http/console/paths.ts'
import { openFirefoxPage } from '../support/actors/firefox-page.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

// double-click.test.ts signs in, claims and allows an agent in Firefox.

test('in Firefox an owner opens every tab of a project, saves its callback URLs and ends a session', {
  skip: slow,
}, async (t) => {
  const { app, baseUrl } = await world(t, { through: 'port', realTime: true })
  const { id } = await seedDemo(app.ctx)
  const page = await openFirefoxPage(t)
  if (page === null) {
    return
  }
  const open = (path: string): Promise<void> => page.goto(baseUrl + path)
  await open(accountPaths.home)
  await page.press('Sign in with Google')
  await page.press('Ada Lovelace')
  await page.waitForText('Your projects')
  assert.match(await page.text(), /Firefox on Linux/)

  await open(accountPaths.project(id))
  // The scripts of the page: the live tail, and local times with UTC only on hover.
  await page.waitForText('Live')
  assert.match(await page.text(), /Signed in/)
  await open(accountPaths.users(id))
  assert.match(await page.text(), /@example\.com/)
  await open(accountPaths.callbacks(id))
  await page.press('Save callback URLs')
  await page.waitForText('Callback URLs saved.')
  await open(accountPaths.keys(id))
  assert.match(await page.text(), /Management key/)
  await open(accountPaths.danger(id))
  await page.waitForText('Delete this project')
  await open(accountPaths.sessions(id))
  await page.press('End this session')
  await page.waitForText('Session ended.')
  await page.screenshot('console')
})
