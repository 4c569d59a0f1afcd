import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { signInToConsole } from '../../service/test/support/page-states/console-states.ts'
import { consent } from '../../service/test/support/page-states/page-states.ts'
import { openStage } from '../../service/test/support/page-states/stage.ts'
import { icoOf } from './ico.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const PAGES = path.join(ROOT, 'service/content/pages')
const README = path.join(ROOT, 'docs/images')

type Make = (t: TestContext, browser: Browser) => Promise<void>

/** The pictures that the front page, link previews and the README show. They are committed. */
export const PICTURES: Readonly<Record<string, Make>> = {
  async consent(t, browser) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const stage = await openStage(t, browser, {
        colorScheme,
        deviceScaleFactor: 2,
        viewport: { width: 480, height: 900 },
      })
      await consent(stage, { owned: true })
      const card = await stage.page.locator('.card').screenshot()
      await writeFile(path.join(PAGES, `pictures/consent-${colorScheme}.png`), card)
      if (colorScheme === 'light') {
        await writeFile(path.join(README, 'consent.png'), card)
      }
    }
  },

  async console(t, browser) {
    const stage = await openStage(t, browser, { viewport: { width: 1_000, height: 760 } })
    const tenantId = await signInToConsole(stage)
    await stage.open(`/account/projects/${tenantId}`)
    await stage.page.screenshot({ path: path.join(README, 'console.png') })
  },

  async social(t, browser) {
    const page = await blankPage(t, browser, 1_200, 630)
    const mark = await readFile(path.join(PAGES, 'mark.svg'), 'utf8')
    const picture = await readFile(path.join(PAGES, 'pictures/consent-light.png'), 'base64')
    await page.setContent(`<style>
      body { margin: 0; display: grid; grid-template-columns: 620px 1fr; height: 630px; align-items: center; background: #f4f3ee; color: #1b2421; font-family: sans-serif }
      div { padding-left: 72px } b { display: flex; align-items: center; gap: 20px; font-size: 34px } svg { width: 72px; height: 72px }
      h1 { text-wrap: balance; margin: 36px 0 24px; font-size: 62px; line-height: 1.1; letter-spacing: -2px } p { margin: 0; font-size: 28px; line-height: 1.4; color: #56615d }
      img { width: 420px; justify-self: center; border-radius: 20px; box-shadow: 0 16px 60px rgb(27 36 33 / 18%) }
    </style><div><b>${mark} Gatehouse</b><h1>Sign in with Google, for any app</h1><p>One command, one import.<br>Or one line to your agent.</p></div><img src="data:image/png;base64,${picture}">`)
    await page.waitForFunction('document.images[0].complete')
    await page.screenshot({ path: path.join(PAGES, 'pictures/social.png') })
  },

  async favicon(t, browser) {
    const mark = await readFile(path.join(PAGES, 'mark.svg'), 'utf8')
    const images = []
    for (const size of [16, 32, 48]) {
      const page = await blankPage(t, browser, size, size)
      await page.setContent(
        `<style>body { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${mark}`,
      )
      images.push({ size, png: await page.screenshot({ omitBackground: true }) })
    }
    await writeFile(path.join(PAGES, 'pictures/favicon.ico'), icoOf(images))
  },
}

async function blankPage(
  t: TestContext,
  browser: Browser,
  width: number,
  height: number,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height } })
  t.after(() => context.close())
  return context.newPage()
}
