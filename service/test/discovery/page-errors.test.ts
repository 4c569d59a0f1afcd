import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_ERRORS, type ApiErrorCode } from '@gatehouse-auth/contract'
import { requestClaim } from '../support/actors/claim.ts'
import { world } from '../support/world.ts'

// The tests of each flow cover the pages themselves.

async function assertCode(response: Response, code: ApiErrorCode): Promise<void> {
  const text = await response.text()
  assert.equal(response.status, API_ERRORS[code].status, text)
  const { error } = JSON.parse(text)
  assert.equal(error.code, code)
  assert.ok(error.docs_url.endsWith(`/docs/errors#${code}`))
}

test('error pages are JSON with an error code for clients that do not accept HTML', async (t) => {
  const { agent, baseUrl, browser } = await world(t)
  const tenant = await agent.createTenant()

  await assertCode(
    await browser().request(`${baseUrl}/auth/google/callback?code=x&state=y`),
    'loginOtherBrowser',
  )
  await assertCode(await browser().request(`${baseUrl}/claim/nothing`), 'claimUnknown')

  const user = browser()
  await user.open(tenant.loginUrl)
  await user.press('Ada Lovelace')
  const decision = new URLSearchParams({ decision: 'allow' })
  const forged = { method: 'POST', body: decision, headers: { 'Sec-Fetch-Site': 'cross-site' } }
  await assertCode(await user.request(user.page.url, forged), 'decisionNotOurs')

  // Cancel at Google returns to the callback with an error.
  const owner = browser({ Accept: 'application/json' })
  await owner.open((await requestClaim(tenant)).approval_url)
  await owner.press('Continue with Google')
  await owner.press('Cancel')
  const { status, headers, text } = owner.page
  await assertCode(new Response(text, { status, headers }), 'signInFailed')
})
