// Tags of tests: `test('…', { skip: slow }, async (t) => …)`. The runner (scripts/test.ts) lists the tags to skip in
// TEST_SKIP. A file that is run by hand skips nothing.

const skipped = (process.env.TEST_SKIP ?? '').split(',')

const tag = (name: string, runBy: string): string | false =>
  skipped.includes(name) ? `${name}: ${runBy}` : false

/** Takes more than about half a second on an idle machine: not in `npm test`. */
export const slow = tag('slow', 'npm run test:all')

/** A fault experiment that takes minutes, or a second run of other tests: neither in `npm test` nor in `npm run test:all`. */
export const long = tag('long', 'npm run test:nightly')
