import type { Endpoint } from '@gatehouse-auth/contract'

/** The endpoint's path with its parameters filled in; a missing one becomes `1`, a provider `github`. */
export const pathOf = (
  endpoint: Pick<Endpoint, 'path'>,
  params: Readonly<Record<string, string>> = {},
): string =>
  endpoint.path.replace(
    /:([A-Za-z]+)/g,
    (_, name: string) => params[name] ?? (name === 'provider' ? 'github' : '1'),
  )
