/** The route of a project's overview. Its other tabs and its forms are below it. */
export const PROJECT_ROUTE = '/account/projects/:tenantId'

const project = (tenantId: string): string => `/account/projects/${encodeURIComponent(tenantId)}`

const user = (tenantId: string, userId: number): string => `${project(tenantId)}/users/${userId}`

const webhook = (tenantId: string, webhookId: string | number): string =>
  `${project(tenantId)}/settings/webhooks/${encodeURIComponent(webhookId)}`

/** The paths of the account pages and of their forms. */
export const accountPaths = {
  home: '/account',
  /** Also POST, with the fields `name`, `callback_urls` and `nonce`. */
  newProject: '/account/new-project',
  /** The tabs of a project. */
  project,
  /** Waits for events, for the script of the overview. With the parameters `after`, `event` and `user`. */
  liveActivity: (tenantId: string): string => `${project(tenantId)}/activity`,
  users: (tenantId: string): string => `${project(tenantId)}/users`,
  user: (tenantId: string, userId: number): string => user(tenantId, userId),
  sessions: (tenantId: string): string => `${project(tenantId)}/sessions`,
  settings: (tenantId: string): string => `${project(tenantId)}/settings`,
  webhook,
  /** The client of the owner at a provider; `oidc`: one more OpenID provider. Also POST, with the fields of the API. */
  client: (tenantId: string, provider: string | number): string => `${project(tenantId)}/settings/clients/${provider}`,
  keys: (tenantId: string): string => `${project(tenantId)}/keys`,
  danger: (tenantId: string): string => `${project(tenantId)}/danger`,
  /** Of a project that has no pages anymore. */
  deletion: (tenantId: string): string => `/account/deletions/${tenantId}`,
  /** The keys that this session has just replaced, for a minute. */
  newKeys: (tenantId: string): string => `${project(tenantId)}/keys/new`,
  /** The same as a download, or the copy that we keep. */
  keyFile: (tenantId: string): string => `${project(tenantId)}/keys/file`,
  /** POST only, from here on. */
  signOut: '/account/sign-out',
  signOutEverywhere: '/account/sign-out-everywhere',
  /** With the field `session`. */
  endSession: '/account/sessions/end',
  /** With the field `grant`. */
  revokeAgent: '/account/agents/revoke',
  /** With the field `format`. */
  exportUsers: (tenantId: string): string => `${project(tenantId)}/users/export`,
  endUserSessions: (tenantId: string, userId: number): string => `${user(tenantId, userId)}/end-sessions`,
  blockUser: (tenantId: string, userId: number): string => `${user(tenantId, userId)}/block`,
  unblockUser: (tenantId: string, userId: number): string => `${user(tenantId, userId)}/unblock`,
  /** With the fields `metadata` and `etag`. */
  replaceMetadata: (tenantId: string, userId: number): string => `${user(tenantId, userId)}/metadata`,
  /** With the field `confirm`. */
  deleteUser: (tenantId: string, userId: number): string => `${user(tenantId, userId)}/delete`,
  /** With the field `session`, and `user` to return to the user's page or `before` to the page of sessions. */
  endProjectSession: (tenantId: string): string => `${project(tenantId)}/sessions/end`,
  /** With the fields `keys` and `generation`. */
  replaceKeys: (tenantId: string): string => `${project(tenantId)}/keys/replace`,
  /** The forms of the settings. */
  saveCallbacks: (tenantId: string): string => `${project(tenantId)}/settings/callbacks`,
  saveAccess: (tenantId: string): string => `${project(tenantId)}/settings/access`,
  saveLogins: (tenantId: string): string => `${project(tenantId)}/settings/logins`,
  saveBrand: (tenantId: string): string => `${project(tenantId)}/settings/brand`,
  deleteBrand: (tenantId: string): string => `${project(tenantId)}/settings/brand/delete`,
  /** With the file `logo`. */
  saveLogo: (tenantId: string): string => `${project(tenantId)}/settings/logo`,
  deleteLogo: (tenantId: string): string => `${project(tenantId)}/settings/logo/delete`,
  /** These three with the field `host`. */
  addDomain: (tenantId: string): string => `${project(tenantId)}/settings/domains`,
  checkDomain: (tenantId: string): string => `${project(tenantId)}/settings/domains/check`,
  deleteDomain: (tenantId: string): string => `${project(tenantId)}/settings/domains/delete`,
  addWebhook: (tenantId: string): string => `${project(tenantId)}/settings/webhooks`,
  changeWebhook: (tenantId: string, webhookId: string | number): string => `${webhook(tenantId, webhookId)}/change`,
  /** With the field `status`. */
  switchWebhook: (tenantId: string, webhookId: string | number): string => `${webhook(tenantId, webhookId)}/status`,
  testWebhook: (tenantId: string, webhookId: string | number): string => `${webhook(tenantId, webhookId)}/test`,
  rotateWebhook: (tenantId: string, webhookId: string | number): string => `${webhook(tenantId, webhookId)}/rotate`,
  /** With the field `after` or `event_ids`. */
  replayWebhook: (tenantId: string, webhookId: string | number): string => `${webhook(tenantId, webhookId)}/replay`,
  deleteWebhook: (tenantId: string, webhookId: string | number): string => `${webhook(tenantId, webhookId)}/delete`,
  /** With the field `name`. */
  renameProject: (tenantId: string): string => `${project(tenantId)}/name`,
  /** These three with the field `provider`. */
  testProvider: (tenantId: string): string => `${project(tenantId)}/providers/test`,
  shareProvider: (tenantId: string): string => `${project(tenantId)}/providers/share`,
  removeProvider: (tenantId: string): string => `${project(tenantId)}/providers/remove`,
  /** With the field `confirm`. */
  deleteProject: (tenantId: string): string => `${project(tenantId)}/danger/delete`,
} as const

/** The path with these parameters; undefined ones are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
