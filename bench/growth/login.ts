import assert from 'node:assert/strict'
import { consentToken } from '../../service/src/domain/login/request-secrets.ts'
import { decideConsent } from '../../service/src/operations/login/decide-consent.ts'
import { CALLBACK, ISSUER, tenantId } from '../../service/test/support/population/population.ts'
import type { Subject } from './subject.ts'

export const CLIENT = 'growth/1.0'

let newPeople = 0
/** Of somebody who has never been here. */
export const newSubject = (): string =>
  `2${String(Math.trunc((newPeople++ * 7_919) % 1e10)).padStart(10, '0')}${String(newPeople).padStart(10, '0')}`

/** The database's part: the attempt is identified already, and the decision is made. */
export async function login(subject: Subject, subjectFor: (userId: number) => string): Promise<() => Promise<void>> {
  const { ctx } = subject.app
  const userId = subject.anybody()
  const browser = `browser-of-${userId}`
  const id = Buffer.from(ctx.random(16)).toString('base64url')
  const now = ctx.now()
  await ctx.stores.attempts.add({
    id,
    tenantId: tenantId(subject.population.tenantOf(userId)),
    redirectUri: CALLBACK,
    returnTo: null,
    browserHash: ctx.keyring.hash('browser', browser),
    stage: 'identified',
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
    subject.pass()
    const landed = await decideConsent(ctx, { attemptId: id, browser, csrf, allow: true, client: CLIENT })
    assert.ok(landed.includes('refresh_token='), landed)
  }
}
