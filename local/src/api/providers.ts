import {
  listProviders,
  type Provider as ProviderSchema,
  removeProvider as removeProviderEndpoint,
  replaceProvider,
  testProvider,
} from '@gatehouse/contract'
import type { z } from 'zod'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export type Provider = z.infer<typeof ProviderSchema>

/** The service waits for the provider. */
const TEST_TIMEOUT_MS = 10_000

const named = (provider: string) => ({ params: { provider } })

export const findProviders = async (project: Project): Promise<Provider[]> =>
  (await manage(project, listProviders)).providers

export const setProvider = async (
  project: Project,
  name: string,
  body: z.input<typeof replaceProvider.body>,
): Promise<Provider> => (await manage(project, replaceProvider, { ...named(name), body })).provider

export const tryProvider = (project: Project, name: string) =>
  manage(project, testProvider, { ...named(name), extraTimeoutMs: TEST_TIMEOUT_MS })

export const removeProvider = (project: Project, name: string) => manage(project, removeProviderEndpoint, named(name))
