import type { SessionId } from '../../domain/ids.ts'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

/**
 * Read-your-writes: applies a revocation locally before the response. It may have been committed by another instance, or
 * in a commit whose acknowledgment was lost, so the feed may not have delivered it yet.
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
