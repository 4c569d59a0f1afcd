import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file of this site, read once when the process starts. */
export interface Asset {
  readonly path: string
  readonly body: Buffer<ArrayBuffer>
  readonly contentType: string
  readonly etag: string
}

/** `pathFor` receives a hash of the content: a path that contains it can be cached permanently. */
function readAsset(file: string, contentType: string, pathFor: (hash: string) => string): Asset {
  const body = readFileSync(new URL(file, import.meta.url))
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { path: pathFor(hash), body, contentType, etag: `"${hash}"` }
}

export const stylesheet = readAsset('./style.css', 'text/css; charset=utf-8', (hash) => `/assets/style.${hash}.css`)

/** The logo and favicon. Its path is fixed, so browsers revalidate it by its ETag. */
export const mark = readAsset('./mark.svg', 'image/svg+xml; charset=utf-8', () => '/assets/mark.svg')
