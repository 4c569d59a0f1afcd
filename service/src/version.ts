import manifest from '../package.json' with { type: 'json' }

/** Set by scripts/build/bundle.ts; empty if the build doesn't know it. */
declare const GATEHOUSE_COMMIT: string | undefined
const commit = typeof GATEHOUSE_COMMIT === 'string' ? GATEHOUSE_COMMIT : ''
/** The version of this release, and of the packages that it serves. For programs. */
export const RELEASE = manifest.version

/** For people: `0.1.0 (commit 1a2b3c4d5e)`. The sources have no commit. */
export const VERSION = RELEASE + (commit && ` (commit ${commit})`)
