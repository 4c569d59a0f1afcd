import type { Cluster } from './cluster.ts'
import { providerCallback } from './scripted-provider.ts'

/** Runs one login up to the page after the provider's callback: its URL, and how long the callback took. */
export async function timedLogin(
  cluster: Cluster,
  tenantId: string,
  fault: string,
): Promise<{ readonly finalUrl: URL; readonly took: number }> {
  const browser = cluster.browser()
  const authorize = await browser.open(`${cluster.baseUrl}/edge/auth/${tenantId}/google`)
  const began = performance.now()
  const finalUrl = await browser.open(providerCallback(authorize, fault))
  return { finalUrl, took: performance.now() - began }
}
