import { readFileSync } from 'node:fs'

// The files of the installation. A production build is service/dist, beside service/src, so the same relative path finds them
// from both. A file below service/src/http could not do that: in a build all files are in one folder. In an executable
// (scripts/build-binary.ts) scripts/build/binary/folders.ts replaces this file.

const SERVICE = new URL('../', import.meta.url)
const THREAD = import.meta.url.endsWith('.ts')
  ? './storage/sqlite/checkpoint-thread.ts'
  : './checkpoint-thread.js'

/** Started as a worker process. */
export const START = new URL('./start.js', import.meta.url)
/** Started as a thread by storage/sqlite/checkpointer.ts. */
export const CHECKPOINT_THREAD = new URL(THREAD, import.meta.url)

const FOLDERS = {
  /** Guides and the text of pages. */
  content: new URL('content/', SERVICE),
  /** The packages for /packages, written by scripts/packages.ts. */
  packages: new URL('packages/', SERVICE),
  /** Complete apps, one per framework. */
  recipes: new URL('../examples/recipes/', SERVICE),
}

/** Reads a file of one of these folders. */
export const readInstalled = (folder: keyof typeof FOLDERS, file: string): Buffer<ArrayBuffer> =>
  readFileSync(new URL(file, FOLDERS[folder]))
