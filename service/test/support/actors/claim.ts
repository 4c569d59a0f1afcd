import assert from 'node:assert/strict'
import type { ApiResponse, Tenant } from './agent.ts'
import type { Browser } from './browser.ts'

/** The response of `POST /api/claim/url`. */
export interface ClaimRequest {
  readonly approval_url: string
  readonly confirmation_code: string
  readonly expires_at: string
  readonly wait: { readonly url: string; readonly token: string }
}

export async function requestClaim(tenant: Tenant): Promise<ClaimRequest> {
  const response = await tenant.manage('POST', '/api/claim/url')
  assert.equal(response.status, 200, response.text)
  return response.json
}

export const waitForClaim = (
  tenant: Tenant,
  { wait }: ClaimRequest,
  seconds = 0,
): Promise<ApiResponse> => tenant.call('GET', `/api/wait?timeout=${seconds}`, wait.token)

/** Opens the approval URL, signs in as this sample user, and stops at the decision page. */
export async function openClaim(
  browser: Browser,
  request: ClaimRequest,
  user = 'Ada Lovelace',
): Promise<void> {
  await browser.open(request.approval_url)
  if (browser.page.text.includes('Continue with Google')) {
    await browser.press('Continue with Google')
    await browser.press(user)
  }
}

/** Requests a claim, signs in and approves. */
export async function claim(
  tenant: Tenant,
  browser: Browser,
  user = 'Ada Lovelace',
): Promise<void> {
  await openClaim(browser, await requestClaim(tenant), user)
  await browser.press('Approve')
  assert.equal(browser.page.status, 200, browser.page.text)
}
