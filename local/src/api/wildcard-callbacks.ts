/**
 * Where a login returns to, if several callbacks are registered. null: there is one callback, or no default
 * (`wildcardProblem`).
 */
export function defaultCallbackNote(callbackUrls: readonly string[]): string | null {
  const first = callbackUrls.find((url) => !url.includes('//*.'))
  if (first === undefined || callbackUrls.length === 1) return null
  return `The login link alone returns to ${first}. Apps with the SDK return users to the address where they began, if its callback is registered`
}

/**
 * The problem of a list of wildcard callbacks only: the service has no default callback for a login without redirect_uri
 * and refuses it (400 redirectUriRequired). null when the link works as it is.
 */
export function wildcardProblem(callbackUrls: readonly string[]): string | null {
  const [first] = callbackUrls
  if (first === undefined || !callbackUrls.every((url) => url.includes('//*.'))) return null
  const example = encodeURIComponent(first.replace('*', 'app'))
  return `Every callback URL has a wildcard, so the login link works only with redirect_uri: add ?redirect_uri=${example}`
}
