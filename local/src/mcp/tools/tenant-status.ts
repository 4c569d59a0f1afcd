import { tenantStatus as definition } from '@gatehouse/contract'
import { readStatus } from '../../api/tenants.ts'
import { requireProjectRoot } from '../../credentials/project-root.ts'
import { readProject } from '../../credentials/read.ts'
import { implementTool } from './tool.ts'

export const tenantStatus = implementTool({
  definition,
  async run(_setting, { project_root }) {
    return readStatus(await readProject(await requireProjectRoot(project_root)))
  },
})
