import type * as tldts from 'tldts'

// Replaces `tldts` in a bundle. Its list of public suffixes takes eleven milliseconds and seven megabytes, so it is evaluated
// with the first domain name, not at the start.

export const parse: typeof tldts.parse = (url, options) =>
  (require('../../node_modules/tldts/dist/cjs/index.js') as typeof tldts).parse(url, options)
