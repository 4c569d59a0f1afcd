import { provision, readSocialLogin } from '../api/tenants.ts'
import { readProject } from '../credentials/project.ts'
import { FRAMEWORKS, type Framework, type FrameworkName } from './frameworks.ts'

/** The callback at localhost, and the same at 127.0.0.1 if the development server prints that as its address. */
export function withLoopbackAddress(
  url: string,
  name: FrameworkName | 'rails' | null,
): readonly string[] {
  const { prints127 }: Partial<Framework> =
    name === null || name === 'rails' ? {} : FRAMEWORKS[name]
  return prints127 === true ? [url, url.replace('localhost', '127.0.0.1')] : [url]
}

/**
 * Returns those that are registered then. A list of callback URLs that exists may be in use: only callbacks that the user named
 * are added to it.
 */
export async function registerCallbacks(
  root: string,
  callbacks: readonly string[],
  isNamed: boolean,
): Promise<readonly string[]> {
  const project = await readProject(root)
  const registered = (await readSocialLogin(project))?.callback_urls ?? null
  const missing = callbacks.filter((callback) => !registered?.includes(callback))
  if (missing.length === 0 || (registered !== null && !isNamed)) {
    return registered ?? []
  }
  const all = [...(registered ?? []), ...missing]
  return (await provision(project, { callback_urls: all })).callback_urls
}
