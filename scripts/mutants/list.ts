import { DOCUMENTS } from './documents.ts'
import { LAST_SEEN } from './last-seen.ts'
import { LOCAL } from './local.ts'
import type { Mutant } from './mutant.ts'
import { OAUTH_AND_MCP } from './oauth-and-mcp.ts'
import { DEVELOPMENT } from './process/development.ts'
import { INPUT } from './process/input.ts'
import { PRODUCTION_BUILD } from './process/production-build.ts'
import { SERVICE } from './process/service.ts'
import { STOPPING } from './process/stopping.ts'
import { SDK } from './sdk.ts'
import { SESSIONS } from './sessions.ts'
import { BRAND } from './sign-in/brand.ts'
import { CONSENT } from './sign-in/consent.ts'
import { LANGUAGES } from './sign-in/languages.ts'
import { LOGIN } from './sign-in/login.ts'
import { PEOPLE } from './sign-in/people.ts'
import { PROVIDERS } from './sign-in/providers.ts'
import { CONNECTIONS } from './storage/connections.ts'
import { DISK } from './storage/durability.ts'
import { FAILOVER } from './storage/failover.ts'
import { MOVE } from './storage/move.ts'
import { OUTCOMES } from './storage/outcomes.ts'
import { SCALE } from './storage/scale.ts'
import { CONSOLE } from './tenants/console.ts'
import { EVENT_COUNTS } from './tenants/event-counts.ts'
import { MODERATION } from './tenants/moderation.ts'
import { OWNERS } from './tenants/owners.ts'
import { PROJECT_SETTINGS } from './tenants/project-settings.ts'
import { TENANTS } from './tenants/tenants.ts'
import { WEBHOOKS } from './tenants/webhooks.ts'
import { USERS } from './users.ts'

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
