import type { Command } from '../command.ts'
import { audit } from './audit.ts'
import { brand } from './brand.ts'
import { claim } from './claim.ts'
import { dev } from './dev.ts'
import { doctor } from './doctor.ts'
import { domains } from './domains.ts'
import { env } from './env.ts'
import { events } from './events.ts'
import { feedback } from './feedback.ts'
import { init } from './init.ts'
import { mcp } from './mcp.ts'
import { providers } from './providers.ts'
import { provision } from './provision.ts'
import { removals } from './removals.ts'
import { settings } from './settings.ts'
import { signOut } from './sign-out.ts'
import { status } from './status.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

/** In the order in which a new user needs them. */
export const COMMANDS: readonly Command[] = [
  init,
  provision,
  env,
  dev,
  status,
  claim,
  events,
  users,
  removals,
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

export const findCommand = (name: string): Command | undefined => COMMANDS.find((command) => command.name === name)
