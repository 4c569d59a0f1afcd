import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ATTEMPT_LIFETIME_MS, type Attempt } from '../../../src/domain/login/attempt.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import {
  googleProfile,
  NOW,
  openTestStorage,
  startedAttempt,
} from '../../support/postgres/storage.ts'

const attempt = (changes: Partial<Attempt> = {}): Attempt =>
  startedAttempt('one-two', { returnTo: '/dash?x=1', ...changes })

for (const engine of ENGINES) {
  test(`[${engine}] a login is started, returned, identified and decided, each once`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { attempts } = stores
    const started = attempt()
    await attempts.add(started)
    assert.deepEqual(await attempts.find('attempt-1', NOW), started)
    assert.equal(
      await attempts.decide(attempt(), 'authorize', NOW),
      false,
      'it has not returned yet',
    )
    assert.equal(
      await attempts.identify(
        attempt(),
        { profile: googleProfile('ada'), hostedDomain: '', remember: false },
        NOW,
      ),
      false,
    )

    assert.deepEqual(await attempts.take('attempt-1', NOW), { ...started, stage: 'returned' })
    assert.equal(await attempts.take('attempt-1', NOW), null)

    assert.equal(
      await attempts.identify(
        attempt(),
        { profile: googleProfile('ada'), hostedDomain: 'example.com', remember: true },
        NOW,
      ),
      true,
    )
    assert.equal(
      await attempts.identify(
        attempt(),
        { profile: googleProfile('eve'), hostedDomain: '', remember: false },
        NOW,
      ),
      false,
    )
    const known = { profile: googleProfile('ada'), hostedDomain: 'example.com' }
    const identified: Attempt = { ...started, stage: 'identified', remember: true, ...known }
    assert.deepEqual(await attempts.find('attempt-1', NOW), identified)

    assert.equal(await attempts.decide(attempt(), 'authorize', NOW), true)
    assert.equal(await attempts.decide(attempt(), 'authorize', NOW), false)
    await attempts.setSession(attempt(), 7)
    const decision = { outcome: 'authorize', at: NOW, sessionId: 7 }
    const decided = { ...started, stage: 'decided', remember: true, decision }
    assert.deepEqual(await attempts.find('attempt-1', NOW), decided, 'the profile is erased')
  })

  test(`[${engine}] an identified login starts again with another id and without the profile; a decided one does not`, async (t) => {
    const { attempts } = (await openTestStorage(t, engine)).stores
    const profile = googleProfile('ada')
    await attempts.add(attempt({ stage: 'identified', profile, remember: true, chooser: false }))
    const restarted = { id: 'attempt-2', createdAt: NOW + 5, expiresAt: NOW + 6 }
    assert.equal(await attempts.restart(attempt(), restarted), true)
    assert.equal(await attempts.find('attempt-1', NOW), null)
    assert.deepEqual(await attempts.find('attempt-2', NOW), { ...attempt(), ...restarted })
    assert.equal(await attempts.restart(attempt(), restarted), false)
    assert.equal(
      await attempts.restart(attempt({ id: 'attempt-2' }), { ...restarted, id: 'attempt-3' }),
      false,
    )
    await attempts.add(attempt({ id: 'attempt-4', stage: 'decided' }))
    assert.equal(
      await attempts.restart(attempt({ id: 'attempt-4' }), { ...restarted, id: 'attempt-5' }),
      false,
    )
  })

  test(`[${engine}] a login that failed at the provider is decided without a profile`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    await stores.attempts.add(attempt())
    await stores.attempts.take('attempt-1', NOW)
    assert.equal(await stores.attempts.decide(attempt(), 'login_failed', NOW), true)
    const decision = { outcome: 'login_failed', at: NOW, sessionId: null } as const
    assert.deepEqual(
      await stores.attempts.find('attempt-1', NOW),
      attempt({ stage: 'decided', decision }),
    )
  })

  test(`[${engine}] of 20 concurrent decisions of one login, exactly one succeeds`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    await stores.attempts.add(attempt({ stage: 'identified', profile: googleProfile('ada') }))
    const decided = await Promise.all(
      Array.from({ length: 20 }, () => stores.attempts.decide(attempt(), 'authorize', NOW)),
    )
    assert.deepEqual(
      decided.filter((each) => each),
      [true],
    )
  })

  test(`[${engine}] an expired login is neither found nor taken, and is swept`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { attempts } = stores
    const late = NOW + ATTEMPT_LIFETIME_MS
    await attempts.add(attempt())
    await attempts.add(attempt({ id: 'attempt-2', stage: 'returned' }))
    await attempts.add(
      attempt({ id: 'attempt-3', stage: 'identified', profile: googleProfile('ada') }),
    )
    assert.equal(await attempts.find('attempt-1', late), null)
    assert.equal(await attempts.take('attempt-1', late), null)
    assert.equal(
      await attempts.identify(
        attempt({ id: 'attempt-2' }),
        { profile: googleProfile('ada'), hostedDomain: '', remember: false },
        late,
      ),
      false,
    )
    assert.equal(await attempts.decide(attempt({ id: 'attempt-3' }), 'authorize', late), false)
    assert.equal(await attempts.sweep(late - 1, 10), 0)
    assert.equal(await attempts.sweep(late, 2), 2)
    assert.equal(await attempts.sweep(late, 2), 1)
  })

  test(`[${engine}] the newest undecided login of the same start is found again`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { attempts } = stores
    const newest = attempt({ id: 'newest', createdAt: NOW + 5 })
    for (const each of [
      attempt({ id: 'older' }),
      newest,
      attempt({ id: 'decided', createdAt: NOW + 9, stage: 'decided' }),
      attempt({ id: 'other-challenge', createdAt: NOW + 9, challenge: 'c'.repeat(43) }),
      attempt({ id: 'other-browser', createdAt: NOW + 9, browserHash: 'browser-2' }),
      attempt({ id: 'other-tenant', createdAt: NOW + 9, tenantId: 'three-four' }),
      attempt({
        id: 'elsewhere',
        createdAt: NOW + 9,
        redirectUri: 'https://app.example.com/other',
      }),
      attempt({ id: 'no-return', createdAt: NOW + 9, returnTo: null }),
      attempt({ id: 'link', createdAt: NOW + 9, linkSessionId: 1 }),
    ]) {
      await attempts.add(each)
    }
    assert.deepEqual(await attempts.findUndecided(newest, NOW), newest)
    assert.equal(
      (await attempts.findUndecided({ ...newest, returnTo: null }, NOW))?.id,
      'no-return',
    )
    assert.equal(
      (await attempts.findUndecided({ ...newest, challenge: 'c'.repeat(43) }, NOW))?.id,
      'other-challenge',
    )
    assert.equal(await attempts.findUndecided(newest, NOW + 6), null)
    for (const stage of ['returned', 'identified'] as const) {
      await attempts.add(attempt({ id: stage, createdAt: NOW + 7, stage }))
      assert.equal((await attempts.findUndecided(newest, NOW + 6))?.id, stage)
      await attempts.removeByTenant('one-two')
    }

    assert.equal(await attempts.find('newest', NOW), null)
    assert.equal((await attempts.find('other-tenant', NOW))?.id, 'other-tenant')
  })
}
