import { tmpdir } from 'node:os'
import { after } from 'node:test'

/** A browser that all test files of a process share: launched at the first call, closed when the process has no more tests. */
export function sharedBrowser<B>(
  launch: () => Promise<B>,
  close: (browser: B) => unknown,
): () => Promise<B> {
  let launched: Promise<B> | undefined
  const closeLaunched = async (): Promise<void> => {
    if (launched !== undefined) {
      await close(await launched)
    }
  }
  // A worker (scripts/test/worker.ts) runs `after` hooks at the end of its first file, and disconnects after its last one.
  if (process.connected) {
    process.once('disconnect', closeLaunched)
  } else {
    after(closeLaunched)
  }
  return () => {
    launched ??= outsideFolderOfFile(launch)
    return launched
  }
}

/** A worker removes the temporary folder of each file at its end: profile and shared memory lie in the folder of the run. */
async function outsideFolderOfFile<B>(launch: () => Promise<B>): Promise<B> {
  const ofFile = process.env.TMPDIR
  process.env.TMPDIR = process.env.TEST_RUN_FOLDER ?? tmpdir()
  try {
    return await launch()
  } finally {
    if (ofFile === undefined) {
      delete process.env.TMPDIR
    } else {
      process.env.TMPDIR = ofFile
    }
  }
}
