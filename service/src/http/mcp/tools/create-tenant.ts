import { createTenant as definition } from '@gatehouse/contract'
import { createGuestTenant, createOwnedTenant } from '../../../operations/tenants/create-tenant.ts'
import { newTenantView } from '../../views.ts'
import { credentialsUrl } from '../credentials-url.ts'
import { implementTool } from './tool.ts'

/**
 * Creates a guest tenant for an anonymous caller, an owned tenant for an account, and for a guest grant a guest tenant whose
 * credentials the guest's browser can download.
 */
export const createTenant = implementTool({
  definition,
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
      ...(request.kind === 'public' ? {} : { credentials_download_url: credentialsUrl(ctx.baseUrl, view.tenant_id) }),
    }
  },
})
