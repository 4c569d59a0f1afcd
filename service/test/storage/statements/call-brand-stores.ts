// For query-plans.test.ts and distribution.test.ts: calls every store method for domains and brands.
import { NOW, type TestStorage } from '../../support/postgres/storage.ts'

export async function callBrandStores({ stores }: TestStorage, tenantId: string): Promise<void> {
  const ref = { tenantId, host: 'app.example.com' }
  await stores.domains.add(ref, NOW, 5)
  await stores.domains.find(ref)
  await stores.domains.listByTenant(tenantId)
  for (let check = 0; check < 2; check++) {
    await stores.domains.verify(ref, { method: 'dns', at: NOW, nextCheckAt: NOW })
  }
  await stores.domains.listDue(NOW, 10)
  await stores.domains.lease(ref, NOW, NOW + 1)
  const missed = {
    status: 'verified',
    method: 'dns',
    misses: 1,
    checkedAt: NOW,
    nextCheckAt: NOW + 1,
  } as const
  await stores.domains.saveRecheck(ref, NOW + 1, missed)
  const brand = { name: 'Notes', privacyUrl: null, termsUrl: null, accent: 'blue' } as const
  await stores.brands.set(tenantId, brand, NOW)
  await stores.brands.setLogo(tenantId, { hash: 'hash', size: 64, png: new Uint8Array([1]) }, NOW)
  await stores.brands.find(tenantId)
  await stores.brands.findLogo(tenantId, 'hash')
  await stores.brands.removeLogo(tenantId)
  await stores.brands.remove(tenantId)
  await stores.domains.remove(ref)
  await stores.domains.removeByTenant(tenantId)
}
