import type { SessionId } from '../../domain/ids.ts'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

/**
 * What we are about to acknowledge may have been committed where this process did not hear of it: at another instance,
 * or in a commit whose answer was lost. Whoever is told here that it is so must find it so here, and not a second later.
 */
export function applyRevocation(
  ctx: Pick<Context, 'revocations' | 'now'>,
  { id: tenantId }: Tenant,
  sessionId: SessionId,
  generation: number,
): void {
  const until = latestTokenExpiry(ctx.now())
  ctx.revocations.apply({ kind: 'session', tenantId, sessionId, generation, until })
}
