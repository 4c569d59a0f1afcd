import type { Command } from '../command.ts'
import { brand, domains } from './brand.ts'
import { claim } from './claim.ts'
import { dev, mcp } from './dev.ts'
import { doctor } from './doctor.ts'
import { events, refusals } from './events.ts'
import { init, signOut } from './init.ts'
import { invitations } from './invitations.ts'
import { providers } from './providers.ts'
import { provision } from './provision.ts'
import { settings } from './settings.ts'
import { audit, env, feedback, status, usage } from './status.ts'
import { removals, users } from './users.ts'
import { webhooks } from './webhooks.ts'

/** In the order in which a new user needs them. */
export const COMMANDS: readonly Command[] = [
  init,
  provision,
  env,
  dev,
  status,
  usage,
  claim,
  events,
  refusals,
  users,
  removals,
  invitations,
  settings,
  providers,
  domains,
  brand,
  webhooks,
  audit,
  feedback,
  mcp,
  doctor,
  signOut,
]

export const findCommand = (name: string): Command | undefined =>
  COMMANDS.find((command) => command.name === name)
