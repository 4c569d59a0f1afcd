/**
 * What all tests of a file need, made when the first of them asks. Not in a `before` hook: in a process that runs several
 * files, one that fails would also end the tests of the files after it.
 */
export function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
