import { createTenant as definition, TENANT_LIFECYCLES, TENANT_STATUSES } from '@gatehouse/contract'
import { z } from 'zod'
import { requireProjectRoot } from '../../credentials/project-root.ts'
import { createTenant as create } from '../../project/create-tenant.ts'
import { accountOrGuest } from '../../project/creator.ts'
import { implementTool } from './tool.ts'

export const createTenant = implementTool({
  definition,
  description:
    'Creates a tenant for the project and writes its credentials to .service in project_root (mode 0600, gitignored first); returns the path, never the keys. Also writes GATEHOUSE_SECRET of the app, which the recipes read, to .service.secret. A project that already has a tenant keeps it. If the user is signed in on this machine, their account owns the tenant; otherwise it is a guest that ends after 72 hours, and a call whose outcome is unknown must not be repeated.',
  output: z.strictObject({
    tenant_id: z.string(),
    status: z.enum(TENANT_STATUSES),
    expires_at: z.iso.datetime().nullable(),
    tenant_lifecycle: z.enum(TENANT_LIFECYCLES),
    runtime_profile: z.string(),
    base_url: z.string(),
    credentials_path: z.string().describe('The path of the credentials file. Do not print its content.'),
    secret_path: z
      .string()
      .describe('The path of the file with GATEHOUSE_SECRET of the app. Do not print its content.'),
    reused: z.boolean().describe('True if the project already had this tenant; nothing was created.'),
  }),
  async run({ service, serviceIsExplicit }, { project_root }) {
    const root = await requireProjectRoot(project_root)
    return create({ root, service, serviceIsExplicit, creator: () => accountOrGuest(service) })
  },
})
