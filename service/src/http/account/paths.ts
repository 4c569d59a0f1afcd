const project = (tenantId: string): string => `/account/projects/${encodeURIComponent(tenantId)}`

/** The paths of the account pages. All but `home` and `project` are POST only. */
export const accountPaths = {
  home: '/account',
  project,
  signOut: '/account/sign-out',
  signOutEverywhere: '/account/sign-out-everywhere',
  /** With the field `session`. */
  endSession: '/account/sessions/end',
  /** With the field `grant`. */
  revokeAgent: '/account/agents/revoke',
  /** With the field `session`. */
  endProjectSession: (tenantId: string): string => `${project(tenantId)}/sessions/end`,
  replaceKeys: (tenantId: string): string => `${project(tenantId)}/keys`,
  /** These three with the field `provider`. */
  testProvider: (tenantId: string): string => `${project(tenantId)}/providers/test`,
  shareProvider: (tenantId: string): string => `${project(tenantId)}/providers/share`,
  removeProvider: (tenantId: string): string => `${project(tenantId)}/providers/remove`,
  /** With the field `confirm`. */
  deleteProject: (tenantId: string): string => `${project(tenantId)}/delete`,
} as const
