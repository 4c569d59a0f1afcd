import { tenantStatus as definition } from '@gatehouse/contract'
import { readStatus } from '../../api/tenants.ts'
import { readProject } from '../../credentials/project.ts'
import { requireProjectRoot } from '../../credentials/project-root.ts'
import { implementTool } from './tool.ts'

export const tenantStatus = implementTool({
  definition,
  async run(_options, { project_root }) {
    return readStatus(await readProject(await requireProjectRoot(project_root)))
  },
})
