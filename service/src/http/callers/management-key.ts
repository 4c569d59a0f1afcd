import type { FoundKey } from '../../domain/stores/stores.ts'
import type { Context } from '../../operations/context.ts'
import { authenticateKey } from '../../operations/tenants/authenticate.ts'
import type { Call } from '../dependencies.ts'
import { requireBearer } from './bearer.ts'

/** Authenticates the management key (`svc_man_…`) and returns it with its tenant. */
export const managementKey = async (ctx: Context, c: Call): Promise<FoundKey> =>
  authenticateKey(ctx, requireBearer(c, 'the management key (coh_management_key in the .service file)'), 'management')
