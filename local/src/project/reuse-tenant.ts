import type { TENANT_STATUSES } from '@gatehouse-auth/contract'
import { readStatus } from '../api/tenants.ts'
import type { Project } from '../credentials/project.ts'
import { commandLine, quoted } from '../invocation.ts'
import { nextStep, Problem } from '../problem.ts'

/** A tenant without its keys. The field names are those of the hosted tool's output. */
export interface ProjectTenant {
  readonly tenant_id: string
  readonly status: (typeof TENANT_STATUSES)[number]
  readonly expires_at: string | null
  readonly tenant_lifecycle: 'ephemeral' | 'claimed'
  readonly runtime_profile: string
  readonly base_url: string
  readonly credentials_path: string
  /** True when the project already had this tenant. */
  readonly reused: boolean
}

export interface CreatedTenant extends ProjectTenant {
  /** The file with GATEHOUSE_SECRET of the app. */
  readonly secret_path: string
}

export interface RequestedService {
  readonly service: string
  /** The user named the service, so a credentials file for another service is an error. */
  readonly serviceIsExplicit: boolean
}

/** The project's existing tenant, unless it is at another service or has expired. Does not modify the file. */
export async function reuseTenant(
  project: Project,
  { service, serviceIsExplicit }: RequestedService,
): Promise<ProjectTenant> {
  const { path, credentials } = project
  if (serviceIsExplicit && credentials.base_url !== service) {
    throw new Problem(
      'credentialsForeign',
      `${path} is for tenant ${credentials.tenant_id} at ${credentials.base_url}, not for one at ${service}. It was not overwritten.`,
      nextStep(
        'To use that tenant, omit --service and GATEHOUSE_URL. To create another one, rename the file first.',
      ),
    )
  }
  const status = await readStatus(project)
  if (status.status === 'expired') {
    throw new Problem(
      'credentialsForeign',
      `${path} is for tenant ${credentials.tenant_id}, which has expired. It was not overwritten.`,
      {
        cli: `Create a new tenant: mv ${quoted(path)} ${quoted(`${path}.old`)} && ${commandLine('init')}`,
        agent:
          'Ask the user to rename the file; then, if they want a new tenant, call create_tenant again.',
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
