import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { codeQuery, exchange, newVerifier } from '../support/actors/login-code.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const [button, expected] of [
  ['Continue', /^com\.example\.app:\/callback\?code=svc_ac_[\w-]+$/],
  ['Cancel', /^com\.example\.app:\/callback\?error=access_denied$/],
] as const) {
  test(`in Chromium, ${button} leads to the scheme of an installed app: the policy of the page allows it`, {
    skip: slow,
  }, async (t) => {
    const here = await world(t, { through: 'port' })
    const tenant = await here.agent.createTenant(['com.example.app:/callback'])
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, 390)
    const verifier = newVerifier()
    await page.goto(tenant.loginUrl + codeQuery(verifier))
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('heading', { name: 'Sign in to an app on this device?' }).waitFor()
    await checkLayout('consent-installed-app')
    assert.deepEqual(await accessibilityViolations(page), [])
    const redirected = page.waitForRequest((request) =>
      request.url().startsWith('com.example.app:'),
    )
    await page.getByRole('button', { name: button }).click()
    const url = (await redirected).url()
    assert.match(url, expected)
    assert.deepEqual(
      browserErrors.filter((error) => error.includes('form-action')),
      [],
    )
    const code = new URL(url).searchParams.get('code')
    if (code !== null) {
      assert.equal((await exchange(tenant, { code, verifier })).status, 200)
    }
  })
}
