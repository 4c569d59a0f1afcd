/** A path below a project's: the route that is registered, and the address of a project. */
export interface ProjectPath {
  (tenantId: string): string
  readonly route: string
}

/** A path of something in a project, such as a user or a webhook. */
export interface ItemPath {
  (tenantId: string, id: string | number): string
  readonly route: string
}

const ofProject = (below: string): ProjectPath => pathOf(`/account/projects/:tenantId${below}`)

/** The path of a form, below its page's. */
export const below = <P extends ProjectPath | ItemPath>({ route }: P, form: string): P =>
  pathOf(`${route}/${form}`) as unknown as P

/** The ids take the places of the route's `:names`, in order. */
export function pathOf(
  route: string,
): ((...ids: readonly (string | number)[]) => string) & { readonly route: string } {
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
  user: ofProject('/users/:userId') as ItemPath,
  sessions: ofProject('/sessions'),
  /** The pages of the settings; also POST, for the form of the page. */
  settings: ofProject('/settings'),
  callbacks: ofProject('/settings/callbacks'),
  access: ofProject('/settings/access'),
  signInPages: ofProject('/settings/pages'),
  providers: ofProject('/settings/providers'),
  tokens: ofProject('/settings/tokens'),
  webhooks: ofProject('/settings/webhooks'),
  webhook: ofProject('/settings/webhooks/:webhookId') as ItemPath,
  /** The client of the owner at a provider; `oidc`: one more OpenID provider. Also POST, with the fields of the API. */
  client: ofProject('/settings/clients/:provider') as ItemPath,
  keys: ofProject('/keys'),
  danger: ofProject('/danger'),
  /** The deletion of a project, whose own pages are gone. */
  deletion: pathOf('/account/deletions/:tenantId') as ProjectPath,
  /** The keys that this session has just replaced, for a minute. */
  newKeys: ofProject('/keys/new'),
  /** The new keys as a download, or the copy that we keep. */
  keyFile: ofProject('/keys/file'),
  /** POST only, from here on. */
  signOut: '/account/sign-out',
  signOutEverywhere: '/account/sign-out-everywhere',
  /** With the field `session`. */
  endSession: '/account/sessions/end',
  /** With the field `grant`. */
  revokeAgent: '/account/agents/revoke',
} as const

/** The sign-in page, which then opens this path. */
export const signInThenOpen = (path: string): string =>
  `${accountPaths.home}?next=${encodeURIComponent(path)}`

/** The path with these parameters; undefined ones are left out. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
