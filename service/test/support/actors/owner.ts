import assert from 'node:assert/strict'
import type { ApiResponse, Tenant } from './agent.ts'
import type { Browser } from './browser.ts'

/** What `POST /api/claim/url` answered. */
export interface Offer {
  readonly approval_url: string
  readonly confirmation_code: string
  readonly expires_at: string
  readonly wait: { readonly url: string; readonly token: string }
}

export async function offerOf(tenant: Tenant): Promise<Offer> {
  const response = await tenant.manage('POST', '/api/claim/url')
  assert.equal(response.status, 200, response.text)
  return response.json
}

export const waitFor = (tenant: Tenant, offer: Offer, seconds = 0): Promise<ApiResponse> =>
  tenant.call('GET', `/api/wait?timeout=${seconds}`, offer.wait.token)

/** A person opens the link, signs in as this sample person, and stands before the decision. */
export async function openClaim(browser: Browser, offer: Offer, person = 'Ada Lovelace'): Promise<void> {
  await browser.open(offer.approval_url)
  if (browser.page.text.includes('Sign in with Google to decide')) {
    await browser.press('Sign in with Google to decide')
    await browser.press(person)
  }
}

/** The whole way: link, sign-in, approval. */
export async function claim(tenant: Tenant, browser: Browser, person = 'Ada Lovelace'): Promise<void> {
  await openClaim(browser, await offerOf(tenant), person)
  await browser.press('Approve')
  assert.equal(browser.page.status, 200, browser.page.text)
}
