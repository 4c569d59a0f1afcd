import { OPERATOR } from '../../operations/moderation.ts'
import { endTenant } from '../../operations/tenants/end-tenant.ts'
import { TenantDirectory } from '../../operations/tenants/tenant-directory.ts'
import { type Command, onDatabase, requireYes, YES } from '../command.ts'
import { counted } from '../terminal-text.ts'
import { requireTenants } from './require-tenants.ts'

/** Deletes tenants as their owner would. Running instances reject them within ten seconds. */
export const deleteTenants: Command = {
  name: 'tenants delete',
  synopsis: '<id>… --yes',
  summary: 'delete tenants with their users, sessions and history; cannot be undone',
  details: [
    'Their data is unreadable at once. Of a large tenant, the running service deletes the last rows in steps:',
    '"tenants show" says how many are left.',
  ],
  options: { yes: YES },
  positionals: { min: 1, max: 1_000 },
  run: onDatabase(async (input, { stores, now, emit }) => {
    const tenants = await requireTenants(stores, input.positionals)
    requireYes(input, `This deletes ${input.positionals.join(', ')} with all users, and cannot be undone.`)
    const ctx = { stores, now: () => now, directory: new TenantDirectory(stores, () => now) }
    for (const tenant of tenants) {
      await endTenant(ctx, tenant, 'deleted', OPERATOR)
      const left = await stores.resources.countDeleting(tenant.id)
      const progress = left === 0 ? '' : ` ${counted(left, 'row')} left: the running service deletes them.`
      emit(
        { tenant_id: tenant.id, status: 'expired', rows_left_to_delete: left },
        `Deleted ${tenant.id} with its users, sessions, history and keys.${progress}`,
      )
    }
  }),
}
