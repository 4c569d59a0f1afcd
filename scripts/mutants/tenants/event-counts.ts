// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { Mutant } from '../mutant.ts'

const MIGRATION = 'service/src/storage/migrations/0001-initial'
const COUNTS = 'service/src/storage/tenants/event-counts.ts'
const COUNT_TESTS = ['service/test/storage/tenants/event-counts.test.ts']
const REFRESH_TESTS = ['service/test/storage/social-login/refresh.test.ts']

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
    find: '_used = 0 or not ',
    replace: '_used = 0 or 1 = 0 and ',
    tests: COUNT_TESTS,
  },
  {
    name: 'an event of an instance whose clock is behind starts the month again',
    file: COUNTS,
    find: '_start between excluded.${sql.raw(window)}_start and ${latest}',
    replace: '_start = excluded.${sql.raw(window)}_start and ${latest} > 0',
    tests: COUNT_TESTS,
  },
  {
    name: 'an event after the clock was set back counts in a window of the future',
    file: COUNTS,
    find: '_start between excluded.${sql.raw(window)}_start and ${latest}',
    replace: '_start >= excluded.${sql.raw(window)}_start and ${latest} > 0',
    tests: COUNT_TESTS,
  },
  {
    name: 'a refresh of an instance whose clock is behind starts the minute again',
    file: 'service/src/domain/limits/event-counts.ts',
    find: 'start <= stored.start &&',
    replace: 'start === stored.start &&',
    tests: REFRESH_TESTS,
  },
  {
    name: 'a refresh after the clock was set back counts in a window of the future',
    file: 'service/src/domain/limits/event-counts.ts',
    find: '&& stored.start <= now + CLOCKS_DIFFER_MS ?',
    replace: '?',
    tests: REFRESH_TESTS,
  },
  {
    name: 'a batch of refreshes after the clock was set back counts in a window of the future',
    file: `${MIGRATION}/refresh-together.ts`,
    find: 'from unnest(in_now_ms) as now_ms) + ${CLOCKS_DIFFER}',
    replace: 'from unnest(in_now_ms) as now_ms) * 2',
    tests: REFRESH_TESTS,
    postgres: true,
  },
  {
    name: 'refreshes one by one after the clock was set back count in a window of the future',
    file: `${MIGRATION}/refresh-one-by-one.ts`,
    find: 'item.now_ms + ${CLOCKS_DIFFER}',
    replace: 'item.now_ms * 2',
    tests: REFRESH_TESTS,
    postgres: true,
  },
  {
    name: 'a batch of refreshes moves the minute back to that of an instance whose clock is behind',
    file: `${MIGRATION}/refresh-together.ts`,
    find: 'then c.${window}_start else excluded',
    replace: 'then excluded.${window}_start else excluded',
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
    find: 'select case when c.minute_start between in_minute and latest then c.minute_authenticated else 0 end',
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
    tests: ['service/test/storage/restored.test.ts'],
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
