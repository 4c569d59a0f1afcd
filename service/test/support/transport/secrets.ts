import assert from 'node:assert/strict'
import { SECRET_PREFIX_PATTERN } from '@gatehouse-auth/contract'
import { type Transport, textOf } from './http-transport.ts'

const PATTERNS = [
  new RegExp(`${SECRET_PREFIX_PATTERN}[\\w-]+`, 'g'),
  /eyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /gatehouse_[a-z]+=([\w-]{20,})/g,
]

/** Substrings with the format of a Gatehouse secret. */
export function findSecrets(text: string): string[] {
  return PATTERNS.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]),
  )
}

/** Every secret that a response carried in a test, so that the test can assert their absence from the log. */
export class Secrets {
  readonly #seen = new Set<string>()

  collect(text: string): void {
    for (const secret of findSecrets(safeDecode(text))) {
      this.#seen.add(secret)
    }
  }

  add(secret: string): void {
    this.#seen.add(secret)
  }

  assertAbsentFrom(lines: readonly string[], where = 'a log line'): void {
    const text = lines.join('')
    for (const secret of this.#seen) {
      assert.ok(!text.includes(secret), `${where} holds a secret (${secret.slice(0, 12)}…)`)
    }
  }

  /** Wraps a transport: collects the secrets of every response. */
  collecting(transport: Transport): Transport {
    return async (url, init) => {
      const response = await transport(url, init)
      for (const [, value] of response.headers) {
        this.collect(value)
      }
      this.collect(await textOf(response))
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
