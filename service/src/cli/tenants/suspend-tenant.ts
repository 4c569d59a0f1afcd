import { statusAt } from '../../domain/tenants/tenant.ts'
import { liftSuspension, suspendTenant as suspend } from '../../operations/moderation.ts'
import { type Command, onDatabase, REASON, readReason } from '../command.ts'
import { requireTenant } from './require-tenants.ts'

export const suspendTenant: Command = {
  name: 'tenants suspend',
  synopsis: '<id> --reason <text>',
  summary: 'suspend a tenant: no sign-ins, sessions, changes and webhooks until it is lifted',
  details: [
    'Takes effect on every instance within two seconds. Nothing is deleted: sessions continue after "tenants lift".',
    'The owner reads the reason on the project’s page and with GET /api/status. The API answers 403 tenantSuspended.',
  ],
  options: { reason: REASON },
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, { stores, now, emit }) => {
    const [id = ''] = input.positionals
    const reason = readReason(input)
    const tenant = await requireTenant(stores, id)
    if (!(await suspend({ stores, now: () => now }, id, reason))) {
      throw new Error(`${id} is ${statusAt(tenant, now)} already. Nothing was changed.`)
    }
    emit({ tenant_id: id, status: 'suspended', reason }, `Suspended ${id}. Lift it with: gatehouse tenants lift ${id}`)
  }),
}

export const liftTenant: Command = {
  name: 'tenants lift',
  synopsis: '<id> --reason <text>',
  summary: 'lift a suspension: sessions, sign-ins and webhooks continue where they were',
  options: { reason: REASON },
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, { stores, now, emit }) => {
    const [id = ''] = input.positionals
    const reason = readReason(input)
    const tenant = await requireTenant(stores, id)
    if (!(await liftSuspension({ stores, now: () => now }, id, reason))) {
      throw new Error(`${id} is not suspended (${statusAt(tenant, now)}). Nothing was changed.`)
    }
    const status = statusAt({ ...tenant, suspension: null }, now)
    emit({ tenant_id: id, status, reason }, `Lifted the suspension of ${id}, which is ${status} again.`)
  }),
}
