import { readPublicUrl } from '../network/public-url.ts'

export type ReadWebhookUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string }

/** Checks the URL of a webhook: any but one of this service. */
export function readWebhookUrl(text: string, baseUrl: string): ReadWebhookUrl {
  const read = readPublicUrl(text, baseUrl)
  if (URL.parse(text)?.host === new URL(baseUrl).host) return { ok: false, problem: 'This is a URL of this service.' }
  return read.ok ? { ok: true, url: read.url.href } : read
}
