import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { inPseudoTerminal } from '../../service/test/support/process/pseudo-terminal.ts'
import { HANG_TIMEOUT_MS } from '../../service/test/support/process/wait-until.ts'
import type { World } from '../../service/test/support/world.ts'
import { launch, type RunningProgram, scriptOf } from './program.ts'
import { MCP_SERVER } from './scripted-model.ts'

/** A coding agent of another vendor, as its user installs it. */
export interface CodingAgent {
  readonly name: string
  /** The native program, as a pattern, because its path names the platform. */
  readonly program: string
  /** Its settings in the home folder: the MCP server and the model. */
  files(urls: Urls): Readonly<Record<string, string>>
  env(urls: Urls): Readonly<Record<string, string>>
  /** Starts one session that ends by itself. */
  readonly session: readonly string[]
  /** Where it stores OAuth tokens, in the home folder. */
  readonly credentials: string
}

interface Urls {
  readonly mcp: string
  readonly model: string
}

/** The home folder of an agent's user: settings and stored tokens. */
export interface Home {
  readonly folder: string
  readonly agent: CodingAgent
  readonly urls: Urls
}

/** A stray call to the vendor's servers fails at once: no program listens on the discard port. */
const LOOPBACK_ONLY = {
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: 'localhost,127.0.0.1',
}

export async function newHome(agent: CodingAgent, urls: Urls): Promise<Home> {
  const folder = await freshFolder()
  for (const [name, content] of Object.entries(agent.files(urls))) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  return { folder, agent, urls }
}

/** The same settings and the same stored tokens on another machine, such as a container. */
export async function copyOf(home: Home): Promise<Home> {
  const folder = await freshFolder()
  await cp(home.folder, folder, { recursive: true })
  return { ...home, folder }
}

function start(
  t: TestContext,
  { folder, agent, urls }: Home,
  args: readonly string[],
  terminal = false,
): RunningProgram {
  const [program, another] = globSync(scriptOf(agent.program))
  assert.ok(program !== undefined && another === undefined, `one ${agent.program} is installed`)
  const [first = program, ...others] = terminal
    ? inPseudoTerminal([program, ...args])
    : [program, ...args]
  const env = { ...LOOPBACK_ONLY, ...agent.env(urls), HOME: folder }
  return launch(t, first, others, { cwd: folder, env, timeoutMs: 2 * HANG_TIMEOUT_MS })
}

/** Signs in with the agent's own command, in a terminal, because Claude Code requires one. The user allows it. */
export async function signIn(t: TestContext, here: World, home: Home): Promise<void> {
  const login = start(t, home, ['mcp', 'login', MCP_SERVER], true)
  // Until a space or a control character: a terminal's hyperlink has the address twice.
  const [url] = await login.waitForOutput(
    new RegExp(`${here.baseUrl}/oauth/authorize\\?[!-~]+(?=[^!-~])`),
    HANG_TIMEOUT_MS,
  )
  const browser = here.browser()
  await browser.open(url)
  await browser.press('Sign in with Google')
  await browser.press('Grace Hopper')
  await fetch(await browser.press('Allow'))
  const { code, output } = await login.ended
  assert.equal(code, 0, output)
}

/** Runs one session and returns what it printed. */
export async function runSession(t: TestContext, home: Home): Promise<string> {
  return (await start(t, home, home.agent.session).ended).output
}

/** The tokens that the agent has stored. */
export async function storedTokens(
  here: World,
  home: Home,
): Promise<{ access: string; refresh: string }> {
  const text = await readFile(credentialsOf(home), 'utf8')
  here.secrets.collect(text)
  const [access = '', refresh = ''] = [/mcp_at_[\w-]+/, /mcp_rt_[\w-]+/].map(
    (pattern) => pattern.exec(text)?.[0],
  )
  return { access, refresh }
}

/** The agent reads the machine's clock, not the test's: an hour has passed since it stored its access token. */
export async function expireStored(home: Home): Promise<void> {
  const text = await readFile(credentialsOf(home), 'utf8')
  const expired = text.replace(/("expires_?at":)\d+/i, `$1${Date.now() - 60_000}`)
  assert.notEqual(expired, text)
  await writeFile(credentialsOf(home), expired)
}

const credentialsOf = ({ folder, agent }: Home): string => path.join(folder, agent.credentials)
