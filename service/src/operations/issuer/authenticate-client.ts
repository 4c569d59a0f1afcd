import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import type { Context } from '../context.ts'
import { recordRefusedParameter } from '../login/refusals.ts'
import { authenticateKey } from '../tenants/authenticate.ts'

export interface PresentedClient {
  readonly tenantId: TenantId
  readonly clientId: string | null
  /** The application key; null: a public client. */
  readonly secret: string | null
  /** The request came from a page. */
  readonly hasOrigin: boolean
}

export interface Client {
  /** It proved that it has the application key. */
  readonly hasKey: boolean
}

/**
 * The tenant is the client, and its application key the secret (RFC 6749, section 2.3.1). Public clients send none, and show by
 * PKCE that a code is theirs.
 */
export async function authenticateClient(ctx: Context, client: PresentedClient): Promise<Client> {
  const { tenantId, clientId, secret, hasOrigin } = client
  await ctx.directory.requireProvisioned(tenantId, 'status')
  if (clientId !== tenantId) {
    throw refused(ctx, tenantId, 'client_id', 'Send the tenant id of this project as client_id.')
  }
  if (secret === null) {
    return { hasKey: false }
  }
  if (hasOrigin) {
    const problem =
      'This key is in a browser, where every visitor can read it. Replace the application key, and use PKCE without a secret there.'
    throw refused(ctx, tenantId, 'client_secret', problem)
  }
  if (!(await isApplicationKey(ctx, tenantId, secret))) {
    const problem =
      'The client_secret is the application key of this project: coh_application_key in the .service file, which begins with svc_app_.'
    throw refused(ctx, tenantId, 'client_secret', problem)
  }
  return { hasKey: true }
}

/** A management key, and a key of another tenant, are as wrong as an unknown one. */
async function isApplicationKey(ctx: Context, tenantId: TenantId, key: string): Promise<boolean> {
  try {
    const { tenant } = await authenticateKey(ctx, key, 'application')
    return tenant.id === tenantId
  } catch (error) {
    if (error instanceof ApiError) {
      return false
    }
    throw error
  }
}

function refused(
  ctx: Context,
  tenantId: TenantId,
  parameter: 'client_id' | 'client_secret',
  problem: string,
): OAuthError {
  recordRefusedParameter(ctx, tenantId, parameter, 'exchange')
  return new OAuthError('invalid_client', problem)
}
