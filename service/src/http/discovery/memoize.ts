/** Calls `create` once and keeps its result. A rejected promise is not kept: the next call tries again. */
export function memoize<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () => {
    created ??= create().catch((error: unknown) => {
      created = undefined
      throw error
    })
    return created
  }
}
