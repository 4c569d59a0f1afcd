import { readStatus } from '../api/tenants.ts'
import type { Project } from '../credentials/read.ts'
import { either, Problem } from '../problem.ts'
import type { CreatedTenant } from './created-tenant.ts'

/** The service that a tenant is wanted at, and whether it was named: then a file for another one is not what is wanted. */
export interface WantedService {
  readonly service: string
  readonly serviceIsExplicit: boolean
}

/** The tenant that a project has already, if it is the one that is wanted and still lives. Its file is never touched. */
export async function reuse(project: Project, { service, serviceIsExplicit }: WantedService): Promise<CreatedTenant> {
  const { path, credentials } = project
  if (serviceIsExplicit && credentials.base_url !== service) {
    throw new Problem(
      'credentialsForeign',
      `${path} is for tenant ${credentials.tenant_id} at ${credentials.base_url}, not for one at ${service}. It was not overwritten.`,
      either('Leave --service and GATEHOUSE_URL out to go on with that tenant, or move the file away first.'),
    )
  }
  const status = await readStatus(project)
  if (status.status === 'expired') {
    throw new Problem(
      'credentialsForeign',
      `${path} is for tenant ${credentials.tenant_id}, which has ended. It was not overwritten.`,
      {
        cli: `Move it away (mv ${path} ${path}.old), then run: gatehouse-local init`,
        agent: 'Ask the user to move the file away; then, if they want a new tenant, call create_tenant again.',
      },
    )
  }
  return {
    tenant_id: status.tenant_id,
    status: status.status,
    expires_at: status.expires_at,
    tenant_lifecycle: status.lifecycle,
    runtime_profile: status.runtime_profile,
    base_url: credentials.base_url,
    credentials_path: path,
    reused: true,
  }
}
