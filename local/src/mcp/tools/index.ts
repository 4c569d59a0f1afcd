import type { ToolName } from '@gatehouse/contract'
import { claimTenant } from './claim-tenant.ts'
import { createTenant } from './create-tenant.ts'
import { getServiceDocumentation } from './get-service-documentation.ts'
import { giveFeedback } from './give-feedback.ts'
import { provisionResource } from './provision-resource.ts'
import { tenantStatus } from './tenant-status.ts'
import type { Tool } from './tool.ts'

/** The type requires exactly the tools of the contract. */
export const TOOLS_BY_NAME: Readonly<Record<ToolName, Tool>> = {
  get_service_documentation: getServiceDocumentation,
  create_tenant: createTenant,
  claim_tenant: claimTenant,
  tenant_status: tenantStatus,
  provision_resource: provisionResource,
  give_feedback: giveFeedback,
}

export const findTool = (name: string): Tool | undefined =>
  Object.hasOwn(TOOLS_BY_NAME, name) ? TOOLS_BY_NAME[name as ToolName] : undefined
