/** Made at its first use and kept. What Intl reads before it can format takes a twentieth of a start. */
export function whenFirstUsed<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
