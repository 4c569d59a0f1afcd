import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { canUnpackDebian, onPath, type Program, unpackedDebian } from './debian-program.ts'

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

/** Chromium requests nothing but the pages under test. */
const ARGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--no-first-run',
  // Chromium's sandbox does not start as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** The variables of the browser that `process/global.ts` found. If there is none, the runner skips what this error ends. */
export function requireChromium(): {
  readonly CHROMIUM_PATH: string
  readonly CHROMIUM_LIBRARIES: string
} {
  const { CHROMIUM_PATH, CHROMIUM_LIBRARIES = '', CHROMIUM_MISSING } = process.env
  if (!CHROMIUM_PATH) {
    throw new Error(
      CHROMIUM_MISSING ?? 'Run with --test-global-setup=service/test/support/process/global.ts',
    )
  }
  return { CHROMIUM_PATH, CHROMIUM_LIBRARIES }
}

export async function launchChromium(): Promise<Browser> {
  const { CHROMIUM_PATH, CHROMIUM_LIBRARIES } = requireChromium()
  const libraries = CHROMIUM_LIBRARIES ? { LD_LIBRARY_PATH: CHROMIUM_LIBRARIES } : {}
  const environment = { ...process.env, ...libraries, ...fontsOf(CHROMIUM_PATH) }
  const env = Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => !!entry[1]),
  )
  // Loaded only where a browser is launched: every test run finds the browser, and the module takes half a second to load.
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath: CHROMIUM_PATH, args: ARGS, env })
}

/** On a system without fonts, a page with text ends Chromium: the unpacked package has some, which no configuration names. */
function fontsOf(executable: string): { readonly FONTCONFIG_FILE?: string } {
  const folder = executable.slice(0, Math.max(0, executable.indexOf(`/${UNPACKED}`)))
  const fonts = path.join(folder, 'usr/share/fonts')
  if (folder === '' || existsSync('/etc/fonts/fonts.conf') || !existsSync(fonts)) {
    return {}
  }
  const file = path.join(folder, 'fonts.conf')
  const cache = path.join(folder, 'fonts.cache')
  writeFileSync(file, `<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>\n`)
  return { FONTCONFIG_FILE: file }
}

const UNPACKED = 'usr/lib/chromium/chromium-headless-shell'

/** $CHROMIUM_PATH, a browser on the PATH, or Debian's package, unpacked into the user's cache. */
export async function findChromium(): Promise<Program> {
  const installed = process.env.CHROMIUM_PATH || (await onPath(NAMES))
  if (installed) {
    return { path: installed, libraries: process.env.CHROMIUM_LIBRARIES ?? null }
  }
  if (!(await canUnpackDebian())) {
    throw new Error(`There is no Chromium here. ${ADVICE}`)
  }
  return unpackedDebian('chromium-headless-shell', UNPACKED).catch((cause) => {
    throw new Error(
      `There is no Chromium here, and Debian's package can't be downloaded. ${ADVICE}`,
      { cause },
    )
  })
}

const ADVICE = 'Install one, or set CHROMIUM_PATH to a Chromium or Chrome.'
