import type { Mutant } from './mutant.ts'

const STORES = ['service/test/storage/social-login/last-seen.test.ts']
const CARRY = 'service/src/storage/social-login/last-seen.ts'

/** `last_seen` is found in the sessions, and stays when they end. */
export const LAST_SEEN: readonly Mutant[] = [
  {
    name: 'a transaction that ends sessions forgets the last_seen of their users',
    file: 'service/src/storage/transactions.ts',
    find: 'await keepLastSeen(access)',
    replace: '',
    tests: [...STORES, 'service/test/users-and-events/last-seen.test.ts'],
  },
  {
    name: 'a logout moves last_seen back',
    file: 'service/src/storage/social-login/sessions.ts',
    find: 'open.endedSessions.push(row)',
    replace: '',
    tests: STORES,
  },
  {
    name: 'the end of all sessions of a user moves last_seen back',
    file: 'service/src/storage/social-login/user-sessions.ts',
    find: 'open.endedSessions.push(...ended)',
    replace: '',
    tests: STORES,
  },
  {
    name: 'the sweeper moves last_seen back',
    file: 'service/src/storage/social-login/sessions.ts',
    find: '  endedSessions.push(...ended)\n',
    replace: '',
    tests: STORES,
  },
  {
    name: 'a sign-out that is written back moves last_seen back',
    file: 'service/src/storage/write-back.ts',
    find: 'endedSessions.push(ended)',
    replace: '',
    tests: STORES,
  },
  {
    name: 'signing everyone out after a restore moves last_seen back',
    file: 'service/src/storage/restored.ts',
    find: 'await keepEveryLastSeen(write)',
    replace: '',
    tests: STORES,
  },
  {
    name: 'of two ended sessions the older one sets last_seen',
    file: CARRY,
    find: 'if (session.rotated_at > (latest.get(key)?.rotated_at ?? 0)) ',
    replace: '',
    tests: STORES,
  },
  {
    name: 'the end of an old session moves last_seen behind a later sign-in on SQLite',
    file: CARRY,
    find: " and users.last_seen < ended.value ->> 'rotated_at'`",
    replace: '`',
    tests: STORES,
  },
  {
    name: 'the end of an old session moves last_seen behind a later sign-in on PostgreSQL',
    file: CARRY,
    find: '      where users.last_seen < ended.rotated_at\n',
    replace: '',
    tests: STORES,
    postgres: true,
  },
  {
    name: 'a logout locks the user before the counters, as no sign-in does',
    file: 'service/src/storage/social-login/sessions.ts',
    find: 'open.endedSessions.push(row)',
    replace:
      "await open.write.updateTable('users').set({ last_seen: row.rotated_at }).where('resource_id', '=', row.resource_id).where('id', '=', row.user_id).execute()",
    tests: STORES,
    postgres: true,
  },
  {
    name: '/me orders the apps by the last sign-in',
    file: 'service/src/storage/me/people.ts',
    find: ".orderBy('last_seen', 'desc')",
    replace: ".orderBy('users.last_seen', 'desc')",
    tests: STORES,
  },
]
