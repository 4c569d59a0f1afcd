import {
  type Brand as BrandSchema,
  type BrandSettings,
  deleteBrand,
  deleteLogo,
  readBrand,
  setBrand,
  setLogo,
} from '@gatehouse/contract'
import type { z } from 'zod'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export type Brand = z.infer<typeof BrandSchema>

export const loadBrand = async (project: Project): Promise<Brand | null> => (await manage(project, readBrand)).brand

export const saveBrand = async (project: Project, body: z.input<typeof BrandSettings>): Promise<Brand> =>
  (await manage(project, setBrand, { body })).brand

export const removeBrand = (project: Project) => manage(project, deleteBrand)

export const uploadLogo = async (project: Project, file: Uint8Array): Promise<Brand> =>
  (await manage(project, setLogo, { file })).brand

export const removeLogo = (project: Project) => manage(project, deleteLogo)
