import { callbackFromStored } from '../../domain/callbacks/url.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

/** The hosts that users of a tenant's app return to, each once. */
export async function readCallbackHosts({ stores }: Pick<Context, 'stores'>, tenant: Tenant): Promise<string[]> {
  const resource = await stores.resources.findActive(tenant.id)
  return callbackHostsOf(resource?.callbackUrls ?? [])
}

export const callbackHostsOf = (callbackUrls: readonly string[]): string[] => [
  ...new Set(callbackUrls.map((href) => callbackFromStored(href).host)),
]
