/** The route of a project's overview. Its other tabs and its forms are below it. */
export const PROJECT_ROUTE = '/account/projects/:tenantId'

const project = (tenantId: string): string => `/account/projects/${encodeURIComponent(tenantId)}`

/** The paths of the account pages and of their forms. */
export const accountPaths = {
  home: '/account',
  /** The tabs of a project. */
  project,
  users: (tenantId: string): string => `${project(tenantId)}/users`,
  sessions: (tenantId: string): string => `${project(tenantId)}/sessions`,
  settings: (tenantId: string): string => `${project(tenantId)}/settings`,
  keys: (tenantId: string): string => `${project(tenantId)}/keys`,
  danger: (tenantId: string): string => `${project(tenantId)}/danger`,
  /** The keys that this session has just replaced, for a minute. */
  newKeys: (tenantId: string): string => `${project(tenantId)}/keys/new`,
  /** POST only, from here on. */
  signOut: '/account/sign-out',
  signOutEverywhere: '/account/sign-out-everywhere',
  /** With the field `session`. */
  endSession: '/account/sessions/end',
  /** With the field `grant`. */
  revokeAgent: '/account/agents/revoke',
  /** With the field `session`. */
  endProjectSession: (tenantId: string): string => `${project(tenantId)}/sessions/end`,
  /** With the fields `keys` and `generation`. */
  replaceKeys: (tenantId: string): string => `${project(tenantId)}/keys/replace`,
  /** These three with the field `provider`. */
  testProvider: (tenantId: string): string => `${project(tenantId)}/providers/test`,
  shareProvider: (tenantId: string): string => `${project(tenantId)}/providers/share`,
  removeProvider: (tenantId: string): string => `${project(tenantId)}/providers/remove`,
  /** With the field `confirm`. */
  deleteProject: (tenantId: string): string => `${project(tenantId)}/danger/delete`,
} as const
