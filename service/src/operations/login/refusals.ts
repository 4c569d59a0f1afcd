import { REFUSED_ERRORS, type RefusalStep } from '@gatehouse-auth/contract'
import { ApiError, type InputProblem } from '../../domain/api-error.ts'
import type { CallbackPart } from '../../domain/callbacks/match.ts'
import type { TenantId } from '../../domain/ids.ts'
import {
  type OpenIdParameter,
  REFUSAL_KINDS_MAX,
  REFUSALS_KEPT_MS,
  type RefusalCount,
  readableRedirectUri,
  startParameter,
} from '../../domain/login/refusal.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

type RecordedCode = Exclude<(typeof REFUSED_ERRORS)[number], 'invalidRequest'>

/** `recordInvalidStart` records the errors of a wrong parameter. */
const isRecorded = (code: string): code is RecordedCode =>
  code !== 'invalidRequest' && (REFUSED_ERRORS as readonly string[]).includes(code)

interface RefusedStep {
  readonly tenantId: TenantId
  readonly step: RefusalStep
  readonly redirectUri?: string | undefined
}

/** Records an error that a browser saw, if it is one that the app's developer can do something about. */
export function recordRefusal(
  { refusals }: Pick<Context, 'refusals'>,
  { tenantId, step, redirectUri }: RefusedStep,
  error: unknown,
): void {
  if (!(error instanceof ApiError) || !isRecorded(error.code)) {
    return
  }

  const isUnregistered = error.code === 'invalidRedirectUri' && redirectUri !== undefined
  const { closest = null, differs = null } = (error.details ?? {}) as {
    closest?: string
    differs?: CallbackPart
  }
  refusals.add({
    tenantId,
    step,
    code: error.code,
    differs,
    sent: isUnregistered ? readableRedirectUri(redirectUri) : null,
    closest,
  })
}

/** Records a login link with a wrong parameter, if the tenant exists: its input is read before the tenant is. */
export async function recordInvalidStart(
  { refusals, directory }: Pick<Context, 'refusals' | 'directory'>,
  tenantId: TenantId,
  error: unknown,
): Promise<void> {
  const differs = startParameter(pathsOfProblems(error))
  if (differs === null) {
    return
  }
  const provisioned = await directory.requireProvisioned(tenantId).catch(() => null)
  if (provisioned === null) {
    return
  }
  refusals.add({
    tenantId,
    step: 'start',
    code: 'invalidRequest',
    differs,
    sent: null,
    closest: null,
  })
}

/** Records what an OpenID library of an existing tenant got wrong. */
export function recordRefusedParameter(
  { refusals }: Pick<Context, 'refusals'>,
  tenantId: TenantId,
  differs: OpenIdParameter,
  step: RefusalStep = 'start',
): void {
  refusals.add({ tenantId, step, code: 'invalidRequest', differs, sent: null, closest: null })
}

/** Only invalidRequest lists problems. */
function pathsOfProblems(error: unknown): string[] {
  if (!(error instanceof ApiError) || error.code !== 'invalidRequest') {
    return []
  }
  const { problems = [] } = (error.details ?? {}) as { problems?: readonly InputProblem[] }
  return problems.map(({ path }) => path)
}

/** The refused sign-ins of the last 24 hours by kind, the newest first. Also while paused, which is one reason for them. */
export async function listRefusals(
  ctx: Pick<Context, 'stores' | 'now' | 'refusals'>,
  tenant: Tenant,
  limit = REFUSAL_KINDS_MAX,
): Promise<RefusalCount[]> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'diagnose', now)
  // Those of this process first: an agent asks right after it saw one.
  await ctx.refusals.flush()
  return ctx.stores.refusals.list(tenant.id, now - REFUSALS_KEPT_MS, limit)
}
