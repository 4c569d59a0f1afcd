import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * oidc-provider, which only a development install has.
 *
 * Not by its index: that one prints a warning on every Node release that does not carry the LTS mark yet. It does
 * nothing else than re-export these two.
 */
export async function library() {
  try {
    const [{ Provider }, { base, Prompt }] = await Promise.all([
      import('oidc-provider/lib/provider.js'),
      import('oidc-provider/lib/helpers/interaction_policy/index.js'),
    ])
    return { Provider, Prompt, basePolicy: base }
  } catch (cause) {
    throw notInstalled(cause)
  }
}

/** Looks without loading: a service that cannot sign anybody in says so when it starts, not when somebody comes. */
export function requireInstalled(): void {
  try {
    // Whether there is a file, and not only a name, is asked too: a path is resolved whatever is behind it.
    if (existsSync(fileURLToPath(import.meta.resolve('oidc-provider/lib/provider.js')))) return
  } catch (cause) {
    throw notInstalled(cause)
  }
  throw notInstalled(undefined)
}

const notInstalled = (cause: unknown): Error =>
  new Error(
    'The development Google is not installed here. Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET to use Google, ' +
      'or install with development dependencies: npm install --include=dev.',
    { cause },
  )
