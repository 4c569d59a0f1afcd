import assert from 'node:assert/strict'
import { consentToken } from '../../service/src/domain/login/request-secrets.ts'
import { decideConsent } from '../../service/src/operations/login/decide-consent.ts'
import { CALLBACK, ISSUER, tenantId } from '../../service/test/support/population/population.ts'
import type { SizedService } from './sized-service.ts'

let newUsers = 0
/** The OpenID subject of a user who has never signed in. */
export const newSubject = (): string =>
  `2${String(Math.trunc((newUsers++ * 7_919) % 1e10)).padStart(10, '0')}${String(newUsers).padStart(10, '0')}`

/** The consent decision of a login whose user is already identified: the database's share of a login. */
export async function login(
  service: SizedService,
  subjectFor: (userId: number) => string,
): Promise<() => Promise<void>> {
  const { ctx } = service.app
  const userId = service.randomUser()
  const browser = `browser-of-${userId}`
  const id = Buffer.from(ctx.random(16)).toString('base64url')
  const now = ctx.now()
  await ctx.stores.attempts.add({
    id,
    tenantId: tenantId(service.population.tenantOf(userId)),
    redirectUri: CALLBACK,
    returnTo: null,
    provider: 'google',
    providerClientId: null,
    browserHash: ctx.keyring.hash('browser', browser),
    challenge: null,
    chooser: true,
    remember: false,
    stage: 'identified',
    decision: null,
    profile: {
      issuer: ISSUER,
      subject: subjectFor(userId),
      email: `person${userId}@example.com`,
      name: `Person ${userId}`,
      picture: null,
    },
    createdAt: now,
    expiresAt: now + 600_000,
  })
  const csrf = consentToken(ctx.keyring, id, browser)
  return async () => {
    service.advanceClock()
    const redirectUrl = await decideConsent(ctx, { attemptId: id, browser, csrf, allow: true, shown: null })
    assert.ok(redirectUrl.includes('refresh_token='), redirectUrl)
  }
}
