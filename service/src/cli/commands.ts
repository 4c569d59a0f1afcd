import texts from '../../content/commands.json' with { type: 'json' }
import type { Command, CommandCode } from './command.ts'
import * as database from './database.ts'
import * as moderation from './moderation.ts'
import * as tenants from './tenants.ts'

/** In the order of the help. */
const CODE: readonly CommandCode[] = [
  ...[
    tenants.listTenants,
    tenants.findTenants,
    tenants.showTenant,
    tenants.suspendTenant,
    tenants.liftTenant,
  ],
  ...[tenants.endSessions, tenants.deleteTenants],
  ...[moderation.listHosts, moderation.blockHost, moderation.unblockHost],
  ...[
    moderation.listFeedback,
    moderation.deleteFeedback,
    moderation.setTier,
    moderation.setProjectLimit,
  ],
  ...[database.rotateKeys, database.backUp, database.restored, database.move, database.partition],
]

export const COMMANDS: readonly Command[] = CODE.map((code) => ({
  ...code,
  ...texts[code.name as keyof typeof texts],
}))
