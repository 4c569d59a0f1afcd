import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file that we serve ourselves, read once when the process starts. */
export interface Asset {
  readonly path: string
  readonly body: Buffer<ArrayBuffer>
  readonly contentType: string
  readonly etag: string
}

/** `path` is told the hash, so that an address can change with its content and be cached for ever. */
export function readAsset(file: string, contentType: string, path: (hash: string) => string): Asset {
  const body = readFileSync(new URL(file, import.meta.url))
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { path: path(hash), body, contentType, etag: `"${hash}"` }
}
