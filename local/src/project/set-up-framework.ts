import { provision, readSocialLogin } from '../api/social-login.ts'
import { readProject } from '../credentials/project.ts'
import { callbackOf, type FrameworkName } from '../recipes/frameworks.ts'
import { type WrittenRecipe, writeRecipe } from '../recipes/write-recipe.ts'

export interface FrameworkSetup extends WrittenRecipe {
  readonly name: FrameworkName
  /** The callback URL of the recipe in development. */
  readonly callback_url: string
  readonly callback_registered: boolean
}

/**
 * Writes the recipe, and registers its callback URL if social login is not set up yet. An existing list of callback URLs is
 * not changed: it may be in use.
 */
export async function setUpFramework(root: string, name: FrameworkName): Promise<FrameworkSetup> {
  const files = await writeRecipe(root, name)
  const project = await readProject(root)
  const callback_url = callbackOf(name)
  const { callback_urls } =
    (await readSocialLogin(project)) ?? (await provision(project, { callback_urls: [callback_url] }))
  return { name, ...files, callback_url, callback_registered: callback_urls.includes(callback_url) }
}
