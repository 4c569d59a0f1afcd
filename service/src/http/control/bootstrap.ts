import { bootstrapTenant as bootstrapEndpoint, NewTenant, type Scope } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import type { Context } from '../../operations/context.ts'
import { createOwnedTenant } from '../../operations/tenants/create-tenant.ts'
import { requestAddressKey } from '../callers/client-address.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { authenticateCaller } from '../mcp/caller.ts'
import { invalidTokenChallenge, scopeChallenge, signInChallenge } from '../mcp/challenge.ts'
import { mountForCaller } from '../mount-endpoint.ts'
import { jsonProblem } from '../responses.ts'
import { newTenantView } from '../views.ts'

const SCOPE: Scope = 'mcp:tenants:create'

/** Lets an agent on the user's machine create a tenant that the signed-in account owns. */
export function bootstrapRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForCaller(
    app,
    deps,
    bootstrapEndpoint,
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
      return c.json(NewTenant.parse(newTenantView(ctx.baseUrl, created)), created.repeated ? 200 : 201)
    },
    problemWithChallenge,
  )
}

/** Requires the grant of an account: a guest grant creates tenants with the create_tenant tool, and those expire. */
async function requireAccountGrant(ctx: Context, c: Call): Promise<Grant> {
  const caller = await authenticateCaller(ctx, c.req.header('authorization'))
  if (caller.kind === 'public') {
    throw new ApiError('missingCredentials', 'Send an OAuth access token as Authorization: Bearer <…>.')
  }
  const { grant } = caller
  if (grant.subject.kind !== 'account') {
    throw new ApiError('accountRequired', 'This client acts for a guest. Connect it again, and sign in with Google.')
  }
  if (!grant.scopes.includes(SCOPE)) {
    throw new ApiError('insufficientScope', `This sign-in does not cover it. Sign in again and allow ${SCOPE}.`)
  }
  return grant
}

/** The credential is an OAuth token, so WWW-Authenticate names the metadata that says how to get one (RFC 9728). */
function problemWithChallenge(deps: HttpDependencies, c: Call, error: unknown): Response {
  const response = jsonProblem(deps, c, error)
  const challenge = error instanceof ApiError ? challengeFor(deps.ctx.baseUrl, error) : null
  if (challenge !== null) response.headers.set('WWW-Authenticate', challenge)
  return response
}

function challengeFor(baseUrl: string, { code, message }: ApiError): string | null {
  if (code === 'missingCredentials') return signInChallenge(baseUrl)
  if (code === 'invalidAccessToken') return invalidTokenChallenge(baseUrl, message)
  return code === 'insufficientScope' ? scopeChallenge(baseUrl, SCOPE) : null
}
