import type { Cluster } from './cluster.ts'
import { returnFrom } from './scripted-provider.ts'

/** One login as far as the provider leads: where it ended, and how long that took from the return on. */
export async function timedLogin(
  cluster: Cluster,
  tenantId: string,
  fault: string,
): Promise<{ readonly landed: URL; readonly took: number }> {
  const browser = cluster.browser()
  const authorize = await browser.open(`${cluster.baseUrl}/edge/auth/${tenantId}/google`)
  const began = performance.now()
  const landed = await browser.open(returnFrom(authorize, fault))
  return { landed, took: performance.now() - began }
}
