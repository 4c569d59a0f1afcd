import { changeSettings, readSettings, type SocialLoginSettings } from '@gatehouse/contract'
import type { z } from 'zod'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export type Settings = z.infer<typeof SocialLoginSettings>

export const loadSettings = (project: Project): Promise<Settings> => manage(project, readSettings)

export const saveSettings = (project: Project, body: Partial<Settings>): Promise<Settings> =>
  manage(project, changeSettings, { body })
