import type { z } from 'zod'

/**
 * An answer as the contract has it, without fields that were added since: within one major version a service only adds.
 * undefined: it does not fit.
 */
export function readResponse(schema: z.ZodType, response: unknown): unknown {
  const read = schema.safeParse(response)
  if (read.success) return read.data
  const known = structuredClone(response)
  for (const issue of read.error.issues) {
    if (issue.code !== 'unrecognized_keys') return undefined
    const holder = issue.path.reduce<unknown>((at, part) => (at as Record<PropertyKey, unknown>)?.[part], known)
    for (const key of issue.keys) delete (holder as Record<string, unknown>)[key]
  }
  const again = schema.safeParse(known)
  return again.success ? again.data : undefined
}
