import type { Project } from '../credentials/project.ts'
import { loadSettings } from './management.ts'

/** What happens at the login link of the service without a parameter. */
export interface LoginLink {
  /** The sentence about a link that is always 400 codeChallengeRequired. null: it starts a login, or lacks redirect_uri only. */
  readonly refused: string | null
  /** Where the link leads, if that is not plain. null: there is one callback, of a site, or no default (`problem`). */
  readonly note: string | null
  /** The problem of a list of wildcard callbacks only: without a default callback, a login without redirect_uri is refused. */
  readonly problem: string | null
}

const isWildcard = (callbackUrl: string): boolean => callbackUrl.startsWith('https://*.')

/** False for the scheme of an installed app, which gets no login without a code_challenge. */
export const isSite = (callbackUrl: string): boolean => /^https?:/.test(callbackUrl)

/** True: the service refuses every login without a code_challenge. Social login must be set up. */
export const acceptsCodesOnly = async (project: Project): Promise<boolean> =>
  (await loadSettings(project)).callback_mode === 'code'

/** `codesOnly`: from `acceptsCodesOnly`. */
export function describeLoginLink(
  { credentials: { base_url } }: Project,
  callbackUrls: readonly string[],
  codesOnly: boolean,
): LoginLink {
  // The callback of a login without redirect_uri.
  const first = callbackUrls.find((url) => !isWildcard(url))
  const refused = refusedNote(base_url, first, codesOnly)
  if (first === undefined) {
    return { refused, note: refused, problem: wildcardProblem(callbackUrls, codesOnly) }
  }

  if (refused !== null || callbackUrls.length === 1) {
    return { refused, note: refused, problem: null }
  }
  return { refused: null, note: returnsTo(first), problem: null }
}

const returnsTo = (callbackUrl: string): string =>
  `The login link alone returns to ${callbackUrl}. Apps with the SDK or one of our recipes return users to the address where they began, if its callback is registered`

/** `first` undefined: there is no callback but wildcards, which are of sites. */
function refusedNote(
  service: string,
  first: string | undefined,
  codesOnly: boolean,
): string | null {
  if (first !== undefined && !isSite(first)) {
    return `The login link alone is refused: start the login in the app with a code_challenge (${service}/docs/recipes/expo)`
  }
  if (!codesOnly) {
    return null
  }
  return `The login link alone is refused, because callback_mode is code: the app starts the login with a code_challenge, as the SDK and our recipes do (${service}/docs/recipes/http)`
}

function wildcardProblem([first]: readonly string[], codesOnly: boolean): string | null {
  if (first === undefined) {
    return null
  }

  const example = `redirect_uri=${encodeURIComponent(first.replace('*', 'app'))}`
  if (codesOnly) {
    return `Every callback URL has a wildcard, so the app also sends redirect_uri, such as ${example}`
  }
  return `Every callback URL has a wildcard, so the login link works only with redirect_uri: add ?${example}`
}
