import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openChromiumPage } from './chromium-page.ts'

/** A page of a real browser whose buttons a user presses, perhaps twice. */
export interface ButtonPage {
  goto(url: string): Promise<void>
  /** Presses the button with this text. */
  press(name: string): Promise<void>
  /** Two presses of the mouse at the same place, whatever happens after the first. */
  pressTwice(name: string, gapMs: number): Promise<void>
  waitForText(text: string): Promise<void>
  text(): Promise<string>
  url(): Promise<URL>
  /** With SCREENSHOTS set, saves a screenshot under this name. */
  screenshot(name: string): Promise<void>
}

export async function openChromiumButtonPage(t: TestContext): Promise<ButtonPage> {
  const { page } = await openChromiumPage(t, 1280)
  return {
    goto: async (url) => void (await page.goto(url)),
    press: (name) => page.getByRole('button', { name }).click(),
    async pressTwice(name, gapMs) {
      // The stylesheet moves the button.
      await page.waitForLoadState('load')
      const button = page.getByRole('button', { name })
      await button.scrollIntoViewIfNeeded()
      const box = await button.boundingBox()
      if (box === null) {
        throw new Error(`There is no button “${name}”.`)
      }
      const press = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
      await press()
      await sleep(gapMs)
      await press()
    },
    waitForText: (text) => page.getByText(text).first().waitFor(),
    text: () => page.locator('body').innerText(),
    url: async () => new URL(page.url()),
    async screenshot(name) {
      if (process.env.SCREENSHOTS) {
        await page.screenshot({ path: path.join(process.env.SCREENSHOTS, `${name}.png`) })
      }
    },
  }
}
