// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { Mutant } from './mutant.ts'

/** Access and refresh tokens. */
export const SESSIONS: readonly Mutant[] = [
  {
    name: 'a spent refresh token works again',
    file: 'service/src/storage/sqlite/refresh.ts',
    find: 'and generation = ? and salt = ?',
    replace: 'and generation >= ? and salt = ?',
    tests: ['service/test/sessions/sessions.test.ts'],
  },
  {
    name: 'a replayed refresh token does not end the session',
    file: 'service/src/operations/sessions/handle-spent-token.ts',
    find: "await endSession(ctx, tenant, session.id, 'refresh_reuse')",
    replace: '',
    tests: ['service/test/sessions/sessions.test.ts', 'service/test/sessions/tokens.test.ts'],
  },
  {
    name: 'a refresh token is accepted with another salt',
    file: 'service/src/operations/sessions/handle-spent-token.ts',
    find: 'Buffer.compare(session.salt, token.salt) === 0 &&',
    replace: '',
    tests: [
      'service/test/sessions/tokens.test.ts',
      'service/test/sessions/forged-tokens.test.ts',
      'service/test/sessions/sessions.test.ts',
    ],
  },
  {
    name: 'logout accepts a refresh token with another salt',
    file: 'service/src/operations/sessions/log-out.ts',
    find: 'else if (Buffer.compare(session.salt, token.salt) === 0)',
    replace: 'else',
    tests: ['service/test/sessions/forged-tokens.test.ts', 'service/test/sessions/tokens.test.ts'],
  },
  {
    name: 'a lost race is excused forever',
    file: 'service/src/domain/sessions/replay.ts',
    find: 'age <= RACE_WINDOW_MS && ',
    replace: '',
    tests: ['service/test/sessions/sessions.test.ts', 'service/test/sessions/tokens.test.ts'],
  },
  {
    name: 'an idempotency key repeats a refresh forever',
    file: 'service/src/domain/sessions/replay.ts',
    find: 'age <= IDEMPOTENCY_WINDOW_MS &&\n',
    replace: '\n',
    tests: ['service/test/sessions/sessions.test.ts', 'service/test/sessions/tokens.test.ts'],
  },
  {
    name: 'a refresh token is accepted at another tenant',
    file: 'service/src/domain/tokens/refresh-token.ts',
    find: '.update(`${tenantId}\\0`)',
    replace: '',
    tests: ['service/src/domain/tokens/tokens.property.test.ts', 'service/test/sessions/tokens.test.ts'],
  },
  {
    name: 'an access token is accepted at another tenant',
    file: 'service/src/domain/tokens/access-token.ts',
    find: 'claims.iss === issuer && claims.tenant_id === tenantId',
    replace: 'claims.iss === issuer',
    tests: ['service/src/domain/tokens/tokens.property.test.ts', 'service/test/sessions/tokens.test.ts'],
  },
  {
    name: 'access tokens of all tenants share one key and name no tenant',
    file: 'service/src/domain/tokens/access-token.ts',
    find: '`access-token|v1|${tenantId}`',
    replace: "'access-token|v1'",
    tests: ['service/src/domain/tokens/tokens.property.test.ts'],
  },
  {
    name: "an access token's signature is not compared",
    file: 'service/src/domain/tokens/access-token.ts',
    find: 'if (expected === null || !constantTimeEqual(expected, token.slice(dot + 1))) return null',
    replace: 'if (expected === null) return null',
    tests: ['service/src/domain/tokens/tokens.property.test.ts', 'service/test/sessions/forged-tokens.test.ts'],
  },
  {
    name: 'an expired access token is valid',
    file: 'service/src/domain/tokens/access-token.ts',
    find: 'seconds < exp && ',
    replace: '',
    tests: ['service/test/sessions/fast-path.test.ts'],
  },
  {
    name: 'a revoked session is still valid',
    file: 'service/src/operations/sessions/verify-access-token.ts',
    find: ' || ctx.revocations.isRevoked(claims.sid, claims.gen)',
    replace: '',
    tests: ['service/test/sessions/fast-path.test.ts'],
  },
  {
    name: "a deleted resource's tokens are still valid",
    file: 'service/src/operations/sessions/verify-access-token.ts',
    find: 'if (ctx.revocations.isDeleted(claims.rid)) return UNRECOGNIZED',
    replace: '',
    tests: ['service/test/sessions/fast-path.test.ts', 'service/test/tenants/deletion.test.ts'],
  },
  {
    name: 'a tenant id of any length reaches the key derivation',
    file: 'service/src/domain/tokens/access-token-reader.ts',
    find: 'if (!isTenantId(tenantId)) return null',
    replace: '',
    tests: ['service/test/http/uncaught-errors.test.ts'],
  },
  {
    name: 'signed claims of any type are accepted',
    file: 'service/src/domain/tokens/access-token.ts',
    find: 'return isTyped ? (claims as AccessTokenClaims) : null',
    replace: 'return isTyped || true ? (claims as AccessTokenClaims) : null',
    tests: ['service/test/sessions/forged-tokens.test.ts'],
  },
]
