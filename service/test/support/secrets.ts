import assert from 'node:assert/strict'

const PATTERNS = [
  /svc_(?:man|app|rt|wt|es)_[\w-]+/g,
  /mcp_(?:ac|at|rt)_[\w-]+/g,
  /eyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /gatehouse_[a-z]+=([\w-]{20,})/g,
]

/** Every secret that crossed the wire in a test, so that its end can look for them where they must not be. */
export class Secrets {
  readonly #seen = new Set<string>()

  /** Remembers whatever in this text looks like one of ours. */
  notice(text: string): void {
    const decoded = safeDecode(text)
    for (const pattern of PATTERNS) {
      for (const match of decoded.matchAll(pattern)) this.#seen.add(match[1] ?? match[0])
    }
  }

  add(secret: string): void {
    this.#seen.add(secret)
  }

  assertAbsentFrom(lines: readonly string[]): void {
    const text = lines.join('')
    for (const secret of this.#seen)
      assert.ok(!text.includes(secret), `a log line holds a secret (${secret.slice(0, 12)}…)`)
  }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
