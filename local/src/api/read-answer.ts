import type { z } from 'zod'

/**
 * An answer as the contract has it, without fields that were added since: within one major version a service only adds.
 * undefined: it does not fit.
 */
export function readAnswer(schema: z.ZodType, answer: unknown): unknown {
  const read = schema.safeParse(answer)
  if (read.success) return read.data
  const known = structuredClone(answer)
  for (const issue of read.error.issues) {
    if (issue.code !== 'unrecognized_keys') return undefined
    const holder = issue.path.reduce<unknown>((at, part) => (at as Record<PropertyKey, unknown>)?.[part], known)
    for (const key of issue.keys) delete (holder as Record<string, unknown>)[key]
  }
  const again = schema.safeParse(known)
  return again.success ? again.data : undefined
}
