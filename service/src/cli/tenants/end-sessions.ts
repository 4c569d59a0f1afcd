import { endTenantSessions } from '../../operations/moderation.ts'
import { type Command, onDatabase, requireYes, YES } from '../command.ts'
import { counted } from '../terminal-text.ts'
import { requireTenant } from './require-tenants.ts'

export const endSessions: Command = {
  name: 'tenants end-sessions',
  synopsis: '<id> --yes',
  summary: 'end all sessions of a tenant’s users, who may sign in again',
  details: ['Sessions that start meanwhile stay: suspend the tenant first to prevent them.'],
  options: { yes: YES },
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, { stores, now, emit, note }) => {
    const [id = ''] = input.positionals
    const tenant = await requireTenant(stores, id)
    requireYes(input, `This signs out every user of ${id}.`)
    const ctx = { stores, now: () => now, unlimited: false }
    const ended = await endTenantSessions(ctx, tenant, (soFar) => {
      if (soFar % 10_000 === 0 && soFar > 0) note(`${counted(soFar, 'session')} ended so far`)
    })
    emit({ tenant_id: id, ended }, `Ended ${counted(ended, 'session')} of ${id}.`)
  }),
}
