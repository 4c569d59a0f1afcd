import type { Command } from './command.ts'
import * as database from './database.ts'
import * as moderation from './moderation.ts'
import * as tenants from './tenants.ts'

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  tenants.listTenants,
  tenants.findTenants,
  tenants.showTenant,
  tenants.suspendTenant,
  tenants.liftTenant,
  tenants.endSessions,
  tenants.deleteTenants,
  moderation.listHosts,
  moderation.blockHost,
  moderation.unblockHost,
  moderation.listFeedback,
  moderation.deleteFeedback,
  moderation.setTier,
  moderation.setProjectLimit,
  database.rotateKeys,
  database.backUp,
  database.restored,
  database.move,
]
