import assert from 'node:assert/strict'
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { writeCredentialsFile } from '@gatehouse-auth/contract'
import { Tenant } from '../../../service/test/support/actors/agent.ts'
import { freshFolder } from '../../../service/test/support/postgres/engines.ts'
import { type World, type WorldOptions, world } from '../../../service/test/support/world.ts'
import { callCommand } from './called-command.ts'
import { CLI, type Ended, endedWith, type Running, start } from './command.ts'

/** A developer's machine: an empty project, a home folder with its configuration, and the CLI. */
export class Machine {
  readonly project: string
  readonly home: string
  readonly #t: TestContext
  readonly #env: Readonly<Record<string, string>>

  constructor(t: TestContext, folder: string, env: Readonly<Record<string, string>>) {
    this.#t = t
    this.project = path.join(folder, 'project')
    this.home = path.join(folder, 'home')
    this.#env = env
  }

  get env(): Readonly<Record<string, string>> {
    const PATH = [path.dirname(this.bin), process.env.PATH].join(path.delimiter)
    return {
      PATH,
      HOME: this.home,
      XDG_CONFIG_HOME: path.join(this.home, 'settings'),
      ...this.#env,
    }
  }

  /** The command as a global installation has it: a link in a folder of the PATH. */
  get bin(): string {
    return path.join(this.home, 'bin', 'gatehouse-local')
  }

  get file(): string {
    return path.join(this.project, '.service')
  }

  get accountFile(): string {
    const { GATEHOUSE_URL = '' } = this.#env
    return path.join(
      this.home,
      'settings',
      'gatehouse',
      `${encodeURIComponent(GATEHOUSE_URL)}.json`,
    )
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
    return start(this.#t, [process.execPath, this.bin, ...args], {
      cwd: this.project,
      env: { ...this.env, ...env },
    })
  }

  /** Runs the command to its end, after those before it, in a process that they share. Its standard input is empty. */
  async run(...args: string[]): Promise<Ended> {
    return endedWith(await callCommand({ file: this.bin, args, cwd: this.project, env: this.env }))
  }

  /** Runs the command in a process of its own, as users do. */
  runProcess(...args: string[]): Promise<Ended> {
    return this.runWith({}, ...args)
  }

  /** The same, with this standard input and these environment variables. */
  async runWith(
    { input = '', env = {} }: { input?: string; env?: Record<string, string> },
    ...args: string[]
  ) {
    const running = this.start(args, env)
    running.child.stdin.end(input)
    return running.ended
  }

  /** Runs the command with --json and asserts the exit code and the problem. */
  async expectProblem(
    exitCode: number,
    code: string,
    ...args: string[]
  ): Promise<{ message: string; next: string }> {
    return assertProblem(await this.run(...args, '--json'), exitCode, code)
  }

  async mode(file = this.file): Promise<string> {
    return ((await stat(file)).mode & 0o777).toString(8)
  }

  read(file = this.file): Promise<string> {
    return readFile(file, 'utf8')
  }

  async write(text: string, mode = 0o600, file = this.file): Promise<void> {
    await writeFile(file, text, { mode })
  }
}

export function assertProblem(
  { code: exited, json, stdout, stderr }: Ended,
  exitCode: number,
  code: string,
): { message: string; next: string; problems?: string[]; retry_after_seconds?: number } {
  const error = json.at(-1)?.error
  assert.deepEqual([error?.code, exited], [code, exitCode], stdout + stderr)
  assert.match(error.message, /^\S.{10,}[.:…]/s, 'a sentence')
  assert.match(error.next, /^\S.{6,}/s, 'a next step')
  return error
}

export async function createMachine(
  t: TestContext,
  env: Readonly<Record<string, string>>,
  cli = CLI,
): Promise<Machine> {
  const machine = new Machine(t, await freshFolder(), env)
  await mkdir(machine.project)
  await mkdir(path.dirname(machine.bin), { recursive: true })
  await symlink(cli, machine.bin)
  return machine
}

export interface LocalFixture extends World {
  readonly machine: Machine
  /** The tenant of the project's .service file. */
  tenant(): Promise<Tenant>
}

/** The real service on a port, and a developer's machine. */
export async function createLocalFixture(
  t: TestContext,
  options: WorldOptions = {},
  { cli = CLI, env = {} }: { cli?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<LocalFixture> {
  const service = await world(t, { through: 'port', ...options })
  const machine = await createMachine(t, { GATEHOUSE_URL: service.baseUrl, ...env }, cli)
  return {
    ...service,
    machine,
    async tenant() {
      const lines = (await machine.read()).split('\n').filter((line) => /^\w+=/.test(line))
      const fields = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))
      return new Tenant(service.agent, fields, service.clock)
    },
  }
}

/** Writes the .service file of a tenant that the API created. */
export const writeTenantFile = (machine: Machine, tenant: Tenant): Promise<void> =>
  machine.write(tenant.created.credentials_file.content)

/** A well-formed .service file of a tenant that does not exist. */
export const validCredentialsFile = (baseUrl: string): string =>
  writeCredentialsFile({
    base_url: baseUrl,
    tenant_id: 'old-owl-resting-abcd',
    coh_management_key: `svc_man_${'a'.repeat(42)}`,
    coh_application_key: `svc_app_${'b'.repeat(42)}`,
    expires_at: null,
    tenant_lifecycle: 'claimed',
    runtime_profile: 'v1-1',
  })
