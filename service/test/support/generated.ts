import fc from 'fast-check'

/**
 * What a test generates is the same in each run, so that a run without a change can't fail by chance. A nightly run gives another
 * seed, which a failure names.
 */
export const SEED = Number(process.env.TEST_SEED ?? 20_261_117)

fc.configureGlobal({ seed: SEED })

export { fc }
