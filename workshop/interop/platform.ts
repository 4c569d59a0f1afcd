import { request as httpRequest } from 'node:http'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { waitUntilReachable } from '../../service/test/support/transport/wait-until-reachable.ts'
import { launch, type RunningProgram } from './program.ts'

/** Runtimes and frameworks, installed in a separate folder because they are large and used only here. */
export const PLATFORMS = path.join(import.meta.dirname, 'platforms')

/** The clients of databases that verify ID tokens. */
export const DATABASES = path.join(import.meta.dirname, 'databases')

export const platformFile = (name: string): string => path.join(PLATFORMS, 'node_modules', name)

/**
 * A folder for an app, inside the folder of the installed packages, so that the app resolves them normally. Bundlers treat
 * a symbolic link to `node_modules` differently.
 */
export const appFolder = (packages = PLATFORMS): Promise<string> =>
  freshFolder(path.join(packages, '.apps'))

export interface AppCommand {
  readonly url: string
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly hasWorkers?: boolean
}

/** No PATH: some frameworks would run npm to install missing packages into our folder. */
const ISOLATED_ENV = { PATH: '/nowhere', NEXT_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', CI: '1' }

/** Starts an app and waits until it responds. The test's cleanup kills it. */
export async function serveApp(t: TestContext, command: AppCommand): Promise<RunningProgram> {
  const { url, program, args, cwd, env, hasWorkers = false } = command
  const appEnv = { ...ISOLATED_ENV, HOME: cwd, PORT: new URL(url).port, ...env }
  const app = launch(t, program, args, { cwd, env: appEnv, hasWorkers })
  try {
    const exited = app.ended.then(({ code }) => Promise.reject(new Error(`exit code ${code}`)))
    await Promise.race([waitUntilReachable(url), exited])
    return app
  } catch (error) {
    throw new Error(`${program} ${args.join(' ')} does not respond: ${app.output()}`, {
      cause: error,
    })
  }
}

export interface AppInTwoProcesses {
  readonly url: string
  /** Standard output and error of both so far. */
  output(): string
  /** How many callbacks the process answered that had not started the login. */
  crossed(): number
}

type CommandOfOne = Omit<AppCommand, 'url'>

/** The cookie in which the SDK or a recipe keeps a login until its callback. */
const STARTS_LOGIN = /^gh_\S+_login_/

/**
 * An address in front of two processes of an app, which take turns. A callback goes to the process that did not start the
 * login, so that what one of them keeps in memory is missing there.
 */
export async function listenForTwo(t: TestContext): Promise<{
  readonly url: string
  serve(command: CommandOfOne | ((port: number) => CommandOfOne)): Promise<AppInTwoProcesses>
}> {
  const { server, port } = await listen(t)
  const url = `http://localhost:${port}`
  return {
    url,
    async serve(command) {
      const ports = [await freePort(), await freePort()]
      const apps: RunningProgram[] = []
      for (const each of ports) {
        const ofOne = typeof command === 'function' ? command(each) : command
        apps.push(await serveApp(t, { ...ofOne, url: `http://localhost:${each}` }))
      }
      let [turn, starter, crossed] = [0, 0, 0]
      server.on('request', (incoming, outgoing) => {
        const isCallback = incoming.url?.startsWith('/auth/callback') === true
        turn = isCallback ? 1 - starter : 1 - turn
        const chosen = turn
        if (isCallback) {
          crossed += 1
        }
        const { method, url: path, headers } = incoming
        const forwarded = httpRequest(
          { host: 'localhost', port: ports[chosen], method, path, headers },
          (response) => {
            if (
              response.headers['set-cookie']?.some((line) => STARTS_LOGIN.test(line)) &&
              !isCallback
            ) {
              starter = chosen
            }
            outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
            response.pipe(outgoing)
          },
        )
        forwarded.on('error', () => outgoing.destroy())
        incoming.pipe(forwarded)
      })
      return {
        url,
        output: () => apps.map((app) => app.output()).join('\n'),
        crossed: () => crossed,
      }
    },
  }
}

/** Runs a build step of an app. */
export async function build(
  t: TestContext,
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { code, output } = await launch(t, process.execPath, args, {
    cwd,
    env: { ...ISOLATED_ENV, HOME: cwd, ...env },
  }).ended
  if (code !== 0) {
    throw new Error(`${args.join(' ')} exited with ${code}: ${output}`)
  }
}
