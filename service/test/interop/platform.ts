import path from 'node:path'
import type { TestContext } from 'node:test'
import { freshFolder } from '../support/postgres/engines.ts'
import { waitUntilReachable } from '../support/transport/wait-until-reachable.ts'
import { launch, type RunningProgram } from './program.ts'

/** Runtimes and frameworks, installed in a separate folder because they are large and used only here. */
export const PLATFORMS = path.join(import.meta.dirname, 'platforms')

export const platformFile = (name: string): string => path.join(PLATFORMS, 'node_modules', name)

/**
 * A folder for an app, inside the folder of the installed packages, so that the app resolves them normally. Bundlers treat
 * a symbolic link to `node_modules` differently.
 */
export const appFolder = (): Promise<string> => freshFolder(path.join(PLATFORMS, '.apps'))

export interface AppCommand {
  readonly url: string
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** No PATH: some frameworks would run npm to install missing packages into our folder. */
const ISOLATED_ENV = { PATH: '/nowhere', NEXT_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', CI: '1' }

/** Starts an app and waits until it responds. The test's cleanup kills it. */
export async function serveApp(t: TestContext, { url, program, args, cwd, env }: AppCommand): Promise<RunningProgram> {
  const app = launch(t, program, args, { cwd, env: { ...ISOLATED_ENV, HOME: cwd, PORT: new URL(url).port, ...env } })
  try {
    const exited = app.ended.then(({ code }) => Promise.reject(new Error(`exit code ${code}`)))
    await Promise.race([waitUntilReachable(url), exited])
    return app
  } catch (error) {
    throw new Error(`${program} ${args.join(' ')} does not respond: ${app.output()}`, { cause: error })
  }
}

/** Runs a build step of an app. */
export async function build(
  t: TestContext,
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { code, output } = await launch(t, process.execPath, args, { cwd, env: { ...ISOLATED_ENV, HOME: cwd, ...env } })
    .ended
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${output}`)
}
