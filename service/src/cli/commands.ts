import { setProjectLimit } from './accounts/set-project-limit.ts'
import { setTier } from './accounts/set-tier.ts'
import type { Command } from './command.ts'
import { backUp } from './database/back-up.ts'
import { move } from './database/move.ts'
import { restored } from './database/restored.ts'
import { rotateKeys } from './database/rotate-keys.ts'
import { deleteFeedback } from './feedback/delete-feedback.ts'
import { listFeedback } from './feedback/list-feedback.ts'
import { blockHost, unblockHost } from './hosts/block-host.ts'
import { listHosts } from './hosts/list-hosts.ts'
import { deleteTenants } from './tenants/delete-tenants.ts'
import { endSessions } from './tenants/end-sessions.ts'
import { findTenants } from './tenants/find-tenants.ts'
import { listTenants } from './tenants/list-tenants.ts'
import { showTenant } from './tenants/show-tenant.ts'
import { liftTenant, suspendTenant } from './tenants/suspend-tenant.ts'

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
