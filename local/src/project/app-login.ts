import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseJson } from '../json.ts'
import { hasRecipe } from '../recipes/write-recipe.ts'

/**
 * Where users of an app with the SDK sign in: /login on each origin of its callbacks. Its callback ignores the
 * tokens of a login that started at the login link of the service, because another site may have sent the user there, and
 * starts a second login. null: the project has
 * neither the SDK nor a recipe, so the app links to the service. A wildcard names no origin.
 */
export async function appLoginUrls(root: string, callbackUrls: readonly string[]): Promise<readonly string[] | null> {
  if (!((await dependsOnSdk(root)) || (await hasRecipe(root)))) return null
  return [...new Set(callbackUrls.filter((url) => !url.includes('*')).map(loginOf))]
}

/** A callback on this machine without a port is registered for every port. */
function loginOf(callback: string): string {
  const { protocol, origin, port } = new URL(callback)
  return `${origin}${protocol === 'http:' && port === '' ? ':<port>' : ''}/login`
}

async function dependsOnSdk(root: string): Promise<boolean> {
  const manifest = parseJson(await readFile(path.join(root, 'package.json'), 'utf8').catch(() => ''))
  const { dependencies, devDependencies } = (manifest ?? {}) as Record<string, object | undefined>
  return '@gatehouse/sdk' in { ...dependencies, ...devDependencies }
}
