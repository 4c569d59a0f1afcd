import type { IncomingMessage, ServerResponse } from 'node:http'

const FORM_MAX_BYTES = 16 * 1_024

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

export function sendPage(res: ServerResponse, status: number, page: string): void {
  res.writeHead(status, PAGE_HEADERS).end(page)
}

export function redirectTo(res: ServerResponse, location: string): void {
  res.writeHead(303, { Location: location, 'Cache-Control': 'no-store' }).end()
}

/** `SameSite=Lax` blocks cookies in cross-site forms; this check also rejects forms of sibling subdomains. */
export const isCrossOrigin = (req: IncomingMessage): boolean =>
  !['same-origin', 'none', undefined].includes(req.headers['sec-fetch-site']?.toString())

/** null when the body is longer than 16 KiB. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > FORM_MAX_BYTES) {
      return null
    }
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
