import * as wire from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import { readInstalled } from '../../folders.ts'
import { requestClaim } from '../../operations/claims/request-claim.ts'
import { createGuestTenant, createOwnedTenant } from '../../operations/tenants/create-tenant.ts'
import { leaveFeedback } from '../../operations/tenants/feedback.ts'
import { type Configuration, provisionSocialLogin } from '../../operations/tenants/provision.ts'
import { readStatus } from '../../operations/tenants/status.ts'
import {
  newTenantView,
  readSocialLoginConfiguration,
  resourceResultView,
  statusView,
} from '../views.ts'
import { resolveTenant, type ToolRequest } from './caller.ts'
import { credentialsUrl } from './credentials-download.ts'
import { implementTool, type Tool } from './tool.ts'

/**
 * Creates a guest tenant for an anonymous caller, an owned tenant for an account, and for a guest grant a guest tenant whose
 * credentials the guest's browser can download.
 */
const createTenant = implementTool({
  definition: wire.createTenant,
  oauthAnnotations: { idempotentHint: true },
  mayHoldSecret: 'credentials_file.content',
  async run({ ctx, addressKey, recordTenant }, request) {
    const created =
      request.kind === 'public'
        ? await createGuestTenant(ctx, { addressKey, origin: 'mcp' })
        : await createOwnedTenant(ctx, {
            grant: request.grant,
            idempotencyKey: request.input.idempotency_key,
            origin: 'mcp',
            addressKey,
          })
    recordTenant(created.tenant)
    const view = newTenantView(ctx.baseUrl, created)
    return {
      tenant_id: view.tenant_id,
      status: view.status,
      expires_at: view.expires_at,
      tenant_lifecycle: view.tenant_lifecycle,
      runtime_profile: view.runtime_profile,
      base_url: view.base_url,
      credentials_file: view.credentials_file,
      ...(request.kind === 'public'
        ? {}
        : { credentials_download_url: credentialsUrl(ctx.baseUrl, view.tenant_id) }),
    }
  },
})

/** Returns the approval link for the user. The wait token is not returned to the agent (spec, MCP tools, rule 2). */
const claimTenant = implementTool({
  definition: wire.claimTenant,
  async run({ ctx, requestId, recordTenant }, request) {
    const { tenant, actor } = await resolveTenant(ctx, request)
    recordTenant(tenant)
    const { token } = await requestClaim(ctx, tenant, { actor, requestId })
    return { approval_url: `${ctx.baseUrl}/c/${token}` }
  },
})

type Input = ToolRequest<typeof wire.provisionResource>['input']

const provisionResource = implementTool({
  definition: wire.provisionResource,
  async run({ ctx, requestId, recordTenant }, request) {
    const { tenant, actor } = await resolveTenant(ctx, request)
    recordTenant(tenant)
    const { resource, warnings } = await provisionSocialLogin(
      ctx,
      tenant,
      readConfiguration(request.input),
      {
        actor,
        requestId,
      },
    )
    return { resources: [resourceResultView(ctx.baseUrl, resource, warnings)] }
  },
})

/** Reads one of the two input forms, single or list, and rejects incomplete or mixed ones. */
function readConfiguration({
  resource,
  configuration,
  resources,
  configurations,
}: Input): Configuration {
  const single = resource !== undefined && configuration !== undefined
  const bulk = resources !== undefined && configurations !== undefined
  const parts = [resource, configuration, resources, configurations].filter(
    (part) => part !== undefined,
  )
  if (parts.length === 2 && single) {
    return readSocialLoginConfiguration(configuration, 'configuration.')
  }
  if (parts.length === 2 && bulk) {
    return readSocialLoginConfiguration(
      configurations['social-login'],
      'configurations.social-login.',
    )
  }
  throw new ApiError(
    'invalidRequest',
    'Send resource with configuration, or resources with configurations: both parts of one form, and nothing of the other. Nothing was changed.',
  )
}

/** Returns the same object as `GET /api/status`. */
const tenantStatus = implementTool({
  definition: wire.tenantStatus,
  async run({ ctx, recordTenant }, request) {
    const { tenant } = await resolveTenant(ctx, request)
    recordTenant(tenant)
    return statusView(ctx.baseUrl, await readStatus(ctx, tenant))
  },
})

const GUIDE = readInstalled('content', 'agent-guide.md').toString()

/** Returns the agent guide, with this deployment's base URL filled in. */
const getServiceDocumentation = implementTool({
  definition: wire.getServiceDocumentation,
  async run({ ctx }) {
    return GUIDE.replaceAll('{base_url}', ctx.baseUrl)
  },
})

const giveFeedback = implementTool({
  definition: wire.giveFeedback,
  async run({ ctx, recordTenant }, request) {
    const { tenant } = await resolveTenant(ctx, request)
    recordTenant(tenant)
    await leaveFeedback(ctx, tenant, request.input.feedback)
    return { success: true as const }
  },
})

/** All tools by name. The type requires exactly the names of the contract. */
export const TOOLS_BY_NAME: Readonly<Record<wire.ToolName, Tool>> = {
  get_service_documentation: getServiceDocumentation,
  create_tenant: createTenant,
  claim_tenant: claimTenant,
  tenant_status: tenantStatus,
  provision_resource: provisionResource,
  give_feedback: giveFeedback,
}

export const toolNamed = (name: string): Tool | undefined =>
  Object.hasOwn(TOOLS_BY_NAME, name) ? TOOLS_BY_NAME[name as wire.ToolName] : undefined
