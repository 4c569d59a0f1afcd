import { SECRET_PREFIX_PATTERN } from '@gatehouse-auth/contract'

const DEPTH_MAX = 16
const NODES_MAX = 2_000

const SECRET_NAMES = /secret|token|password|authorization|cookie|hash|salt|wait|key/i

/** The formats of this service's and Google's secrets, matched in every string whatever its field is called. */
const SECRET_VALUES = [
  new RegExp(`${SECRET_PREFIX_PATTERN}[\\w-]{8,}`, 'g'),
  /eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /ya29\.[\w-]{8,}|GOCSPX-[\w-]{8,}/g,
  /Bearer +[\w.~+/=-]{16,}/gi,
  /-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g,
]

/** All of them in one, because most texts have none. */
const ANY_SECRET = new RegExp(SECRET_VALUES.map(({ source }) => source).join('|'), 'i')

export const scrubText = (text: string): string =>
  ANY_SECRET.test(text)
    ? SECRET_VALUES.reduce((scrubbed, pattern) => scrubbed.replaceAll(pattern, '[removed]'), text)
    : text

const isPlain = (node: unknown): node is number | boolean | null =>
  node === null || typeof node === 'number' || typeof node === 'boolean'

/**
 * Prevents leaking a secret through a tool result if a field is added by mistake (decision 12): copies the result without
 * fields whose name or value looks like a secret. Omits values that are nested too deeply, exceed the size limit or are
 * circular. `exempt` lists paths such as `credentials_file.content`.
 */
export function scrub(value: unknown, exempt: readonly string[] = []): unknown {
  const ancestors = new Set<object>()
  let nodes = 0
  return walk(value, '', 0)

  function walk(node: unknown, path: string, depth: number): unknown {
    nodes++
    if (nodes > NODES_MAX || depth > DEPTH_MAX) {
      return undefined
    }
    if (typeof node === 'string') {
      return exempt.includes(path) ? node : scrubText(node)
    }
    if (isPlain(node)) {
      return node
    }
    if (typeof node !== 'object' || ancestors.has(node)) {
      return undefined
    }
    ancestors.add(node)
    const copy = Array.isArray(node) ? list(node, path, depth) : record(node, path, depth)
    ancestors.delete(node)
    return copy
  }

  function list(items: readonly unknown[], path: string, depth: number): unknown[] {
    return items
      .map((item, index) => walk(item, `${path}[${index}]`, depth + 1))
      .filter((item) => item !== undefined)
  }

  function record(fields: object, path: string, depth: number): Record<string, unknown> {
    const copy: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(fields)) {
      const inner = path === '' ? name : `${path}.${name}`
      const isSecret = SECRET_NAMES.test(name) && !exempt.includes(inner)
      const kept = isSecret ? undefined : walk(field, inner, depth + 1)
      if (kept !== undefined) {
        copy[name] = kept
      }
    }
    return copy
  }
}
