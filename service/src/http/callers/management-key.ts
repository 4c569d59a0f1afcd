import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../../operations/context.ts'
import { authenticateKey } from '../../operations/tenants/authenticate-key.ts'
import type { Call } from '../dependencies.ts'
import { requireBearer } from './bearer.ts'

/** Authenticates the management key (`svc_man_…`) and returns its tenant. */
export const managementTenant = async (ctx: Context, c: Call): Promise<Tenant> =>
  authenticateKey(ctx, requireBearer(c, 'the management key (coh_management_key in the .service file)'), 'management')
