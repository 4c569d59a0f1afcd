// For query-plans.test.ts and distribution.test.ts: calls every store method for identity providers.
import type { ProviderClient } from '../../../src/domain/providers/provider-client.ts'
import { NOW, type TestStorage } from '../../support/postgres/storage.ts'

export const providerClient = (
  tenantId: string,
  id: string,
  changes: Partial<ProviderClient> = {},
): ProviderClient => ({
  tenantId,
  id,
  provider: 'github',
  mode: 'own',
  clientId: 'client',
  issuer: null,
  displayName: null,
  sealed: new Uint8Array([1]),
  redirectUri: 'https://app.example.com/relay',
  status: 'pending',
  createdAt: NOW,
  testedAt: null,
  retiredAt: null,
  ...changes,
})

export async function callProviderStores({ stores }: TestStorage, tenantId: string): Promise<void> {
  const { providerClients } = stores
  const client = providerClient(tenantId, 'pc_1')
  await providerClients.add(client)
  await providerClients.find(client)
  await providerClients.listCurrent(tenantId)
  await providerClients.lockCurrent(tenantId)
  await providerClients.setStatus(client, 'pending', 'active')
  await providerClients.activate(client, NOW)
  await providerClients.retire(tenantId, 'github', NOW)
  await providerClients.retire(tenantId, 'github', NOW, 'pending')
  await providerClients.sweep(NOW, 10)
  await providerClients.removeByTenant(tenantId)
}
