import assert from 'node:assert/strict'
import type { Tenant } from '../actors/agent.ts'
import { newTenant, type ServiceProcess } from './service-process.ts'

const PAGES = [
  '/',
  '/docs',
  '/docs/recipes/node',
  '/openapi.json',
  '/llms.txt',
  '/packages/npm/@gatehouse-auth/sdk',
  '/assets/mark.svg',
]

/**
 * Uses everything that an installation could have lost: content, packages, the stand-ins, the database and its thread,
 * and what is loaded on demand. Returns the tenant that it created.
 */
export async function useInstallation(service: ServiceProcess): Promise<Tenant> {
  for (const page of PAGES) {
    assert.equal((await service.agent.call('GET', page)).status, 200, page)
  }
  const tenant = await newTenant(service)
  const pair = await tenant.signIn(service.browser())
  assert.equal(await tenant.isValid(pair.access_token), true)
  await tenant.refresh(pair.refresh_token)
  const { json, status, text } = await tenant.manage('GET', '/api/social-login/events?wait=1')
  assert.equal(status, 200, text)
  assert.deepEqual(json.events.map(({ event }: { event: string }) => event).sort(), [
    'authorize',
    'login_started',
    'token_refreshed',
  ])
  // Truncates the write-ahead log on a thread.
  assert.equal((await tenant.manage('DELETE', '/api/social-login/users/1')).status, 200)
  return tenant
}
