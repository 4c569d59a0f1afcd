// The folders of the installation that the service reads. A production build is service/dist, beside service/src, so the same
// relative path finds them from both. A file below service/src/http could not do that: in a build all files are in one folder.

const SERVICE = new URL('../', import.meta.url)

/** Guides and the text of pages. */
export const CONTENT = new URL('content/', SERVICE)
/** The packages for /packages, written by scripts/packages.ts. */
export const PACKAGES = new URL('packages/', SERVICE)
/** Complete apps, one per framework. */
export const RECIPES = new URL('../examples/recipes/', SERVICE)
