import { requestClaim as requestClaimEndpoint, waitForClaim as waitForClaimEndpoint } from '@gatehouse/contract'
import { type ClaimUpdate, requestClaim, waitForClaim } from '../../operations/claims/request-claim.ts'
import { keyAuthor } from '../callers/author.ts'
import { requireBearer } from '../callers/bearer.ts'
import { requestAddressKey } from '../callers/client-address.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { setRateHeaders } from '../headers.ts'
import { mount, mountForManagementKey } from '../mount-endpoint.ts'

/** The pause between two calls that return `pending`. It is short because the call itself is a long poll. */
const INTERVAL_SECONDS = 1

export function claimRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, requestClaimEndpoint, async (_input, c, tenant, key) => {
    const { claim, token, waitToken, waitUntil, rate } = await requestClaim(ctx, tenant, keyAuthor(c, key))
    setRateHeaders(c, rate, ctx.now())
    return {
      tenant_id: tenant.id,
      approval_url: `${ctx.baseUrl}/c/${token}`,
      confirmation_code: claim.confirmationCode,
      expires_at: new Date(claim.expiresAt).toISOString(),
      tenant_expires_at: tenant.expiresAt === null ? null : new Date(tenant.expiresAt).toISOString(),
      wait: {
        url: `${ctx.baseUrl}${waitForClaimEndpoint.path}`,
        token: waitToken,
        auth_header: `Bearer ${waitToken}`,
        expires_at: new Date(waitUntil).toISOString(),
        interval_seconds: INTERVAL_SECONDS,
      },
    }
  })

  mount(app, deps, waitForClaimEndpoint, async ({ query }, c) => {
    const claim = await waitForClaim(ctx, {
      waitToken: requireBearer(c, 'the wait token'),
      addressKey: requestAddressKey(deps, c),
      seconds: query.timeout,
      signal: c.req.raw.signal,
    })
    return { status: claim.status, tenant_id: claim.tenantId, next: nextStep(claim) }
  })
}

function nextStep({ status, superseded }: ClaimUpdate): string {
  if (superseded) return 'A newer claim link replaced this one. Wait with its token instead.'
  switch (status) {
    case 'pending':
      return 'No decision yet. Call again; the user opens the approval_url and compares the confirmation code.'
    case 'approved':
      return 'The tenant is owned and no longer expires. Your keys keep working, unless the owner replaced them: then ask the user for the new .service file.'
    case 'denied':
      return 'The user denied the claim. Nothing was changed; ask them before you request another link.'
    case 'expired':
      return 'The link expired before the user decided. Request a new one: POST /api/claim/url.'
  }
}
