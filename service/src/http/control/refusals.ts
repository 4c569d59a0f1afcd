import { listRefusals as listRefusalsEndpoint } from '@gatehouse/contract'
import { listRefusals } from '../../operations/refusals.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { refusalView } from '../views.ts'

export function refusalRoutes(app: App, deps: HttpDependencies): void {
  mountForManagementKey(app, deps, listRefusalsEndpoint, async (_input, _c, tenant) => ({
    refusals: (await listRefusals(deps.ctx, tenant)).map(refusalView),
  }))
}
