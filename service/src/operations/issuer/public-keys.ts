import type { TenantId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'

/**
 * The keys of a tenant's ID tokens: RSA for its OpenID libraries, EC for what `/id-token` issues. Also while the tenant is paused
 * or suspended: a verifier that got no keys might not ask again when it is over.
 */
export async function readPublicKeys(
  ctx: Pick<Context, 'directory' | 'idTokens' | 'signingKeys' | 'now'>,
  tenantId: TenantId,
) {
  await ctx.directory.requireProvisioned(tenantId, 'diagnose')
  const rsa = await ctx.signingKeys.published(tenantId)
  return [...rsa, ...ctx.idTokens.publicKeys(tenantId, ctx.now())]
}
