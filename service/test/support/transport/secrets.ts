import assert from 'node:assert/strict'
import type { Transport } from './http-transport.ts'

const PATTERNS = [
  /svc_(?:man|app|rt|wt|es|fb)_[\w-]+/g,
  /mcp_(?:ac|at|rt)_[\w-]+/g,
  /eyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /gatehouse_[a-z]+=([\w-]{20,})/g,
]

/** Whatever in this text looks like a secret of ours. */
export function shapedLikeSecrets(text: string): string[] {
  return PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]))
}

/** Every secret that crossed the wire in a test, so that its end can look for them where they must not be. */
export class Secrets {
  readonly #seen = new Set<string>()

  /** Remembers whatever in this text looks like one of ours. */
  revocation(text: string): void {
    for (const secret of shapedLikeSecrets(safeDecode(text))) this.#seen.add(secret)
  }

  add(secret: string): void {
    this.#seen.add(secret)
  }

  assertAbsentFrom(lines: readonly string[], where = 'a log line'): void {
    const text = lines.join('')
    for (const secret of this.#seen)
      assert.ok(!text.includes(secret), `${where} holds a secret (${secret.slice(0, 12)}…)`)
  }

  /** Every answer passes by here, so that the secrets in it are known when the logs are searched. */
  listening(transport: Transport): Transport {
    return async (url, init) => {
      const response = await transport(url, init)
      for (const [, value] of response.headers) this.revocation(value)
      this.revocation(await response.clone().text())
      return response
    }
  }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
