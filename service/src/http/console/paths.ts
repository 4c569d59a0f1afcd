/** A path below a project's: the route that is registered, and the address of a project. */
export interface ProjectPath {
  (tenantId: string): string
  readonly route: string
}

/** The same of something in a project, such as a user or a webhook. */
export interface ItemPath {
  (tenantId: string, id: string | number): string
  readonly route: string
}

const ofProject = (below: string): ProjectPath => pathOf(`/account/projects/:tenantId${below}`)

const ofUser = (below: string): ItemPath => pathOf(`/account/projects/:tenantId/users/:userId${below}`)

const ofWebhook = (below: string): ItemPath =>
  pathOf(`/account/projects/:tenantId/settings/webhooks/:webhookId${below}`)

/** The ids take the places of the route's `:names`, in order. */
export function pathOf(route: string): ((...ids: readonly (string | number)[]) => string) & { readonly route: string } {
  const address = (...ids: readonly (string | number)[]): string => {
    const values = ids.values()
    return route.replaceAll(/:\w+/g, () => encodeURIComponent(values.next().value ?? ''))
  }
  return Object.assign(address, { route })
}

/** The form that starts a sign-in, with the field `next`. It needs no session, so it is no path of the account. */
export const SIGN_IN_PATH = '/account/sign-in'

/** The paths of the account pages and of their forms. */
export const accountPaths = {
  home: '/account',
  /** Also POST, with the fields `name`, `callback_urls` and `nonce`. */
  newProject: '/account/new-project',
  /** The tabs of a project. */
  project: ofProject(''),
  /** Waits for events, for the script of the overview. With the parameters `after`, `event` and `user`. */
  liveActivity: ofProject('/activity'),
  users: ofProject('/users'),
  user: ofUser(''),
  sessions: ofProject('/sessions'),
  settings: ofProject('/settings'),
  webhook: ofWebhook(''),
  /** The client of the owner at a provider; `oidc`: one more OpenID provider. Also POST, with the fields of the API. */
  client: pathOf('/account/projects/:tenantId/settings/clients/:provider') as ItemPath,
  keys: ofProject('/keys'),
  danger: ofProject('/danger'),
  /** Of a project that has no pages anymore. */
  deletion: pathOf('/account/deletions/:tenantId') as ProjectPath,
  /** The keys that this session has just replaced, for a minute. */
  newKeys: ofProject('/keys/new'),
  /** The same as a download, or the copy that we keep. */
  keyFile: ofProject('/keys/file'),
  /** POST only, from here on. */
  signOut: '/account/sign-out',
  signOutEverywhere: '/account/sign-out-everywhere',
  /** With the field `session`. */
  endSession: '/account/sessions/end',
  /** With the field `grant`. */
  revokeAgent: '/account/agents/revoke',
  /** With the field `format`. */
  exportUsers: ofProject('/users/export'),
  endUserSessions: ofUser('/end-sessions'),
  blockUser: ofUser('/block'),
  unblockUser: ofUser('/unblock'),
  /** With the fields `metadata` and `etag`. */
  replaceMetadata: ofUser('/metadata'),
  /** With the fields `claims` and `end_sessions`. */
  replaceClaims: ofUser('/claims'),
  /** With the field `confirm`. */
  deleteUser: ofUser('/delete'),
  /** With the field `session`, and `user` to return to the user's page or `before` to the page of sessions. */
  endProjectSession: ofProject('/sessions/end'),
  /** With the fields `keys` and `generation`. */
  replaceKeys: ofProject('/keys/replace'),
  /** The forms of the settings. */
  saveCallbacks: ofProject('/settings/callbacks'),
  saveAccess: ofProject('/settings/access'),
  saveLogins: ofProject('/settings/logins'),
  saveBrand: ofProject('/settings/brand'),
  deleteBrand: ofProject('/settings/brand/delete'),
  /** With the file `logo`. */
  saveLogo: ofProject('/settings/logo'),
  deleteLogo: ofProject('/settings/logo/delete'),
  /** These three with the field `host`. */
  addDomain: ofProject('/settings/domains'),
  checkDomain: ofProject('/settings/domains/check'),
  deleteDomain: ofProject('/settings/domains/delete'),
  addInvitation: ofProject('/settings/invitations'),
  /** With the field `invitation`. */
  deleteInvitation: ofProject('/settings/invitations/delete'),
  addWebhook: ofProject('/settings/webhooks'),
  changeWebhook: ofWebhook('/change'),
  /** With the field `status`. */
  switchWebhook: ofWebhook('/status'),
  testWebhook: ofWebhook('/test'),
  rotateWebhook: ofWebhook('/rotate'),
  /** With the field `after` or `event_ids`. */
  replayWebhook: ofWebhook('/replay'),
  deleteWebhook: ofWebhook('/delete'),
  /** With the field `name`. */
  renameProject: ofProject('/name'),
  /** These three with the field `provider`. */
  testProvider: ofProject('/providers/test'),
  shareProvider: ofProject('/providers/share'),
  removeProvider: ofProject('/providers/remove'),
  /** With the field `confirm`. */
  deleteProject: ofProject('/danger/delete'),
} as const

/** The sign-in page, which then opens this path. */
export const signInThenOpen = (path: string): string => `${accountPaths.home}?next=${encodeURIComponent(path)}`

/** The path with these parameters; undefined ones are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
