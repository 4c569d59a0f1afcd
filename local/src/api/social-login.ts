import { listResources, provisionSocialLogin } from '@gatehouse/contract'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export interface Configuration {
  readonly callback_urls?: readonly string[] | undefined
  readonly callback_url?: string | undefined
}

/** Replaces the whole list of callback URLs. */
export async function provision(project: Project, configuration: Configuration) {
  const provisioned = await manage(project, provisionSocialLogin, { body: configuration })
  return { resource: 'social-login', status: 'active', ...provisioned } as const
}

/** null: social login is not set up yet. */
export async function readSocialLogin(project: Project) {
  const { resources } = await manage(project, listResources)
  return resources.find(({ resource }) => resource === 'social-login') ?? null
}
