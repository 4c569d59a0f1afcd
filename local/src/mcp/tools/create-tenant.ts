import { createTenant as definition, TENANT_LIFECYCLES, TENANT_STATUSES } from '@gatehouse/contract'
import { z } from 'zod'
import { requireProjectRoot } from '../../credentials/project-root.ts'
import { createTenant as create } from '../../project/create-tenant.ts'
import { currentAccount } from '../../project/creator.ts'
import { implementTool } from './tool.ts'

export const createTenant = implementTool({
  definition,
  description:
    'Gives the project a tenant and writes its credentials to .service in project_root (mode 0600, gitignored first); answers with the path, never with the keys. A project that has a tenant keeps it. If the user signed in on this machine the tenant is theirs; otherwise it is a guest that lives 72 hours, and a call whose outcome is unclear must not be repeated.',
  output: z.strictObject({
    tenant_id: z.string(),
    status: z.enum(TENANT_STATUSES),
    expires_at: z.iso.datetime().nullable(),
    tenant_lifecycle: z.enum(TENANT_LIFECYCLES),
    runtime_profile: z.string(),
    base_url: z.string(),
    credentials_path: z.string().describe('Where the credentials are. Do not read them out.'),
    reused: z.boolean().describe('The project had this tenant already; nothing was created.'),
  }),
  async run({ service, serviceIsExplicit }, { project_root }) {
    const root = await requireProjectRoot(project_root)
    return create({ root, service, serviceIsExplicit, creator: () => currentAccount(service) })
  },
})
