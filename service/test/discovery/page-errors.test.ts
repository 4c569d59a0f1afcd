import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_ERRORS, type ApiErrorCode } from '@gatehouse/contract'
import { requestClaim } from '../support/actors/claim.ts'
import { world } from '../support/world.ts'

// What people see as pages is JSON for programs, with a code that is explained like all others. (The pages themselves are
// in the tests of each journey.)

async function assertCode(response: Response, code: ApiErrorCode): Promise<void> {
  const text = await response.text()
  assert.equal(response.status, API_ERRORS[code].status, text)
  const { error } = JSON.parse(text)
  assert.equal(error.code, code)
  assert.ok(error.docs_url.endsWith(`/docs/errors#${code}`))
}

test('refusals that people meet on a page have their codes for programs', async (t) => {
  const { agent, baseUrl, browser } = await world(t)
  const tenant = await agent.createTenant()

  await assertCode(await browser().request(`${baseUrl}/auth/google/callback?code=x&state=y`), 'loginOtherBrowser')
  await assertCode(await browser().request(`${baseUrl}/claim/nothing`), 'claimUnknown')

  const person = browser()
  await person.open(tenant.loginUrl)
  await person.press('Ada Lovelace')
  const decision = new URLSearchParams({ decision: 'allow' })
  const forged = { method: 'POST', body: decision, headers: { 'Sec-Fetch-Site': 'cross-site' } }
  await assertCode(await person.request(person.page.url, forged), 'decisionNotOurs')

  // Whoever cancels at Google comes back with an error.
  const owner = browser({ Accept: 'application/json' })
  await owner.open((await requestClaim(tenant)).approval_url)
  await owner.press('Sign in with Google to decide')
  await owner.press('Cancel')
  const { status, headers, text } = owner.page
  await assertCode(new Response(text, { status, headers }), 'signInFailed')
})
