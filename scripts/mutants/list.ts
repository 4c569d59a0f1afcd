import { BRAND } from './brand.ts'
import { CONNECTIONS } from './connections.ts'
import { CONSENT } from './consent.ts'
import { CONSOLE } from './console.ts'
import { DEVELOPMENT } from './development.ts'
import { DOCUMENTS } from './documents.ts'
import { DISK } from './durability.ts'
import { EVENT_COUNTS } from './event-counts.ts'
import { FAILOVER } from './failover.ts'
import { INPUT } from './input.ts'
import { LANGUAGES } from './languages.ts'
import { LAST_SEEN } from './last-seen.ts'
import { LOCAL } from './local.ts'
import { LOGIN } from './login.ts'
import { MODERATION } from './moderation.ts'
import { MOVE } from './move.ts'
import type { Mutant } from './mutant.ts'
import { OAUTH_AND_MCP } from './oauth-and-mcp.ts'
import { OUTCOMES } from './outcomes.ts'
import { OWNERS } from './owners.ts'
import { PEOPLE } from './people.ts'
import { PRODUCTION_BUILD } from './production-build.ts'
import { PROJECT_SETTINGS } from './project-settings.ts'
import { PROVIDERS } from './providers.ts'
import { SCALE } from './scale.ts'
import { SDK } from './sdk.ts'
import { SERVICE } from './service.ts'
import { SESSIONS } from './sessions.ts'
import { STOPPING } from './stopping.ts'
import { TENANTS } from './tenants.ts'
import { USERS } from './users.ts'
import { WEBHOOKS } from './webhooks.ts'

/** Checks and rules, each broken in one place. */
export const MUTANTS: readonly Mutant[] = [
  ...LOGIN,
  ...CONSENT,
  ...LANGUAGES,
  ...SESSIONS,
  ...TENANTS,
  ...EVENT_COUNTS,
  ...USERS,
  ...LAST_SEEN,
  ...WEBHOOKS,
  ...PROJECT_SETTINGS,
  ...PROVIDERS,
  ...OWNERS,
  ...CONSOLE,
  ...BRAND,
  ...MODERATION,
  ...PEOPLE,
  ...OUTCOMES,
  ...CONNECTIONS,
  ...DISK,
  ...MOVE,
  ...FAILOVER,
  ...OAUTH_AND_MCP,
  ...INPUT,
  ...SERVICE,
  ...STOPPING,
  ...PRODUCTION_BUILD,
  ...SCALE,
  ...DEVELOPMENT,
  ...SDK,
  ...LOCAL,
  ...DOCUMENTS,
]
