import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { freshFolder } from '../postgres/engines.ts'
import { waitUntil } from '../process/wait-until.ts'
import { Bidi } from './bidi.ts'
import type { ButtonPage } from './button-page.ts'
import { canUnpackDebian, onPath, type Program, unpackedDebian } from './debian-program.ts'
import { sharedBrowser } from './shared-browser.ts'

/** Firefox requests nothing but the pages under test. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.enabled': false,
}

/** $FIREFOX_PATH, a Firefox on the PATH, or Debian's package, unpacked into the user's cache (80 MB); null: there is none. */
async function findFirefox(): Promise<Program | null> {
  const installed = process.env.FIREFOX_PATH ?? (await onPath(['firefox-esr', 'firefox']))
  if (installed) {
    return { path: installed, libraries: null }
  }
  if (!(await canUnpackDebian())) {
    return null
  }
  return unpackedDebian('firefox-esr', 'usr/lib/firefox-esr/firefox-esr').catch(() => null)
}

export const launchedFirefox = sharedBrowser(launch, (firefox) => firefox?.child.kill())

/** null: there is no Firefox. */
async function launch(): Promise<{ bidi: Bidi; child: ChildProcess } | null> {
  const program = await findFirefox()
  if (program === null) {
    return null
  }
  const { path, libraries } = program
  const profile = await freshFolder()
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  )
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const child = spawn(
    path,
    ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile],
    {
      // Firefox refuses to run in the home folder of another user.
      env: {
        ...process.env,
        HOME: profile,
        ...(libraries === null ? {} : { LD_LIBRARY_PATH: libraries }),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const address = (): string | undefined => /WebDriver BiDi listening on (ws:\S+)/.exec(log)?.[1]
  await waitUntil('Firefox listens', () => {
    if (child.exitCode !== null) {
      throw new Error(`Firefox ended: ${log}`)
    }
    return address() !== undefined
  })
  const bidi = await Bidi.connect(`${address()}/session`)
  await bidi.send('session.new', { capabilities: {} })
  return { bidi, child }
}

/** A page in a new Firefox container, without cookies. null: there is no Firefox, and the test is skipped. */
export async function openFirefoxPage(t: TestContext): Promise<ButtonPage | null> {
  const firefox = await launchedFirefox()
  if (firefox === null) {
    t.skip('There is no Firefox here, and Debian’s package can’t be downloaded. Set FIREFOX_PATH.')
    return null
  }
  const { bidi } = firefox
  const { userContext } = await bidi.send('browser.createUserContext', {})
  const { context } = await bidi.send('browsingContext.create', { type: 'tab', userContext })
  t.after(() => bidi.send('browser.removeUserContext', { userContext }))

  const evaluate = async (expression: string): Promise<string> => {
    const { result, exceptionDetails } = await bidi.send('script.evaluate', {
      expression,
      target: { context },
      awaitPromise: true,
    })
    if (exceptionDetails) {
      throw new Error(exceptionDetails.text)
    }
    return result.value
  }
  const click = async (name: string, presses: number, gapMs: number): Promise<void> => {
    // The page may still be loading after the previous press.
    await waitUntil(
      `a button “${name}”`,
      async () => (await evaluate(centerOf(name)).catch(() => '')) !== '',
    )
    const [x, y] = (await evaluate(centerOf(name))).split(' ').map(Number)
    const press = [
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    const actions = [{ type: 'pointerMove', x, y }, ...press]
    for (let more = 1; more < presses; more++) {
      actions.push({ type: 'pause', duration: gapMs } as never, ...press)
    }
    await bidi.send('input.performActions', {
      context,
      actions: [{ type: 'pointer', id: 'mouse', actions }],
    })
  }
  return {
    goto: async (url) =>
      void (await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' })),
    press: (name) => click(name, 1, 0),
    pressTwice: (name, gapMs) => click(name, 2, gapMs),
    waitForText: (text) =>
      waitUntil(text, async () =>
        (await evaluate('document.body.innerText').catch(() => '')).includes(text),
      ),
    text: () => evaluate('document.body.innerText'),
    url: async () => new URL(await evaluate('location.href')),
    async screenshot(name) {
      if (!process.env.SCREENSHOTS) {
        return
      }
      const { data } = await bidi.send('browsingContext.captureScreenshot', { context })
      await writeFile(join(process.env.SCREENSHOTS, `${name}-firefox.png`), data, 'base64')
    },
  }
}

/** The middle of the button with this text, as `x y`; empty if there is none. */
const centerOf = (name: string): string => `(() => {
  const button = [...document.querySelectorAll('button')].find((one) => one.innerText.includes(${JSON.stringify(name)}))
  if (!button || document.readyState !== 'complete') return ''
  button.scrollIntoView({ block: 'center' })
  const { x, y, width, height } = button.getBoundingClientRect()
  return Math.round(x + width / 2) + ' ' + Math.round(y + height / 2)
})()`
