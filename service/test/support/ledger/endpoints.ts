import type { Endpoint } from '@gatehouse/contract'

/** The endpoint's path with something in place of each `:name`. */
export const pathOf = (endpoint: Pick<Endpoint, 'path'>, params: Readonly<Record<string, string>> = {}): string =>
  endpoint.path.replace(/:([A-Za-z]+)/g, (_, name: string) => params[name] ?? '1')
