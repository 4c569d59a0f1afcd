import type { Mutant } from '../mutant.ts'

/** Commits whose response was lost. */
export const OUTCOMES: readonly Mutant[] = [
  {
    name: 'an exchange of unknown outcome without a key is told to try again',
    file: 'service/src/operations/login/exchange-login-code.ts',
    find: 'idempotencyHash === null ? withAdvice(ADVICE, starting) : starting',
    replace: 'starting',
    tests: ['service/test/process/unknown-outcomes.test.ts'],
    postgres: true,
  },
  {
    name: 'a lost commit response is not looked up',
    file: 'service/src/storage/stores.ts',
    find: '{ confirm: true }',
    replace: '{ confirm: false }',
    tests: ['service/test/process/unknown-outcomes.test.ts'],
    postgres: true,
  },
  {
    name: 'an unknown outcome claims that nothing was consumed',
    file: 'service/src/storage/transactions.ts',
    find: "if (outcome !== 'committed') throw new OutcomeUnknown({ cause: error })",
    replace: "if (outcome !== 'committed') throw error",
    tests: ['service/test/process/unknown-outcomes.test.ts'],
    postgres: true,
  },
  {
    name: 'a rolled back creation is returned as created',
    file: 'service/src/storage/postgres/in-doubt.ts',
    find: "if (status === 'aborted') return 'rolled back'",
    replace: "if (status === 'aborted') return 'committed'",
    tests: ['service/test/process/unknown-outcomes.test.ts'],
    postgres: true,
  },
  {
    name: 'a refresh whose response was lost claims that nothing was consumed',
    file: 'service/src/storage/postgres/refresh.ts',
    find: 'throw error instanceof ConnectionLost ? new OutcomeUnknown({ cause: error }) : error',
    replace: 'throw error',
    tests: ['service/test/process/unknown-outcomes.test.ts'],
    postgres: true,
  },
]
