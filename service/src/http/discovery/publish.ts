import { createHash } from 'node:crypto'
import type { Call } from '../dependencies.ts'

/** Something that is the same for everybody until the next start: made once, and revalidated by its etag. */
export interface Published {
  /** Encoded once. All who are sent it share it, also those who are slow to take it. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly contentType: string
  readonly etag: string
}

export function published(text: string, contentType: string): Published {
  const body = new TextEncoder().encode(text)
  return { body, contentType, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

export const MARKDOWN = 'text/markdown; charset=utf-8'
export const PLAIN_TEXT = 'text/plain; charset=utf-8'
export const HTML = 'text/html; charset=utf-8'

/** Sent, or said to be unchanged. Anybody may read it from anywhere: there is nothing of anybody's in it. */
export function publish(c: Call, { body, contentType, etag }: Published, maxAgeSeconds: number): Response {
  c.header('ETag', etag)
  c.header('Cache-Control', `public, max-age=${maxAgeSeconds}`)
  c.header('Access-Control-Allow-Origin', '*')
  if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304)
  return c.body(body, 200, { 'Content-Type': contentType })
}

/** RFC 9110, section 13.1.2: a list, or `*`; weak tags are as good, since proxies that compress weaken ours. */
const isKnown = (known: string | undefined, etag: string): boolean =>
  known !== undefined &&
  (known.trim() === '*' || known.split(',').some((each) => each.trim().replace(/^W\//, '') === etag))
