import * as endpoints from '@gatehouse-auth/contract'
import {
  DISCOUNT_REPORT_MIN_CHARACTERS,
  FEEDBACK_MAX_CHARACTERS,
  NewTenant,
  type Scope,
} from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import { DISCOUNT_EVERY_DAYS } from '../../domain/tenants/feedback.ts'
import {
  type ClaimUpdate,
  requestClaim,
  waitForClaim,
} from '../../operations/claims/request-claim.ts'
import type { Context } from '../../operations/context.ts'
import { createGuestTenant, createOwnedTenant } from '../../operations/tenants/create-tenant.ts'
import { leaveFeedback, reportForDiscount } from '../../operations/tenants/feedback.ts'
import { readStatus } from '../../operations/tenants/status.ts'
import { keyAuthor, requestAddressKey } from '../callers/author.ts'
import { requireBearer } from '../callers/bearer.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { iso, isoOrNull } from '../event-views.ts'
import { setRateHeaders } from '../headers.ts'
import { authenticateCaller } from '../mcp/caller.ts'
import { invalidTokenChallenge, scopeChallenge, signInChallenge } from '../mcp/error-responses.ts'
import { mount, mountForCaller, mountForManagementKey } from '../mount-endpoint.ts'
import { acceptOf, jsonProblem } from '../responses.ts'
import { newTenantView, statusView } from '../views.ts'

const SCOPE: Scope = 'mcp:tenants:create'

/** Lets an agent on the user's machine create a tenant that the signed-in account owns. */
export function bootstrapRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForCaller(
    app,
    deps,
    endpoints.bootstrapTenant,
    {
      authenticate: async (c): Promise<[Grant]> => [await requireAccountGrant(ctx, c)],
      nameOf: (grant) => `grant ${grant.id}`,
    },
    async ({ body }, c, grant) => {
      const created = await createOwnedTenant(ctx, {
        grant,
        idempotencyKey: body.idempotency_key,
        origin: 'bootstrap',
        addressKey: requestAddressKey(deps, c),
      })
      c.set('ownedTenantId', created.tenant.id)
      return c.json(
        NewTenant.parse(newTenantView(ctx.baseUrl, created)),
        created.repeated ? 200 : 201,
      )
    },
    problemWithChallenge,
  )
}

/** Requires the grant of an account: a guest grant creates tenants with the create_tenant tool, and those expire. */
async function requireAccountGrant(ctx: Context, c: Call): Promise<Grant> {
  const caller = await authenticateCaller(ctx, c.req.header('authorization'))
  if (caller.kind === 'public') {
    throw new ApiError(
      'missingCredentials',
      'Send an OAuth access token as Authorization: Bearer <…>.',
    )
  }
  const { grant } = caller
  if (grant.subject.kind !== 'account') {
    throw new ApiError(
      'accountRequired',
      'This client acts for a guest. Connect it again, and sign in with Google.',
    )
  }
  if (!grant.scopes.includes(SCOPE)) {
    throw new ApiError(
      'insufficientScope',
      `This sign-in does not cover it. Sign in again and allow ${SCOPE}.`,
    )
  }
  return grant
}

/** The credential is an OAuth token, so WWW-Authenticate names the metadata that says how to get one (RFC 9728). */
function problemWithChallenge(deps: HttpDependencies, c: Call, error: unknown): Response {
  const response = jsonProblem(deps, c, error)
  const challenge = error instanceof ApiError ? challengeFor(deps.ctx.baseUrl, error) : null
  if (challenge !== null) {
    response.headers.set('WWW-Authenticate', challenge)
  }
  return response
}

function challengeFor(baseUrl: string, { code, message }: ApiError): string | null {
  if (code === 'missingCredentials') {
    return signInChallenge(baseUrl)
  }
  if (code === 'invalidAccessToken') {
    return invalidTokenChallenge(baseUrl, message)
  }
  return code === 'insufficientScope' ? scopeChallenge(baseUrl, SCOPE) : null
}

export function tenantRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  // Runs before the body is read and before any limit is counted (spec, Authentication 10).
  app.post(endpoints.createGuestTenant.path, async (c, next) => {
    c.set('route', endpoints.createGuestTenant.path)
    if (/curl/i.test(c.req.header('user-agent') ?? '')) {
      throw new ApiError(
        'bannedUserAgent',
        'A User-Agent containing "curl" may not create tenants. Send the name of your agent instead, e.g. -A my-agent.',
      )
    }
    await next()
  })

  mount(app, deps, endpoints.createGuestTenant, async (_input, c) => {
    const created = await createGuestTenant(ctx, {
      addressKey: requestAddressKey(deps, c),
      origin: 'genesis',
    })
    setRateHeaders(c, created.rate, ctx.now())
    const view = newTenantView(ctx.baseUrl, created)
    return wantsFile(c) ? c.text(view.credentials_file.content, 201) : view
  })

  mountForManagementKey(app, deps, endpoints.readStatus, async (_input, _c, tenant) =>
    statusView(ctx.baseUrl, await readStatus(ctx, tenant)),
  )
}

/** With `Accept: text/plain` the response body is the credentials file itself. */
const wantsFile = (c: Call): boolean => {
  const accept = acceptOf(c)
  return accept.includes('text/plain') && !accept.includes('application/json')
}

/** The pause between two calls that return `pending`. It is short because the call itself is a long poll. */
const INTERVAL_SECONDS = 1

export function claimRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.requestClaim, async (_input, c, tenant, key) => {
    const { claim, token, waitToken, waitUntil, rate } = await requestClaim(
      ctx,
      tenant,
      keyAuthor(c, key),
    )
    setRateHeaders(c, rate, ctx.now())
    return {
      tenant_id: tenant.id,
      approval_url: `${ctx.baseUrl}/c/${token}`,
      confirmation_code: claim.confirmationCode,
      expires_at: iso(claim.expiresAt),
      tenant_expires_at: isoOrNull(tenant.expiresAt),
      wait: {
        url: `${ctx.baseUrl}${endpoints.waitForClaim.path}`,
        token: waitToken,
        auth_header: `Bearer ${waitToken}`,
        expires_at: iso(waitUntil),
        interval_seconds: INTERVAL_SECONDS,
      },
    }
  })

  mount(app, deps, endpoints.waitForClaim, async ({ query }, c) => {
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
  if (superseded) {
    return 'A newer claim link replaced this one. Wait with its token instead.'
  }
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

export function feedbackRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.leaveFeedback, async ({ body }, c, tenant) => {
    setRateHeaders(c, await leaveFeedback(ctx, tenant, body.feedback), ctx.now())
    return { success: true as const }
  })

  mount(app, deps, endpoints.describeDiscountReport, async () => ({
    description:
      'A report on how this service worked for you, sent only after the user agreed to send it. A thorough one earns the project’s owner a discount.',
    endpoint: `POST ${ctx.baseUrl}${endpoints.reportForDiscount.path}`,
    requires: {
      user_authorized: true as const,
      minimum_characters: DISCOUNT_REPORT_MIN_CHARACTERS,
      maximum_characters: FEEDBACK_MAX_CHARACTERS,
      one_report_every_days: DISCOUNT_EVERY_DAYS,
      claimed_tenant: true as const,
    },
  }))

  mountForManagementKey(app, deps, endpoints.reportForDiscount, async ({ body }, c, tenant) => {
    const report = await reportForDiscount(ctx, tenant, body.feedback)
    setRateHeaders(c, report.rate, ctx.now())
    return report.accepted
      ? { success: true as const, accepted_for_discount: true, feedback_token: report.token }
      : { success: true as const, accepted_for_discount: false, rejection_reason: report.reason }
  })
}
