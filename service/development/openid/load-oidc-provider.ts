import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Loads oidc-provider, a development dependency. Its index re-exports these two modules, and prints a warning on every
 * Node release that is not LTS yet, so the modules are imported directly.
 */
export async function loadOidcProvider() {
  try {
    const [{ Provider }, { base, Check, Prompt }] = await Promise.all([
      import('oidc-provider/lib/provider.js'),
      import('oidc-provider/lib/helpers/interaction_policy/index.js'),
    ])
    return { Provider, Prompt, Check, basePolicy: base }
  } catch (cause) {
    throw notInstalled(cause)
  }
}

/** Fails at the start, not at the first sign-in, when oidc-provider is not installed. Does not load it. */
export function requireOidcProvider(): void {
  // A build contains it.
  if (!import.meta.url.endsWith('.ts')) {
    return
  }
  try {
    // import.meta.resolve does not check that the file exists.
    if (existsSync(fileURLToPath(import.meta.resolve('oidc-provider/lib/provider.js')))) {
      return
    }
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
