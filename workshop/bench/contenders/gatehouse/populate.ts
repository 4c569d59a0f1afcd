import { execFile } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { WebhookKind } from '@gatehouse-auth/contract'
import type { TokenSubject } from '../../../../service/src/domain/tokens/access-token.ts'
import type { Pair } from '../../../../service/test/support/actors/agent.ts'
import type { Bench } from '../../bench.ts'
import type { Settings } from './start.ts'

const execute = promisify(execFile)

/** Enough owners on the pro tier (750 events a minute each) for 25,000 refreshes a second within the limits. */
export const MANY_TENANTS = 2_000

/** Populates the database of these settings. A SQLite database with the same plan is a copy of the first one. */
export async function populate(
  bench: Bench,
  settings: Settings,
  plan: Partial<PopulationPlan> = {},
): Promise<Population> {
  const complete: PopulationPlan = {
    tenants: MANY_TENANTS,
    sessionsPerTenant: 5,
    usersPerTenant: 0,
    callbackUrl: 'https://app.example.com/callback',
    webhooks: false,
    guests: false,
    ...plan,
  }
  if (settings.DATABASE_URL !== undefined) {
    return populateNew(bench, settings, complete)
  }
  const key = JSON.stringify([settings.BASE_URL, complete])
  const first = created.get(key)
  if (first !== undefined) {
    cpSync(first.folder, settings.DATA_DIR, { recursive: true })
    return first.population
  }
  const population = await populateNew(bench, settings, complete)
  const folder = path.join(bench.folder, `population-${settings.PORT}`)
  cpSync(settings.DATA_DIR, folder, { recursive: true })
  created.set(key, { folder, population })
  return population
}

/** Before a service has used it: the database with its keys, and what was created in it. */
const created = new Map<string, { readonly folder: string; readonly population: Population }>()

/** In a separate process, so that it uses none of our memory. */
async function populateNew(
  { folder, log }: Bench,
  settings: Settings,
  plan: PopulationPlan,
): Promise<Population> {
  const { tenants, sessionsPerTenant, usersPerTenant } = plan
  log(
    `creating ${tenants} tenants with ${sessionsPerTenant} sessions and ${usersPerTenant} more users each`,
  )
  const file = path.join(folder, `population-${settings.PORT}.json`)
  await execute(
    process.execPath,
    [path.join(import.meta.dirname, 'populate-process.ts'), JSON.stringify(plan), file],
    {
      env: { PATH: process.env.PATH ?? '', ...settings },
      cwd: folder,
    },
  )
  return JSON.parse(readFileSync(file, 'utf8')) as Population
}

/** The data to create in an empty database. */
export interface PopulationPlan {
  /** Each has its own owner on the pro tier, so that the load stays within the shipped limits. */
  readonly tenants: number
  readonly sessionsPerTenant: number
  /** Users without a session. */
  readonly usersPerTenant: number
  readonly callbackUrl: string
  /** The endpoints of each tenant; true: one for the default kinds of events. */
  readonly webhooks: boolean | Endpoints
  /** Without owners, with the limits of guests. */
  readonly guests: boolean
}

export interface Endpoints {
  readonly perTenant: number
  readonly url: string
  readonly events: readonly WebhookKind[]
}

export interface Population {
  readonly tenants: readonly PopulatedTenant[]
}

export interface PopulatedTenant {
  readonly id: string
  readonly managementKey: string
  readonly sessions: readonly PopulatedSession[]
}

interface PopulatedSession extends Pair {
  readonly user: Pick<TokenSubject, 'id' | 'email' | 'name' | 'picture'>
}

/** The first session of every tenant, then the second, and so on: consecutive requests never share a limit. */
export const interleavedSessions = ({
  tenants,
}: Population): (PopulatedSession & { readonly tenantId: string })[] =>
  (tenants[0]?.sessions ?? []).flatMap((_, index) =>
    tenants.flatMap(({ id, sessions }) =>
      sessions.slice(index, index + 1).map((session) => ({ ...session, tenantId: id })),
    ),
  )
