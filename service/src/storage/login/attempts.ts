import type { Kysely, Selectable } from 'kysely'
import { openIdFromText, openIdText } from '../../domain/issuer/openid-request.ts'
import type { Attempt, LoginOutcome, SameStart } from '../../domain/login/attempt.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import { repeatableUntil } from '../../domain/repeated-decision.ts'
import type { AttemptStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { removeByTenant, sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'

export function attemptStore(access: Access): AttemptStore {
  return {
    async add(attempt) {
      const row = {
        attempt,
        profile: attempt.profile ?? NO_PROFILE,
        chooser: numberOf(attempt.chooser),
        openid: openIdText(attempt.openId),
      }
      return (await addAttempt.run(access.write, row)) === 1
    },

    find: (id, now) => findAttempt.find(access.read, { id, now }, attemptFrom),

    findUndecided: (same, since) =>
      findUndecided.find(
        access.read,
        { ...same, openid: openIdText(same.openId), since },
        attemptFrom,
      ),

    startWithoutChooser: async (attempt) =>
      (await startWithoutChooser.run(access.write, { attempt })) === 1,

    restart: async (attempt, { id, createdAt: now, expiresAt }) =>
      (await restartAttempt.run(access.write, { attempt, id, now, expiresAt })) === 1,

    take: (id, now, clientId = null) =>
      takeAttempt.find(access.writeEarly, { id, now, clientId }, attemptFrom),

    async identify(attempt, { remember, ...known }, now) {
      const identified = { attempt, now, ...known, remember: numberOf(remember) }
      return (await identifyAttempt.run(access.writeEarly, identified)) === 1
    },

    async decide(attempt, outcome, now) {
      const decided = { attempt, outcome, now, keepUntil: repeatableUntil(now) }
      return (await decideAttempt.run(access.write, decided)) === 1
    },

    async setSession(attempt, sessionId) {
      await setAttemptSession.run(access.write, { attempt, sessionId })
    },

    removeByTenant: removeByTenant(access, 'login_attempts'),
    sweep: sweepExpired(access, 'login_attempts', { key: ['id'], where: ['expires_at', '<='] }),
  }
}

const numberOf = (fact: boolean): number => (fact ? 1 : 0)

type AttemptRow = Selectable<Tables['login_attempts']>

function attemptFrom(row: AttemptRow): Attempt {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    redirectUri: row.redirect_uri,
    returnTo: row.return_to,
    provider: row.provider,
    providerClientId: row.provider_client_id,
    browserHash: row.browser_hash,
    challenge: row.challenge,
    openId: openIdFromText(row.openid),
    invitationId: row.invitation_id,
    linkSessionId: row.link_session_id,
    chooser: row.chooser === 1,
    remember: row.remember === 1,
    stage: row.stage,
    profile: profileFrom(row),
    hostedDomain: row.hosted_domain,
    decision: decisionFrom(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

function profileFrom(row: AttemptRow): Attempt['profile'] {
  const { issuer, subject, email, name, picture } = row
  const isKnown = issuer !== null && subject !== null && email !== null
  return isKnown ? { issuer, subject, email, name, picture } : null
}

function decisionFrom(row: AttemptRow): Attempt['decision'] {
  const { outcome, decided_at: at, session_id: sessionId } = row
  const isDecided = outcome !== null && at !== null
  return isDecided ? { outcome, at, sessionId } : null
}

const COLUMNS = [
  'id',
  'tenant_id',
  'redirect_uri',
  'return_to',
  'provider',
  'provider_client_id',
  'browser_hash',
  'challenge',
  'openid',
  'invitation_id',
  'link_session_id',
  'chooser',
  'remember',
  'stage',
  'issuer',
  'subject',
  'email',
  'name',
  'picture',
  'hosted_domain',
  'outcome',
  'decided_at',
  'session_id',
  'created_at',
  'expires_at',
] as const

const NO_PROFILE = {
  issuer: null,
  subject: null,
  email: null,
  name: null,
  picture: null,
  hosted_domain: null,
}

interface Added {
  readonly attempt: Omit<
    Attempt,
    'profile' | 'hostedDomain' | 'decision' | 'chooser' | 'remember' | 'openId'
  >
  readonly openid: string | null
  readonly profile: Profile | typeof NO_PROFILE
  readonly chooser: number
}

const addAttempt = statement((db, { attempt, profile, chooser, openid }: Slots<Added>) =>
  db
    .insertInto('login_attempts')
    .values({
      id: attempt.id,
      tenant_id: attempt.tenantId,
      redirect_uri: attempt.redirectUri,
      return_to: attempt.returnTo,
      provider: attempt.provider,
      provider_client_id: attempt.providerClientId,
      browser_hash: attempt.browserHash,
      challenge: attempt.challenge,
      openid,
      invitation_id: attempt.invitationId,
      link_session_id: attempt.linkSessionId,
      chooser,
      remember: 0,
      stage: attempt.stage,
      issuer: profile.issuer,
      subject: profile.subject,
      email: profile.email,
      name: profile.name,
      picture: profile.picture,
      created_at: attempt.createdAt,
      expires_at: attempt.expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing()),
)

interface Unexpired {
  readonly id: string
  readonly now: number
}

const findAttempt = statement((db, { id, now }: Slots<Unexpired>) =>
  db
    .selectFrom('login_attempts')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('expires_at', '>', now),
)

interface Start extends Omit<SameStart, 'openId'> {
  readonly openid: string | null
  readonly since: number
}

const findUndecided = statement((db, start: Slots<Start>) =>
  db
    .selectFrom('login_attempts')
    .select(COLUMNS)
    .where('tenant_id', '=', start.tenantId)
    .where('browser_hash', '=', start.browserHash)
    .where('redirect_uri', '=', start.redirectUri)
    .where('return_to', 'is not distinct from', start.returnTo)
    .where('provider', '=', start.provider)
    .where('challenge', 'is not distinct from', start.challenge)
    .where('openid', 'is not distinct from', start.openid)
    .where('invitation_id', 'is not distinct from', start.invitationId)
    // A link that adds an identity is no login.
    .where('link_session_id', 'is', null)
    .where('stage', '!=', 'decided')
    .where('created_at', '>=', start.since)
    .orderBy('created_at', 'desc')
    .limit(1),
)

// Each transition is one conditional update: of two concurrent ones, only the first changes the row.

const takeAttempt = statement(
  (db, { id, now, clientId }: Slots<Unexpired & { clientId: Attempt['providerClientId'] }>) =>
    db
      .updateTable('login_attempts')
      .where('id', '=', id)
      .where('provider_client_id', 'is not distinct from', clientId)
      .where('expires_at', '>', now)
      .set({ stage: 'returned' })
      .where('stage', '=', 'started')
      .returning(COLUMNS),
)

/** The slots of a statement about an attempt that was read before: its tenant is known. */
interface InTenant {
  readonly attempt: Pick<Attempt, 'id' | 'tenantId'>
}

const updateAttempt = (db: Kysely<Tables>, { id, tenantId }: Slots<InTenant>['attempt']) =>
  db.updateTable('login_attempts').where('id', '=', id).where('tenant_id', '=', tenantId)

/** A repeated start without the account chooser. */
const startWithoutChooser = statement((db, { attempt }: Slots<InTenant>) =>
  updateAttempt(db, attempt).set({ chooser: 0 }).where('stage', '=', 'started'),
)

interface Restarted extends InTenant {
  readonly id: string
  readonly now: number
  readonly expiresAt: number
}

/** The new id gives the second request to the provider secrets of its own, and ends the consent page of the first. */
const restartAttempt = statement((db, { attempt, id, now, expiresAt }: Slots<Restarted>) =>
  updateAttempt(db, attempt)
    .where('expires_at', '>', now)
    .set({
      id,
      stage: 'started',
      chooser: 1,
      remember: 0,
      created_at: now,
      expires_at: expiresAt,
      ...NO_PROFILE,
    })
    .where('stage', '=', 'identified'),
)

interface Identified extends InTenant {
  readonly now: number
  readonly profile: Profile
  readonly hostedDomain: string | null
  readonly remember: number
}

const identifyAttempt = statement(
  (db, { attempt, now, profile, hostedDomain, remember }: Slots<Identified>) => {
    const { issuer, subject, email, name, picture } = profile
    return updateAttempt(db, attempt)
      .where('expires_at', '>', now)
      .set({
        stage: 'identified',
        remember,
        issuer,
        subject,
        email,
        name,
        picture,
        hosted_domain: hostedDomain,
      })
      .where('stage', '=', 'returned')
  },
)

interface Decided extends InTenant {
  readonly now: number
  readonly outcome: LoginOutcome
  readonly keepUntil: number
}

const decideAttempt = statement((db, { attempt, now, outcome, keepUntil }: Slots<Decided>) =>
  updateAttempt(db, attempt)
    .where('expires_at', '>', now)
    .set((eb) => ({
      stage: 'decided',
      outcome,
      decided_at: now,
      expires_at: eb
        .case()
        .when('expires_at', '<', keepUntil)
        .then(keepUntil)
        .else(eb.ref('expires_at'))
        .end(),
      ...NO_PROFILE,
    }))
    .where('stage', 'in', ['returned', 'identified']),
)

const setAttemptSession = statement(
  (db, { attempt, sessionId }: Slots<InTenant & { sessionId: number }>) =>
    updateAttempt(db, attempt).set({ session_id: sessionId }),
)
