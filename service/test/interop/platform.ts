import path from 'node:path'
import type { TestContext } from 'node:test'
import { freshFolder } from '../support/postgres/engines.ts'
import { waitUntilReachable } from '../support/transport/wait-until-reachable.ts'
import { launch, type Running } from './program.ts'

/** Runtimes and frameworks, in a folder of their own like the other programs: they are large, and nothing of ours. */
export const PLATFORMS = path.join(import.meta.dirname, 'platforms')

export const platformFile = (name: string): string => path.join(PLATFORMS, 'node_modules', name)

/**
 * A folder for an app. It is below the installed packages, so that the app finds them as it would its own: a linked
 * `node_modules` is something that bundlers treat in ways of their own.
 */
export const appFolder = (): Promise<string> => freshFolder(path.join(PLATFORMS, '.apps'))

export interface Serving {
  readonly url: string
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Without a PATH, because some frameworks call npm when they miss something, and would install it into our folder. */
const ALONE = { PATH: '/nowhere', NEXT_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', CI: '1' }

/** Starts an app, and waits until it answers. It ends with its test. */
export async function serveApp(t: TestContext, { url, program, args, cwd, env }: Serving): Promise<Running> {
  const app = launch(t, program, args, { cwd, env: { ...ALONE, HOME: cwd, PORT: new URL(url).port, ...env } })
  try {
    const died = app.ended.then(({ code }) => Promise.reject(new Error(`it ended with ${code}`)))
    await Promise.race([waitUntilReachable(url), died])
    return app
  } catch (error) {
    throw new Error(`${program} ${args.join(' ')} does not serve: ${app.output()}`, { cause: error })
  }
}

/** Runs a step of an app's build to its end. */
export async function build(
  t: TestContext,
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { code, output } = await launch(t, process.execPath, args, { cwd, env: { ...ALONE, HOME: cwd, ...env } }).ended
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output}`)
}
