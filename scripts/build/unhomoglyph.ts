// Replaces `unhomoglyph` in a bundle. Its table of similar characters takes as much time and memory as a third of all routes, so
// it is evaluated with the first name of a brand, not at the start.

const unhomoglyph = (text: string): string =>
  (require('../../node_modules/unhomoglyph/index.js') as (text: string) => string)(text)

// biome-ignore lint/style/noDefaultExport: the package has one.
export default unhomoglyph
