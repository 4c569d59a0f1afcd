import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { findChromium, launchChromium } from '../service/test/support/actors/chromium.ts'
import type { PageState } from '../service/test/support/page-states/page-state.ts'
import { PAGE_STATES } from '../service/test/support/page-states/page-states.ts'
import { openStage } from '../service/test/support/page-states/stage.ts'
import { contactSheets, type Picture } from './shots/contact-sheets.ts'
import { type OtherEngine, openFirefox, openWebKit } from './shots/engines.ts'
import { PICTURES } from './shots/pictures.ts'

// `npm run shots` takes a picture of every page state, on a desktop and on a phone, in light and in dark, and in light with
// Firefox and WebKit, too. Contact sheets show all of them: look at these first.
// `npm run shots -- consent docs` takes those whose name contains one of the words.
// `npm run shots -- --pictures` makes the committed pictures of the front page and the README again.

const FOLDER = process.env.SHOTS ?? path.join(tmpdir(), 'gatehouse-shots')
const WIDTHS = [1280, 390] as const
const SCHEMES = ['light', 'dark'] as const
/** The start of a longer page shows what it looks like. */
const HEIGHT_MAX = 4_000

const { values, positionals: words } = parseArgs({
  options: { pictures: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const isChosen = (name: string): boolean =>
  words.length === 0 || words.some((word) => name.includes(word))

await mkdir(FOLDER, { recursive: true })
const { path: executable, libraries } = await findChromium()
process.env.CHROMIUM_PATH = executable
if (libraries) {
  process.env.CHROMIUM_LIBRARIES = libraries
}

// The test runner shows the progress, and `world` needs its context.
test(values.pictures ? 'committed pictures' : `pictures in ${FOLDER}`, async (t) => {
  const browser = await launchChromium()
  t.after(() => browser.close())
  if (values.pictures) {
    for (const [name, make] of Object.entries(PICTURES)) {
      if (isChosen(name)) {
        await t.test(name, (each) => make(each, browser))
      }
    }
    return
  }
  const engines: OtherEngine[] = []
  for (const [name, open] of Object.entries({ Firefox: openFirefox, WebKit: openWebKit })) {
    const engine = await open(t)
    if (engine === null) {
      t.diagnostic(
        `There are no pictures of ${name}: it isn't installed, and Debian's packages can't be downloaded or used here.`,
      )
    } else {
      engines.push(engine)
    }
  }
  const pictures: Picture[] = []
  for (const state of PAGE_STATES) {
    if (isChosen(state.name)) {
      await t.test(
        state.name,
        async (each) => void pictures.push(...(await shoot(each, browser, engines, state))),
      )
    }
  }
  for (const sheet of await contactSheets(browser, FOLDER, pictures)) {
    t.diagnostic(sheet)
  }
})

/** One visit per state: the page is laid out again for each picture. */
async function shoot(
  t: TestContext,
  browser: Browser,
  engines: readonly OtherEngine[],
  state: PageState,
): Promise<Picture[]> {
  const stage = await openStage(t, browser)
  const { page, here } = stage
  await state.show(stage)
  const taken: Picture[] = []
  const take = (sheet: string): string => {
    const file = `${state.name}-${sheet}.png`
    taken.push({ sheet, label: state.name, file })
    return path.join(FOLDER, file)
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      const clip = { x: 0, y: 0, width, height: Math.min(HEIGHT_MAX, height) }
      await page.screenshot({
        path: take(`${width}-${colorScheme}`),
        fullPage: true,
        clip,
        animations: 'disabled',
      })
    }
    const html = await page.content()
    for (const engine of engines) {
      await engine.shoot({
        html,
        origin: here.baseUrl,
        width,
        heightMax: HEIGHT_MAX,
        path: take(`${width}-${engine.name}`),
      })
    }
  }
  return taken
}
