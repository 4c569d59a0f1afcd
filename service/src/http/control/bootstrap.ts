import { bootstrapTenant as bootstrapEndpoint, NewTenant, type Scope } from '@gatehouse/contract'
import { Refusal } from '../../domain/api-error.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import type { Context } from '../../operations/context.ts'
import { createOwnedTenant } from '../../operations/tenants/create-owned-tenant.ts'
import { sourceOf } from '../callers/client-address.ts'
import type { App, Call, Surface } from '../dependencies.ts'
import { invalidTokenChallenge, scopeChallenge, signInChallenge } from '../mcp/challenge.ts'
import { doorFor } from '../mcp/doors.ts'
import { mountFor } from '../mount.ts'
import { jsonProblem } from '../respond.ts'
import { newTenantView } from '../views.ts'

const SCOPE: Scope = 'mcp:tenants:create'

/** How an agent on its user's own machine creates a tenant for the account that signed in. */
export function bootstrapRoutes(app: App, surface: Surface): void {
  const { ctx } = surface

  const callers = async (c: Call): Promise<[Grant]> => [await accountGrant(ctx, c)]
  mountFor(
    app,
    surface,
    bootstrapEndpoint,
    callers,
    async ({ body }, c, grant) => {
      const created = await createOwnedTenant(ctx, {
        grant,
        idempotencyKey: body.idempotency_key,
        origin: 'bootstrap',
        source: sourceOf(surface, c),
      })
      c.set('ownedTenantId', created.tenant.id)
      return c.json(NewTenant.parse(newTenantView(ctx.baseUrl, created)), created.again ? 200 : 201)
    },
    challenged,
  )
}

/** Only somebody who signed in: what a guest may create is made by the tool, and ends. */
async function accountGrant(ctx: Context, c: Call): Promise<Grant> {
  const door = await doorFor(ctx, c.req.header('authorization'))
  if (door.kind === 'public') {
    throw new Refusal('missingCredentials', 'Send an OAuth access token as Authorization: Bearer <…>.')
  }
  const { grant } = door
  if (grant.subject.kind !== 'account') {
    throw new Refusal('accountRequired', 'This client acts for a guest. Connect it again, and sign in with Google.')
  }
  if (!grant.scopes.includes(SCOPE)) {
    throw new Refusal('insufficientScope', `This sign-in does not cover it. Sign in again and allow ${SCOPE}.`)
  }
  return grant
}

/** Here the credential is an OAuth token, so the challenge says where to get one. */
function challenged(surface: Surface, c: Call, error: unknown): Response {
  const answer = jsonProblem(surface, c, error)
  const challenge = error instanceof Refusal ? challengeFor(surface.ctx.baseUrl, error) : null
  if (challenge !== null) answer.headers.set('WWW-Authenticate', challenge)
  return answer
}

function challengeFor(baseUrl: string, { code, message }: Refusal): string | null {
  if (code === 'missingCredentials') return signInChallenge(baseUrl)
  if (code === 'invalidAccessToken') return invalidTokenChallenge(baseUrl, message)
  return code === 'insufficientScope' ? scopeChallenge(baseUrl, SCOPE) : null
}
