import { REFUSED_ERRORS, type RefusalStep } from '@gatehouse-auth/contract'
import { ApiError, type InputProblem } from '../../domain/api-error.ts'
import type { CallbackPart } from '../../domain/callbacks/match.ts'
import type { TenantId } from '../../domain/ids.ts'
import * as refusalRules from '../../domain/login/refusal.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

const RECORDED: ReadonlySet<string> = new Set(REFUSED_ERRORS)

/** Records an error that a browser saw, if it is one that the app's developer can do something about. */
export function recordRefusal(
  { refusals }: Pick<Context, 'refusals'>,
  {
    tenantId,
    step,
    redirectUri,
  }: { tenantId: TenantId; step: RefusalStep; redirectUri?: string | undefined },
  error: unknown,
): void {
  if (
    !(error instanceof ApiError) ||
    !RECORDED.has(error.code) ||
    error.code === 'invalidRequest'
  ) {
    return
  }
  const { closest = null, differs = null } = (error.details ?? {}) as {
    closest?: string
    differs?: CallbackPart
  }
  const sent =
    error.code === 'invalidRedirectUri' && redirectUri !== undefined
      ? refusalRules.readableRedirectUri(redirectUri)
      : null
  refusals.add({
    tenantId,
    step,
    code: error.code as (typeof REFUSED_ERRORS)[number],
    differs,
    sent,
    closest,
  })
}

/** Records a login link with a wrong parameter, if the tenant exists: its input is read before the tenant is. */
export async function recordInvalidStart(
  { refusals, directory }: Pick<Context, 'refusals' | 'directory'>,
  tenantId: TenantId,
  error: unknown,
): Promise<void> {
  // Only invalidRequest lists problems.
  const { problems = [] } = ((error instanceof ApiError && error.details) || {}) as {
    problems?: readonly InputProblem[]
  }
  const differs = refusalRules.startParameter(problems.map(({ path }) => path))
  const exists =
    differs !== null && (await directory.requireProvisioned(tenantId).catch(() => null)) !== null
  if (exists) {
    refusals.add({
      tenantId,
      step: 'start',
      code: 'invalidRequest',
      differs,
      sent: null,
      closest: null,
    })
  }
}

/** The refused sign-ins of the last 24 hours by kind, the newest first. Also while paused, which is one reason for them. */
export async function listRefusals(
  ctx: Pick<Context, 'stores' | 'now' | 'refusals'>,
  tenant: Tenant,
  limit = refusalRules.REFUSAL_KINDS_MAX,
): Promise<refusalRules.RefusalCount[]> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'diagnose', now)
  // Those of this process first: an agent asks right after it saw one.
  await ctx.refusals.flush()
  return ctx.stores.refusals.list(tenant.id, now - refusalRules.REFUSALS_KEPT_MS, limit)
}
