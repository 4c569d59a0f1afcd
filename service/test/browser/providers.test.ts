import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCallbackApp } from '../support/actors/callback-app.ts'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { EVERY_PROVIDER, ownClient, ownedTenant, putProvider } from '../support/actors/providers.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const LABELS: Readonly<Record<string, RegExp>> = {
  google: /from your Google account/,
  github: /from your GitHub account/,
  microsoft: /from your Microsoft account/,
  apple: /from your Apple account/,
  'oidc-acme': /from your Acme \(localhost:\d+\) account/,
}

for (const name of EVERY_PROVIDER) {
  test(`${name}: an owner tests their client in Chromium at 320 px, and a user signs in with it`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { through: 'port' })
    const { callback, received } = await startCallbackApp(t, 'Welcome')
    const { tenant, owner } = await ownedTenant(service, [callback])
    const { login_url } = await putProvider(tenant, name, ownClient(service.baseUrl, name))
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, 320)
    const cookies =
      owner.cookies.header({ url: new URL(service.baseUrl), method: 'GET', sameSite: true }) ?? ''
    const account = /gatehouse_account=([^;]+)/.exec(cookies)?.[1] ?? ''
    await page
      .context()
      .addCookies([
        { name: 'gatehouse_account', value: account, url: service.baseUrl, sameSite: 'Lax' },
      ])

    const project = `${service.baseUrl}/account/projects/${tenant.id}/settings/providers`
    await page.goto(project)
    await checkLayout(`providers-pending-${name}`)
    assert.deepEqual(await accessibilityViolations(page), [])
    await page.getByRole('button', { name: 'Test sign-in' }).click()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByText('The test sign-in worked. Your client is in use.').waitFor()
    await checkLayout(`providers-active-${name}`)
    assert.deepEqual(await tenant.users(), [])

    // Apple's form arrives without the Lax cookie of the login; the redirect to the same path has it.
    await page.goto(login_url)
    await page.getByRole('button', { name: 'Grace Hopper' }).click()
    await page.getByText(LABELS[name] ?? /never/).waitFor()
    await checkLayout(`consent-${name}`)
    assert.deepEqual(await accessibilityViolations(page), [])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    assert.equal(await tenant.isValid(received[0]?.get('access_token') ?? ''), true)
    const [user] = await tenant.users()
    assert.deepEqual([user?.email, user?.name], ['grace@example.com', 'Grace Hopper'])
    const left = (await page.context().cookies()).map((cookie) => cookie.name)
    assert.ok(!left.includes('gatehouse_apple_name'), left.join())
    assert.deepEqual(browserErrors, [])
  })
}
