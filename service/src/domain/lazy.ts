/** Calls `create` at the first use and keeps the result. Loading the data of `Intl` takes 5% of the start-up time. */
export function lazy<T>(create: () => T): () => T {
  let created: T | undefined
  return () => {
    created ??= create()
    return created
  }
}
