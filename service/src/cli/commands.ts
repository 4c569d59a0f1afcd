import type { Command } from './command.ts'
import { backUp, move, restored, rotateKeys } from './database.ts'
import {
  blockHost,
  deleteFeedback,
  listFeedback,
  listHosts,
  setProjectLimit,
  setTier,
  unblockHost,
} from './moderation.ts'
import {
  deleteTenants,
  endSessions,
  findTenants,
  liftTenant,
  listTenants,
  showTenant,
  suspendTenant,
} from './tenants.ts'

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  listTenants,
  findTenants,
  showTenant,
  suspendTenant,
  liftTenant,
  endSessions,
  deleteTenants,
  listHosts,
  blockHost,
  unblockHost,
  listFeedback,
  deleteFeedback,
  setTier,
  setProjectLimit,
  rotateKeys,
  backUp,
  restored,
  move,
]
