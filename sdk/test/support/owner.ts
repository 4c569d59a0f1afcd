import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { API_ERRORS } from '@gatehouse-auth/contract'
import type { Tenant } from '../../../service/test/support/actors/agent.ts'
import { type World, type WorldOptions, world } from '../../../service/test/support/world.ts'
import { GatehouseError } from '../../src/index.ts'
import {
  createManagement,
  type Management,
  ManagementError,
  type ManagementErrorCode,
} from '../../src/management.ts'

export interface Owner {
  readonly service: World
  readonly tenant: Tenant
  readonly management: Management
}

/** The server of an owner: the real service, a provisioned tenant, and a management client for it. */
export async function createOwner(t: TestContext, options: WorldOptions = {}): Promise<Owner> {
  const service = await world(t, { through: 'port', ...options })
  const tenant = await service.agent.createTenant()
  return {
    service,
    tenant,
    management: createManagement({ baseUrl: service.baseUrl, key: tenant.key }),
  }
}

/** The call is rejected with this code, as the contract describes it. */
export async function refused(
  call: Promise<unknown>,
  code: ManagementErrorCode,
): Promise<ManagementError> {
  const error = await call.then(
    () => assert.fail(`${code} was expected`),
    (error) => error,
  )
  assert.ok(error instanceof ManagementError && error instanceof GatehouseError, String(error))
  assert.equal(error.code, code)
  assert.deepEqual([error.status, error.retryable], [API_ERRORS[code].status, false])
  assert.ok(error.docsUrl?.endsWith(`/docs/errors#${code}`) && error.requestId !== null)
  return error
}
