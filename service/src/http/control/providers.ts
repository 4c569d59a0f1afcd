import * as endpoints from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { ApiError } from '../../domain/api-error.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import {
  type DescribedProvider,
  listProviders,
  removeProvider,
  setProvider,
} from '../../operations/providers/providers.ts'
import { testProvider } from '../../operations/providers/test-sign-in.ts'
import { keyAuthor } from '../callers/author.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { readOwnClient } from '../own-client.ts'

export function providerRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  const view = (tenant: Tenant, provider: DescribedProvider) =>
    providerView(ctx.baseUrl, tenant, provider)

  mountForManagementKey(app, deps, endpoints.listProviders, async (_input, _c, tenant) => ({
    providers: (await listProviders(ctx, tenant)).map((provider) => view(tenant, provider)),
  }))

  mountForManagementKey(
    app,
    deps,
    endpoints.replaceProvider,
    async ({ params, body }, c, tenant, key) => {
      const name = providerIn(params.provider)
      const own = readOwnClient(name, body)
      return {
        provider: view(tenant, await setProvider(ctx, tenant, name, own, keyAuthor(c, key))),
      }
    },
  )

  mountForManagementKey(app, deps, endpoints.removeProvider, async ({ params }, c, tenant, key) => {
    await removeProvider(ctx, tenant, providerIn(params.provider), keyAuthor(c, key))
    return { success: true as const }
  })

  mountForManagementKey(app, deps, endpoints.testProvider, async ({ params }, c, tenant, key) => {
    const check = await testProvider(ctx, tenant, providerIn(params.provider), keyAuthor(c, key))
    return { accepted: check.accepted, error_code: check.accepted ? null : check.errorCode }
  })
}

function providerIn(name: string): endpoints.ProviderName {
  if (endpoints.isProviderName(name)) {
    return name
  }
  throw new ApiError('providerNotFound', `Use ${endpoints.PROVIDER_LIST}.`)
}

/** Never the secret. */
function providerView(
  baseUrl: string,
  tenant: Tenant,
  { name, client, inUse, redirectUri }: DescribedProvider,
): z.infer<typeof endpoints.Provider> {
  return {
    name,
    mode: client?.mode ?? 'shared',
    client_id: client?.clientId ?? null,
    ...(client?.issuer == null ? {} : { issuer: client.issuer }),
    ...(client?.displayName == null ? {} : { display_name: client.displayName }),
    redirect_uri: redirectUri,
    status: client?.status ?? 'active',
    tested_at: client?.testedAt == null ? null : new Date(client.testedAt).toISOString(),
    login_url: endpoints.providerLoginUrl(baseUrl, tenant.id, name),
    in_use: inUse === null ? null : { mode: inUse.mode, client_id: inUse.clientId },
  }
}
