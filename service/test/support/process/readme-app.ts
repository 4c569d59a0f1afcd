import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { TestContext } from 'node:test'
import { Browser } from '../actors/browser.ts'
import { freshFolder } from '../postgres/engines.ts'
import { freePort } from '../transport/free-port.ts'
import { overHttp } from '../transport/http-transport.ts'
import { waitUntilReachable } from '../transport/wait-until-reachable.ts'
import { readmeLines } from './readme.ts'
import { run } from './run.ts'
import type { ServiceProcess } from './service-process.ts'

interface Changes {
  /** What is run instead of a line. */
  readonly line?: (line: string) => string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the lines with which the README adds sign-in to an app, in an empty folder, and signs a user in to that app. */
export async function signInToReadmeApp(
  t: TestContext,
  service: ServiceProcess,
  { line = (same) => same, env = {} }: Changes = {},
): Promise<void> {
  const cwd = await freshFolder()
  const app = `http://localhost:${await freePort()}`
  const [init = '', install = '', start = ''] = readmeLines(
    'Add sign-in to your app',
    service.settings.PORT,
  ).map(line)
  const { PATH } = process.env
  const HOME = await freshFolder()
  const settings = {
    PATH,
    HOME,
    npm_config_yes: 'true',
    // npm then notes nowhere which service a package came from.
    npm_config_omit_lockfile_registry_resolved: 'true',
    ...env,
  }
  // The app of the README is at port 3000.
  await run('/bin/sh', ['-c', `${init} --callback ${app}/auth/callback`], { cwd, env: settings })
  await run('/bin/sh', ['-c', install], { cwd, env: settings })

  assert.equal(start, 'node server.js')
  const child = spawn(process.execPath, start.split(' ').slice(1), {
    cwd,
    env: { PATH, PORT: new URL(app).port },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  await waitUntilReachable(app)

  const browser = new Browser({ origins: [service.agent.baseUrl, app], transport: overHttp })
  await browser.open(app)
  await browser.follow('Sign in with Google')
  await browser.press('Ada Lovelace')
  await browser.press('Continue')
  assert.match(browser.page.text, /Hello, Ada Lovelace/)
}
