import { createHash } from 'node:crypto'
import type { Call } from '../dependencies.ts'

/** A public document that stays the same until the process ends; clients revalidate it by its ETag. */
export interface Published {
  /** Encoded once and shared by all responses, so that slow readers cost no memory. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly contentType: string
  readonly etag: string
}

export function published(text: string, contentType: string): Published {
  const body = new TextEncoder().encode(text)
  return {
    body,
    contentType,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  }
}

export const MARKDOWN = 'text/markdown; charset=utf-8'
export const PLAIN_TEXT = 'text/plain; charset=utf-8'
export const HTML = 'text/html; charset=utf-8'

/** Responds with the document, or 304. CORS allows every origin, because the content is public. */
export function publish(
  c: Call,
  { body, contentType, etag }: Published,
  maxAgeSeconds: number,
): Response {
  c.header('ETag', etag)
  c.header('Cache-Control', `public, max-age=${maxAgeSeconds}`)
  c.header('Access-Control-Allow-Origin', '*')
  if (matches(c.req.header('if-none-match'), etag)) {
    return c.body(null, 304)
  }
  return c.body(body, 200, { 'Content-Type': contentType })
}

/** `If-None-Match` is a list or `*`, compared weakly (RFC 9110, section 13.1.2): proxies that compress weaken ETags. */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === etag))

/** Calls `create` once and keeps its result. A rejected promise is not kept: the next call tries again. */
export function memoize<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () => {
    created ??= create().catch((error: unknown) => {
      created = undefined
      throw error
    })
    return created
  }
}
