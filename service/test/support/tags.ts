// Tags of tests: `test('…', { skip: slow }, async (t) => …)`. The runner (scripts/test.ts) says by TEST_SKIP which tags
// it leaves out. A file that is run by hand leaves out nothing.

const leftOut = (process.env.TEST_SKIP ?? '').split(',')

const tag = (name: string, runBy: string): string | false => (leftOut.includes(name) ? `${name}: ${runBy}` : false)

/** Takes more than a second or so of an idle machine: not in `npm test`. */
export const slow = tag('slow', 'npm run test:all')

/** A fault experiment that takes minutes: neither in `npm test` nor in `npm run test:all`. */
export const long = tag('long', 'npm run test:faults')
