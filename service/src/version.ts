import manifest from '../package.json' with { type: 'json' }

/** Set by scripts/build/bundle.ts, if the build knows it. */
declare const GATEHOUSE_COMMIT: string | undefined

const built = typeof GATEHOUSE_COMMIT === 'string' && GATEHOUSE_COMMIT !== ''

/** For people: `0.1.0 (commit 1a2b3c4)`. The sources have no commit. */
export const VERSION = built ? `${manifest.version} (commit ${GATEHOUSE_COMMIT})` : manifest.version
