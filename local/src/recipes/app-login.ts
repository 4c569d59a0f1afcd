import { isSite } from '../api/login-link.ts'
import { readSmall, sourcesIn } from './files.ts'
import { dependenciesOf } from './write-recipe.ts'

/**
 * Where users of an app with the SDK or a recipe sign in. Its callback ignores the tokens of a login that started at the login
 * link of the service, because another site may have sent the user there, and starts a second login.
 */
export interface AppLogin {
  /** /login on each origin of the callbacks. A wildcard and the scheme of an installed app name no origin. */
  readonly urls: readonly string[]
  /** The pages of an SPA start the login themselves: it has no /login. */
  readonly isSpa: boolean
}

/** null: the project has neither the SDK nor a recipe, so the app links to the service, or it is an installed app only. */
export async function findAppLogin(
  root: string,
  callbackUrls: readonly string[],
): Promise<AppLogin | null> {
  if (!callbackUrls.some(isSite)) {
    return null
  }
  const { imports, hasRecipe } = await findUses(root)
  if (!hasRecipe) {
    // Tests of an app say nothing about it: then package.json decides.
    const parts = [...imports].filter((each) => each !== 'testing')
    if (parts.length === 0 && !('@gatehouse-auth/sdk' in (await dependenciesOf(root)))) {
      return null
    }
    if (parts.length > 0 && parts.every((each) => NO_LOGIN.has(each))) {
      return null
    }
    if (imports.has('browser') && parts.every((each) => NO_ADAPTERS.has(each))) {
      return { urls: [], isSpa: true }
    }
  }
  const urls = callbackUrls.filter((url) => /^https?:[^*]*$/.test(url)).map(loginOf)
  return { urls: [...new Set(urls)], isSpa: false }
}

/** The entries of the SDK without a sign-in. */
const NO_LOGIN: ReadonlySet<string> = new Set(['management', 'id-tokens'])
/** The entries of the SDK that add no /login to an app. */
const NO_ADAPTERS: ReadonlySet<string> = new Set(['', 'browser', 'react', ...NO_LOGIN])
/** How far below the project the sources may be. */
const DEPTH = 4

const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|go|rb|php)$/
const RECIPE = /(?:^|\/)gatehouse\.(?:py|go|rb|php|m?js)$/

/** The parts of the SDK that the sources import, and if one of our recipes without the SDK is among them. */
async function findUses(
  root: string,
): Promise<{ readonly imports: ReadonlySet<string>; readonly hasRecipe: boolean }> {
  const imports = new Set<string>()
  let hasRecipe = false
  for (const file of (await sourcesIn(root, '', DEPTH)).filter((each) => SOURCE.test(each))) {
    const text = await readSmall(root, file)
    for (const [, part = ''] of text.matchAll(/['"]@gatehouse-auth\/sdk(?:\/([\w-]+))?['"]/g)) {
      imports.add(part)
    }
    hasRecipe ||= RECIPE.test(file) && text.includes('/edge/auth/')
  }
  return { imports, hasRecipe }
}

/** A callback on this machine without a port is registered for every port. */
function loginOf(callback: string): string {
  const { protocol, origin, port } = new URL(callback)
  return `${origin}${protocol === 'http:' && port === '' ? ':<port>' : ''}/login`
}
