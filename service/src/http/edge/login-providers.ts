import { listLoginProviders as listLoginProvidersEndpoint, providerLoginUrl } from '@gatehouse/contract'
import { listLoginProviders } from '../../operations/providers/login-provider.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mount } from '../mount-endpoint.ts'

export function loginProviderRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  mount(app, deps, listLoginProvidersEndpoint, async ({ params }) => ({
    providers: (await listLoginProviders(ctx, params.tenantId)).map(({ name, displayName }) => ({
      name,
      display_name: displayName,
      login_url: providerLoginUrl(ctx.baseUrl, params.tenantId, name),
    })),
  }))
}
