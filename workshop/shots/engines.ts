import { writeFile } from 'node:fs/promises'
import type { TestContext } from 'node:test'
import { launchedFirefox } from '../../service/test/support/actors/firefox-page.ts'
import { launchedWebKit } from './webkit.ts'

/** A page as Chromium has it, without the state of the person who opened it: another engine needs no cookies to show it. */
interface Snapshot {
  readonly html: string
  /** Where its styles and pictures are. */
  readonly origin: string
  readonly width: number
  readonly heightMax: number
  /** Of the picture. */
  readonly path: string
}

/** A browser engine that shows what Chromium was led to. */
export interface OtherEngine {
  readonly name: string
  shoot(snapshot: Snapshot): Promise<void>
}

/** null: there is none. */
export async function openFirefox(t: TestContext): Promise<OtherEngine | null> {
  const firefox = await launchedFirefox()
  if (firefox === null) {
    return null
  }
  const { bidi } = firefox
  const { userContext } = await bidi.send('browser.createUserContext', {})
  const { context } = await bidi.send('browsingContext.create', { type: 'tab', userContext })
  t.after(() => bidi.send('browser.removeUserContext', { userContext }))
  return {
    name: 'firefox',
    async shoot({ origin, width, heightMax, html, path }) {
      await bidi.send('browsingContext.setViewport', { context, viewport: { width, height: 800 } })
      await bidi.send('browsingContext.navigate', {
        context,
        url: origin + BLANK,
        wait: 'complete',
      })
      const { result } = await bidi.send('script.evaluate', {
        expression: showing(html),
        target: { context },
        awaitPromise: true,
      })
      const clip = {
        type: 'box',
        x: 0,
        y: 0,
        width,
        height: Math.min(heightMax, Number(result.value)),
      }
      const { data } = await bidi.send('browsingContext.captureScreenshot', {
        context,
        origin: 'document',
        clip,
      })
      await writeFile(path, data, 'base64')
    },
  }
}

/** Debian's WebKitGTK. null: there is none. */
export async function openWebKit(t: TestContext): Promise<OtherEngine | null> {
  const send = await launchedWebKit(t, { height: SCREEN_HEIGHT })
  if (send === null) {
    return null
  }
  const evaluate = (expression: string) =>
    send('POST', '/execute/sync', { script: `return ${expression}`, args: [] })
  const resize = (width: number, height: number) =>
    send('POST', '/window/rect', { x: 0, y: 0, width, height })
  /** The window shows a frame after the page has made it, so one that was drawn before the last change may be there. */
  const painted = async (): Promise<string> => {
    for (let last = ''; ; ) {
      await evaluate(FRAMES)
      const picture = String(await send('GET', '/screenshot'))
      if (picture === last) {
        return picture
      }
      last = picture
    }
  }
  return {
    name: 'webkit',
    async shoot({ origin, width, heightMax, html, path }) {
      await resize(width, 800)
      await send('POST', '/url', { url: origin + BLANK })
      const height = Number(await evaluate(showing(html)))
      // A screenshot shows the window, so it becomes as high as the page and its own toolbar.
      await resize(
        width,
        Math.min(heightMax, height) + Number(await evaluate('outerHeight - innerHeight')),
      )
      await writeFile(path, await painted(), 'base64')
    },
  }
}

/** Waits for some frames, and for a fifth of a second: enough for a busy machine to show the last one. */
const FRAMES = `new Promise((done) => {
  const next = (left) => (left === 0 ? setTimeout(done, 200) : requestAnimationFrame(() => next(left - 1)))
  next(3)
})`

/** The highest window. */
const SCREEN_HEIGHT = 5_000

/** A page that needs no session. Its policy allows the styles and pictures of all others. */
const BLANK = '/status'

/** Replaces the page by the snapshot, whose scripts don't run again, and returns its height. */
const showing = (html: string): string => `(async () => {
  const { documentElement } = new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html')
  document.replaceChild(document.adoptNode(documentElement), document.documentElement)
  const loading = [...document.querySelectorAll('link[rel=stylesheet], img')].filter((one) => !one.sheet && !one.complete)
  await Promise.all(loading.map((one) => new Promise((done) => { one.onload = one.onerror = done })))
  return String(document.documentElement.scrollHeight)
})()`
