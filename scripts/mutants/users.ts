// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { Mutant } from './mutant.ts'

const ACCESS = 'service/test/users-and-events/user-access.test.ts'
const SEARCH = 'service/test/users-and-events/user-search.test.ts'
const METADATA = 'service/test/users-and-events/user-metadata.test.ts'
const TRANSFER = 'service/test/users-and-events/user-transfer.test.ts'
const RACES = 'service/test/users-and-events/user-races.test.ts'

/** The users API: who is let in, what a deletion leaves, and what leaves the service. */
export const USERS: readonly Mutant[] = [
  {
    name: 'a block ends no session of the user',
    file: 'service/src/operations/users/end-access.ts',
    find: '  await endSomeSessions(ctx, stores, known, eventUser)\n  await change()\n',
    replace: '  await change()\n  if (eventUser !== undefined) return\n',
    tests: [ACCESS],
  },
  {
    name: 'a blocked user is asked for consent',
    file: 'service/src/operations/login/finish-sign-in.ts',
    find: 'if (user?.blockedAt) return',
    replace: 'if (user?.blockedAt === 0) return',
    tests: [ACCESS],
  },
  {
    name: 'a user who was blocked at the consent page gets a session',
    file: 'service/src/operations/login/sign-in-user.ts',
    find: 'if (known?.blockedAt) throw new UserBlocked()',
    replace: '',
    tests: [ACCESS],
  },
  {
    name: 'the sessions that an owner ends keep their access tokens',
    file: 'service/src/storage/social-login/user-sessions.ts',
    find: 'await publishRevocations(open, revocations, now)',
    replace: 'void revocations',
    tests: [ACCESS],
  },
  {
    name: 'a deleted user stays in their events',
    file: 'service/src/operations/users/delete-user.ts',
    find: 'const events = await stores.events.anonymize(resource, user.id, EVENTS_PER_TRANSACTION)',
    replace: 'const events = 0',
    tests: [ACCESS],
  },
  {
    name: 'the events of a deleted user keep return_to',
    file: 'service/src/storage/social-login/anonymize-events.ts',
    find: 'email: null, return_to: null',
    replace: 'email: null',
    tests: [ACCESS],
  },
  {
    name: 'a deleted user still counts as stored',
    file: 'service/src/operations/users/delete-user.ts',
    find: 'await stores.counters.release(userCharge(tenant).counter, 1)',
    replace: '',
    tests: [ACCESS],
  },
  {
    name: 'a deleted user stays in the write-ahead log of SQLite',
    file: 'service/src/operations/users/delete-user.ts',
    find: "await ctx.stores.eraseDeleted('few')",
    replace: '',
    tests: [ACCESS],
  },
  {
    name: 'an unfinished login of a deleted user keeps their profile',
    file: 'service/src/storage/social-login/change-users.ts',
    find: ".where('subject', '=', removed.subject)",
    replace: ".where('subject', '=', `${removed.subject}-`)",
    tests: [ACCESS],
  },
  {
    name: 'a deletion is not in the audit',
    file: 'service/src/operations/users/delete-user.ts',
    find: "await recordAction(stores, { tenantId: tenant.id, author, action: 'user.deleted', target, at: now })",
    replace: 'void [author, target, recordAction]',
    tests: [ACCESS],
  },
  {
    name: 'a block leaves the sessions that one transaction could not end',
    file: 'service/src/operations/users/end-access.ts',
    find: 'if (left !== undefined) throw new StartOver()',
    replace: 'void left',
    tests: [ACCESS],
  },
  {
    name: 'a session is locked after the counter of events, as no refresh does',
    file: 'service/src/operations/users/end-access.ts',
    find: 'if (left !== undefined) throw new StartOver()',
    replace: 'if (left !== undefined) await endSomeSessions(ctx, stores, known, eventUser)',
    tests: [RACES],
    postgres: true,
  },
  {
    name: 'a sign-in updates a user who was blocked meanwhile',
    file: 'service/src/storage/social-login/users.ts',
    find: "    .where('blocked_at', 'is', null)\n    .returning",
    replace: '    .returning',
    tests: ['service/test/storage/social-login/social-login.test.ts'],
  },
  {
    name: 'a search by e-mail address folds letters outside ASCII',
    file: 'service/src/domain/sessions/user.ts',
    find: 'email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())',
    replace: 'email.toLowerCase()',
    tests: [SEARCH],
  },
  {
    name: 'a user in a list has fields that were not asked for',
    file: 'service/src/http/views.ts',
    find: "include.includes('identities')\n",
    replace: 'include.length > 0\n',
    tests: [SEARCH],
  },
  {
    name: 'the next page of a search forgets the search',
    file: 'service/src/http/control/users/users.ts',
    find: 'const next = new URL(c.req.url).searchParams',
    replace: 'const next = new URLSearchParams()',
    tests: [SEARCH],
  },
  {
    name: 'metadata is replaced whatever If-Match says',
    file: 'service/src/operations/users/user-metadata.ts',
    find: 'if (!isExpected(user.metadata)) throw metadataChanged()',
    replace: '',
    tests: [METADATA],
  },
  {
    name: 'a weak tag matches metadata',
    file: 'service/src/http/control/users/user-metadata.ts',
    find: 'tag.trim())',
    replace: "tag.trim().replace(/^W\\//, ''))",
    tests: [METADATA],
  },
  {
    name: 'metadata has no size limit of its own',
    file: 'contract/src/schemas/user.ts',
    find: '.length <= USER_METADATA_MAX_BYTES,',
    replace: '.length <= 60_000,',
    tests: [METADATA],
  },
  {
    name: 'a formula in a name is exported to CSV',
    file: 'service/src/http/control/users/csv.ts',
    find: "FORMULA.test(text) ? `'${text}` : text",
    replace: 'text',
    tests: ['service/src/http/control/users/csv.test.ts'],
  },
  {
    name: 'a guest imports users',
    file: 'service/src/operations/users/import-users.ts',
    find: 'if (tenant.owner !== null) return',
    replace: 'if (tenant.owner !== undefined) return',
    tests: [TRANSFER],
  },
  {
    name: 'an import accepts users of another provider',
    file: 'service/src/domain/sessions/imported-user.ts',
    find: 'row.issuer !== undefined && row.issuer !== issuer',
    replace: 'false',
    tests: [TRANSFER],
  },
  {
    name: 'imported users do not count',
    file: 'service/src/operations/users/import-users.ts',
    find: "if ((await counters.spend(counter, 1, limit)) === null) return { result: 'user_limit' }",
    replace: 'void [counters, counter, limit]',
    tests: [TRANSFER],
  },
  {
    name: 'an export is not in the audit',
    file: 'service/src/operations/users/export-users.ts',
    find: "await recordAction(stores, { tenantId: tenant.id, author, action: 'users.exported', at: now })",
    replace: 'void [author, recordAction]',
    tests: [TRANSFER],
  },
]
