import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import {
  canUnpackDebian,
  onPath,
  unpackedPackages,
} from '../../service/test/support/actors/debian-program.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { run } from '../../service/test/support/process/run.ts'
import { waitUntil } from '../../service/test/support/process/wait-until.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'

const DRIVER = 'WebKitWebDriver'
const DISPLAY_SERVER = 'Xvfb'
const MACHINE = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
const BROWSER = `/usr/lib/${MACHINE}-linux-gnu/webkit2gtk-4.1/MiniBrowser`

/** WebKit starts its processes by absolute paths: a mount namespace, which needs no root, adds the unpacked files to /usr. */
const WITH_UNPACKED = 'mount -t overlay overlay -o "lowerdir=$0/usr:/usr" /usr && exec "$@"'

type Command = readonly [program: string, ...args: string[]]

/** Debian's WebKitGTK, installed or unpacked into the user's cache (240 MB). Returns what starts its programs; null: there is none. */
async function findWebKit(): Promise<Command | null> {
  if ((await onPath([DRIVER])) && (await onPath([DISPLAY_SERVER]))) {
    return ['env']
  }
  if (!(await canUnpackDebian())) {
    return null
  }
  try {
    const folder = await unpackedPackages(
      'webkit',
      ['webkit2gtk-driver', 'xvfb'],
      `usr/bin/${DRIVER}`,
    )
    const start: Command = [
      'unshare',
      '--user',
      '--map-root-user',
      '--mount',
      'sh',
      '-c',
      WITH_UNPACKED,
      folder,
    ]
    await run(start[0], [...start.slice(1), 'true'])
    return start
  } catch {
    return null
  }
}

/** Sends a command of W3C WebDriver to the session, and returns its value. */
export type WebDriver = (
  method: 'GET' | 'POST' | 'DELETE',
  command: string,
  body?: unknown,
) => Promise<unknown>

/** A session of WebKit on a display without a screen; null: there is no WebKit here. */
export async function launchedWebKit(
  t: TestContext,
  { height }: { readonly height: number },
): Promise<WebDriver | null> {
  const start = await findWebKit()
  if (start === null) {
    return null
  }
  const children: ChildProcess[] = []
  const launch = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess => {
    const [program, ...all] = [...start, ...args]
    const env = { ...process.env, ...environment }
    const child = spawn(program ?? '', all, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    children.push(child)
    return child
  }
  const screen = launch([
    DISPLAY_SERVER,
    '-displayfd',
    '1',
    '-screen',
    '0',
    `1280x${height}x24`,
    '-nolisten',
    'tcp',
  ])
  const [display] = (await once(screen.stdout ?? screen, 'data')) as [Buffer]
  const port = await freePort()
  launch([DRIVER, `--port=${port}`], {
    DISPLAY: `:${String(display).trim()}`,
    GDK_BACKEND: 'x11',
    XDG_CONFIG_HOME: await narrowToolbar(),
  })
  const send = async (method: string, command: string, body?: unknown): Promise<unknown> => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
    const response = await fetch(`http://127.0.0.1:${port}${command}`, init)
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) {
      throw new Error(`${DRIVER} refused ${command}: ${JSON.stringify(value)}`)
    }
    return value
  }
  await waitUntil(`${DRIVER} listens`, () => send('GET', '/status').then(Boolean, () => false))
  const browserOptions = { binary: BROWSER, args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': browserOptions } }
  const { sessionId } = (await send('POST', '/session', { capabilities })) as { sessionId: string }
  const session = `/session/${sessionId}`
  t.after(async () => {
    await send('DELETE', session)
    for (const child of children) {
      child.kill()
    }
  })
  return (method, command, body) => send(method, session + command, body)
}

/** The toolbar of the window is wider than a phone. */
async function narrowToolbar(): Promise<string> {
  const folder = await freshFolder()
  await mkdir(path.join(folder, 'gtk-3.0'))
  const style =
    '* { min-width: 0; min-height: 0; margin: 0; padding: 0; border: none; font-size: 1px }\n'
  await writeFile(path.join(folder, 'gtk-3.0/gtk.css'), style)
  return folder
}
