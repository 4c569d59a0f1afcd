import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { build, platformFile } from './platform.ts'

export interface Runtime {
  /** The executable, by platform. Each is an npm package without an install script. */
  readonly programs: Readonly<Record<string, string>>
  /** True where a request may not await a promise of another request. */
  readonly clientPerRequest: boolean
  /** Prepares `app.js` in this folder and returns the arguments that serve it. */
  prepare(t: TestContext, folder: string, port: string): Promise<readonly string[]>
}

export const BUN: Runtime = {
  programs: {
    'linux-x64': '@oven/bun-linux-x64-baseline/bin/bun',
    'linux-arm64': '@oven/bun-linux-aarch64/bin/bun',
    'darwin-arm64': '@oven/bun-darwin-aarch64/bin/bun',
  },
  clientPerRequest: false,
  async prepare(_t, folder, port) {
    const served = `import app from './app.js'\nexport default { ...app, port: ${port}, hostname: '127.0.0.1' }\n`
    await writeFile(join(folder, 'bun.js'), served)
    return ['bun.js']
  },
}

const DENO: Runtime = {
  programs: {
    'linux-x64': '@deno/linux-x64-glibc/deno',
    'linux-arm64': '@deno/linux-arm64-glibc/deno',
    'darwin-arm64': '@deno/darwin-arm64/deno',
  },
  clientPerRequest: false,
  // No permission but the network.
  prepare: async (_t, _folder, port) => [
    ...['serve', '--host', '127.0.0.1', '--port', port, '--allow-net', '--no-prompt'],
    ...['--no-lock', '--no-remote', '--node-modules-dir=manual', 'app.js'],
  ],
}

const WORKERD: Runtime = {
  programs: {
    'linux-x64': '@cloudflare/workerd-linux-64/bin/workerd',
    'linux-arm64': '@cloudflare/workerd-linux-arm64/bin/workerd',
    'darwin-arm64': '@cloudflare/workerd-darwin-arm64/bin/workerd',
  },
  clientPerRequest: true,
  /** workerd resolves no packages, so the worker is bundled into one file. */
  async prepare(t, folder, port) {
    const bundle = [
      platformFile('rolldown/bin/cli.mjs'),
      'app.js',
      '--format',
      'esm',
      '--file',
      'worker.js',
    ]
    await build(t, folder, bundle, {})
    await writeFile(join(folder, 'workerd.capnp'), workerdConfig(port))
    return ['serve', 'workerd.capnp']
  },
}

/** No compatibility flags. `allow = ["local"]` permits requests to the service on this machine. */
const workerdConfig = (port: string): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "app", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-01-01",
    )),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "app")],
);
`

export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  Bun: BUN,
  Deno: DENO,
  workerd: WORKERD,
}

/** The executable of a runtime for this platform. */
export function programOf({ programs }: Runtime): string {
  const program = programs[`${process.platform}-${process.arch}`]
  if (program === undefined) {
    throw new Error(`no executable for ${process.platform}-${process.arch}`)
  }
  return platformFile(program)
}
