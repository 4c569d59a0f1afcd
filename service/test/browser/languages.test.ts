import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGE_TAGS } from '../../src/domain/language.ts'
import { messagesIn } from '../../src/http/pages/languages/language.ts'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { claim, requestClaim } from '../support/actors/claim.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const OPERATOR = {
  OPERATOR_NAME: 'Example Inc.',
  TERMS_URL: 'https://example.com/terms',
  SUPPORT_URL: 'https://example.com/support',
}

// proves C243
test('at 390 px consent, error, claim and /me fit the window in every language, and Arabic is mirrored', {
  skip: slow,
}, async (t) => {
  const { agent, browser, baseUrl } = await world(t, { through: 'port', env: OPERATOR })
  const notes = await agent.createTenant(['https://notes.app.example.com/callback'])
  const shop = await agent.createTenant([
    'https://a-shop-with-a-rather-long-name.shop.example.com/callback',
  ])
  await claim(shop, browser(), 'Grace Hopper')
  for (const app of [notes, shop]) {
    await app.signIn(browser())
  }
  const { page, checkLayout, browserErrors } = await openChromiumPage(t, 390)

  await page.goto(notes.loginUrl)
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.waitForURL(/\/auth\/consent\//)
  const consent = page.url()
  await page.goto((await requestClaim(notes)).approval_url)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.waitForURL(/\/claim\//)
  const claimUrl = page.url()
  await page.goto(`${baseUrl}/me`)
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.waitForURL(`${baseUrl}/me`)

  for (const tag of LANGUAGE_TAGS) {
    const { consent: words, errors, claim: claimWords, site } = await messagesIn(tag)
    for (const [name, url, heading] of [
      ['consent', consent, words.heading('notes.app.example.com')],
      [
        'error',
        `${notes.loginUrl}?redirect_uri=https%3A%2F%2Fevil.example%2F`,
        errors.title.invalidRedirectUri,
      ],
      ['claim', claimUrl, claimWords.title],
      ['me', `${baseUrl}/me`, site.yourData],
    ] as const) {
      await page.goto(`${url}${url.includes('?') ? '&' : '?'}ui_locales=${tag}`)
      const shown = await page.getByRole('heading', { level: 1 }).textContent()
      assert.equal(shown, heading, `${name} ${tag}`)
      await checkLayout(`language-${tag}-${name}`)
      if (tag === 'ar') {
        assert.deepEqual(await accessibilityViolations(page), [], name)
      }
      const wordBreak = await page.evaluate('getComputedStyle(document.body).wordBreak')
      assert.equal(
        wordBreak,
        tag === 'ko' ? 'keep-all' : 'normal',
        `${name} ${tag}: Korean breaks between words`,
      )
    }
  }
  assert.equal(await page.evaluate('getComputedStyle(document.body).direction'), 'rtl')
  // The browser logs the error page's status.
  assert.deepEqual(
    browserErrors.filter((error) => !error.includes('status of 400')),
    [],
  )
})
