import type { z } from 'zod'

/**
 * Parses a response by the contract and ignores unknown fields: a newer service may add fields within one API version.
 * undefined when the response does not match.
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
  const reread = schema.safeParse(known)
  return reread.success ? reread.data : undefined
}
