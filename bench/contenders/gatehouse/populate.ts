import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from '../../bench.ts'
import type { Population, PopulationPlan } from './population.ts'
import type { Settings } from './settings.ts'

const execute = promisify(execFile)

/** Enough owners on the pro tier (750 events a minute each) for 25,000 refreshes a second within the limits. */
export const MANY_TENANTS = 2_000

/** Populates the database of these settings in a separate process, so that it uses none of our memory. */
export async function populate(
  { folder, log }: Bench,
  settings: Settings,
  plan: Partial<PopulationPlan> = {},
): Promise<Population> {
  const complete: PopulationPlan = {
    tenants: MANY_TENANTS,
    sessionsPerTenant: 5,
    usersPerTenant: 0,
    callbackUrl: 'https://app.example.com/callback',
    webhooks: false,
    ...plan,
  }
  const { tenants, sessionsPerTenant, usersPerTenant } = complete
  log(`creating ${tenants} tenants with ${sessionsPerTenant} sessions and ${usersPerTenant} more users each`)
  const file = path.join(folder, `population-${settings.PORT}.json`)
  await execute(
    process.execPath,
    [path.join(import.meta.dirname, 'populate-process.ts'), JSON.stringify(complete), file],
    {
      env: { PATH: process.env.PATH ?? '', ...settings },
      cwd: folder,
    },
  )
  return JSON.parse(readFileSync(file, 'utf8')) as Population
}
