import { createHash } from 'node:crypto'
import { readInstalled } from '../../folders.ts'

/** A file of service/content/pages, read once when the process starts. */
export interface Asset {
  readonly path: string
  readonly body: Buffer<ArrayBuffer>
  readonly contentType: string
  readonly etag: string
}

/** `pathFor` receives a hash of the content: a path that contains it can be cached permanently. */
function readAsset(file: string, contentType: string, pathFor: (hash: string) => string): Asset {
  const body = readInstalled('content', `pages/${file}`)
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { path: pathFor(hash), body, contentType, etag: `"${hash}"` }
}

export const stylesheet = readAsset(
  'style.css',
  'text/css; charset=utf-8',
  (hash) => `/assets/style.${hash}.css`,
)

/** The logo and favicon. Its path is fixed, so browsers revalidate it by its ETag. */
export const mark = readAsset('mark.svg', 'image/svg+xml; charset=utf-8', () => '/assets/mark.svg')

/** Beside the stylesheet above, for the documentation and the front page. */
export const docsStylesheet = readAsset(
  'docs.css',
  'text/css; charset=utf-8',
  (hash) => `/assets/docs.${hash}.css`,
)

const readScript = (name: string): Asset =>
  readAsset(
    `scripts/${name}.js`,
    'text/javascript; charset=utf-8',
    (hash) => `/assets/${name}.${hash}.js`,
  )

/** Puts a Copy button on every code block. */
export const copyScript = readScript('copy')

/** Shows the results of the documentation's search while the user types. */
export const searchScript = readScript('search')

/** Sends the examples of the API reference. */
export const tryApiScript = readScript('try-api')

/** Shows times in the reader's time zone. */
export const timesScript = readScript('times')

/** Counts down the seconds of an exhausted limit. */
export const countdownScript = readScript('countdown')

/** Adds new events to the activity of a project. */
export const liveScript = readScript('live')

/** Warns before a changed form is left, and follows the preview of the branding. */
export const formsScript = readScript('forms')

// Made by `npm run shots -- --pictures`.
const readPicture = (name: string): Asset =>
  readAsset(`pictures/${name}.png`, 'image/png', (hash) => `/assets/${name}.${hash}.png`)

/** The consent page, at twice its size. */
export const consentPicture = {
  light: readPicture('consent-light'),
  dark: readPicture('consent-dark'),
}

/** The width and height of a PNG (PNG specification, section 11.2.1). */
export const sizeOf = ({ body }: Asset): { readonly width: number; readonly height: number } => ({
  width: body.readUInt32BE(16),
  height: body.readUInt32BE(20),
})

/** What other sites show beside a link to the front page. */
export const socialPicture = readPicture('social')

/** For browsers and programs that ask for it without reading a page. */
export const FAVICON = readAsset('pictures/favicon.ico', 'image/x-icon', () => '/favicon.ico')

/** Everything below /assets. */
export const PUBLIC_ASSETS: readonly Asset[] = [
  ...[
    stylesheet,
    docsStylesheet,
    mark,
    copyScript,
    searchScript,
    tryApiScript,
    timesScript,
    liveScript,
    countdownScript,
    formsScript,
  ],
  ...[consentPicture.light, consentPicture.dark, socialPicture],
]
