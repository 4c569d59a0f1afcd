import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  accessibilityViolations,
  launchedChromium,
  openChromiumPage,
} from '../support/actors/chromium-page.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const [width, scheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const) {
  // proves C273
  test(`at ${width} px (${scheme}) an owner creates a project, copies and downloads its key file, and replaces its keys`, {
    skip: slow,
  }, async (t) => {
    const { baseUrl } = await world(t, { through: 'port' })
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width, scheme)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const check = async (state: string): Promise<void> => {
      await checkLayout(`keys-${state}`)
      assert.deepEqual(await accessibilityViolations(page), [], state)
    }
    const download = async (): Promise<string> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: /^Download/ }).press('Enter'),
      ])
      assert.match(file.suggestedFilename(), /service$/)
      return readFileSync(await file.path(), 'utf8')
    }
    await page.goto(`${baseUrl}/account`)
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('link', { name: 'New project' }).press('Enter')
    await page.getByLabel('Name').fill('Shop')
    await page.getByLabel('Callback URLs').fill('http://shop.example.com/callback')
    await page.getByRole('button', { name: 'Create project' }).press('Enter')
    await page.getByText('Line 1:').waitFor()
    await check('new-project-problem')
    assert.match(browserErrors.splice(0).join(), /status of 400/)
    await page.getByLabel('Callback URLs').fill('https://shop.example.com/callback')
    await page.getByRole('button', { name: 'Create project' }).press('Enter')
    await page.getByRole('heading', { name: 'Your new project' }).waitFor()
    await check('created')

    await page.getByRole('button', { name: /^Copy.*The key file/ }).press('Enter')
    await page.getByRole('button', { name: /^Copied/ }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.match(copied, /svc_man_\w+/)
    assert.equal(await download(), copied)
    await page.getByRole('link', { name: 'Keys', exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Key file' }).waitFor()
    await check('tab')
    assert.equal(await download(), copied)
    await page.getByRole('button', { name: 'Replace keys' }).press('Enter')
    await page.getByRole('heading', { name: 'New keys' }).waitFor()
    await check('replaced')
    assert.notEqual(await download(), copied)
    await page.goBack()
    await page.reload()
    await check('tab-replaced')
    // A download aborts its navigation.
    assert.deepEqual(
      browserErrors.filter((error) => !/keys\/file: net::ERR_ABORTED/.test(error)),
      [],
    )
  })
}

test('without scripts, one click selects the key file and nothing offers to copy', {
  skip: slow,
}, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const context = await (await launchedChromium()).newContext({ javaScriptEnabled: false })
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${baseUrl}/account`)
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.waitForURL(`${baseUrl}/account`)
  await page.goto(`${baseUrl}/account/new-project`)
  await page.getByLabel('Callback URLs').fill('https://shop.example.com/callback')
  await page.getByRole('button', { name: 'Create project' }).click()
  assert.equal(await page.getByRole('button', { name: /Copy/ }).count(), 0)
  await page.getByRole('region', { name: 'The key file' }).click()
  const selected = await page.evaluate<string>('String(getSelection())')
  assert.match(selected, /svc_man_\w+[\s\S]*svc_app_\w+/)
  assert.equal(await page.getByRole('link', { name: 'Download' }).count(), 1)
})
