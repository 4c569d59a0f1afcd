import type { TenantId } from '../../domain/ids.ts'
import { mintTenantKey, type TenantKeyKind } from '../../domain/tenants/tenant-keys.ts'
import { derivedBytes } from '../../domain/tokens/derived-bytes.ts'
import { seal, unseal } from '../../domain/tokens/seal.ts'
import type { Context } from '../context.ts'

export interface TenantKeyPair {
  readonly managementKey: string
  readonly applicationKey: string
}

export const mintKeyPair = (ctx: Pick<Context, 'random'>): TenantKeyPair => ({
  managementKey: mintTenantKey('management', ctx.random),
  applicationKey: mintTenantKey('application', ctx.random),
})

/** The pair that only this secret determines, so that a repeated decision gets the same pair (decision 43). */
export const deriveKeyPair = (secret: string): TenantKeyPair => ({
  managementKey: mintTenantKey('management', derivedBytes(secret, 'management-key')),
  applicationKey: mintTenantKey('application', derivedBytes(secret, 'application-key')),
})

/** The keyed hashes that are stored. */
export const keyHashes = (
  ctx: Pick<Context, 'keyring'>,
  { managementKey, applicationKey }: TenantKeyPair,
): readonly { readonly kind: TenantKeyKind; readonly hash: string }[] => [
  { kind: 'management', hash: ctx.keyring.hash('management', managementKey) },
  { kind: 'application', hash: ctx.keyring.hash('application', applicationKey) },
]

const context = (tenantId: TenantId): string => `tenant-keys\0${tenantId}`

/** Only for tenants whose credentials can be downloaded again (spec, Authentication 9). */
export const sealKeyPair = (
  ctx: Pick<Context, 'keyring' | 'random'>,
  tenantId: TenantId,
  { managementKey, applicationKey }: TenantKeyPair,
): Uint8Array => seal(ctx.keyring, context(tenantId), JSON.stringify([managementKey, applicationKey]), ctx.random)

export function unsealKeyPair(ctx: Pick<Context, 'keyring'>, tenantId: TenantId, sealed: Uint8Array): TenantKeyPair {
  const text = unseal(ctx.keyring, context(tenantId), sealed)
  if (text === null) throw new Error('the sealed credentials of a tenant do not open')
  const [managementKey, applicationKey] = JSON.parse(text) as [string, string]
  return { managementKey, applicationKey }
}
