import type { Mutant } from './mutant.ts'

const MIGRATION = 'service/src/storage/migrations/0001-initial'
const COUNTS = 'service/src/storage/tenants/event-counts.ts'
const COUNT_TESTS = ['service/test/storage/event-counts.test.ts']
const REFRESH_TESTS = ['service/test/storage/refresh.test.ts']

/** How logins and refreshes are counted. */
export const EVENT_COUNTS: readonly Mutant[] = [
  {
    name: 'an event over the lifetime limit is counted',
    file: COUNTS,
    find: 'excluded.lifetime_used = 0 or event_counts.lifetime_used <',
    replace: 'excluded.lifetime_used = 0 or event_counts.lifetime_used <=',
    tests: COUNT_TESTS,
  },
  {
    name: 'an event in a new minute is limited by the minute before',
    file: COUNTS,
    find: 'excluded.minute_used = 0 or event_counts.minute_start < excluded.minute_start or',
    replace: 'excluded.minute_used = 0 or',
    tests: COUNT_TESTS,
  },
  {
    name: 'an event of an instance whose clock is behind starts the month again',
    file: COUNTS,
    find: 'month_used = excluded.month_used + case when event_counts.month_start < excluded.month_start',
    replace: 'month_used = excluded.month_used + case when event_counts.month_start <> excluded.month_start',
    tests: COUNT_TESTS,
  },
  {
    name: 'a refresh of an instance whose clock is behind starts the minute again',
    file: 'service/src/domain/limits/event-counts.ts',
    find: 'stored.start < start ?',
    replace: 'stored.start !== start ?',
    tests: REFRESH_TESTS,
  },
  {
    name: 'a batch of refreshes moves the minute back to that of an instance whose clock is behind',
    file: `${MIGRATION}/refresh-together.ts`,
    find: 'minute_start = greatest(c.minute_start, excluded.minute_start)',
    replace: 'minute_start = excluded.minute_start',
    tests: REFRESH_TESTS,
    postgres: true,
  },
  {
    name: 'a batch of refreshes ignores the month limit',
    file: `${MIGRATION}/refresh-together.ts`,
    find: 'and coalesce(shared.month_authenticated <= m.month_limit, true)',
    replace: '',
    tests: REFRESH_TESTS,
    postgres: true,
  },
  {
    name: 'refreshes one by one count a new minute from the one before',
    file: `${MIGRATION}/refresh-one-by-one.ts`,
    find: 'select case when c.minute_start < in_minute then 0 else c.minute_authenticated end',
    replace: 'select c.minute_authenticated',
    tests: REFRESH_TESTS,
    postgres: true,
  },
  {
    name: 'a refresh that one by one is over its minute keeps its lifetime unit',
    file: `${MIGRATION}/refresh-one-by-one.ts`,
    find: 'set lifetime_used = lifetime_used - 1 where',
    replace: 'set lifetime_used = lifetime_used where',
    tests: REFRESH_TESTS,
    postgres: true,
  },
  {
    name: 'logins get event ids below the floor',
    file: COUNTS,
    find: 'then excluded.last_event_id else',
    replace: 'then event_counts.last_event_id + 1 else',
    tests: ['service/test/storage/lineage.test.ts'],
  },
  {
    name: 'a restored SQLite file assigns event ids again',
    file: 'service/src/storage/sqlite/new-lineage.ts',
    find: 'coalesce((select max(last_event_id) from event_counts), 0)',
    replace: '0',
    tests: ['service/test/storage/restored.test.ts'],
  },
  {
    name: 'a promoted standby assigns event ids again',
    file: `${MIGRATION}/lineage.ts`,
    find: 'coalesce((select max(c.last_event_id) from event_counts c), 0)',
    replace: '0',
    tests: ['service/test/storage/restored.test.ts'],
    postgres: true,
  },
]
