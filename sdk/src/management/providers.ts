import type { ProviderName } from '../login/provider.ts'
import { readSuccess } from '../service/read-response.ts'
import { bodyWith, fieldOf, json, type Manage, segment } from './manage.ts'
import type { Provider, ProviderClient, ProviderTestResult } from './provider-types.ts'

export interface Providers {
  /** What your users can sign in with, and what waits for a test sign-in. Google is always there. */
  list(): Promise<readonly Provider[]>
  /** Switches a provider on, with the client of the service. */
  share(name: ProviderName): Promise<Provider>
  /** Sets a client of your own. Sign-ins use it after a test sign-in of the owner at `/account`. */
  set<Name extends ProviderName>(name: Name, client: ProviderClient<Name>): Promise<Provider>
  /** Switches a provider off; Google returns to the client of the service. Sessions and users stay. */
  remove(name: ProviderName): Promise<void>
  /** Asks the provider whether it accepts the id and the secret of your own client. */
  test(name: ProviderName): Promise<ProviderTestResult>
}

const PROVIDERS = '/api/social-login/providers'

export function createProviders(manage: Manage): Providers {
  const pathOf = (name: string, rest = ''): string => `${PROVIDERS}/${segment(name, 'name')}${rest}`
  const replace = async (name: ProviderName, body: object): Promise<Provider> =>
    fieldOf(await manage('PUT', pathOf(name), json(body)), 'provider')
  return {
    list: async () => fieldOf(await manage('GET', PROVIDERS), 'providers'),
    share: (name) => replace(name, { mode: 'shared' }),
    set: (name, client) => replace(name, client),
    remove: async (name) => readSuccess(await manage('DELETE', pathOf(name))),
    test: async (name) => bodyWith<ProviderTestResult>(await manage('POST', pathOf(name, '/test')), 'accepted'),
  }
}
