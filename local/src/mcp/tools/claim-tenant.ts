import { claimTenant as definition } from '@gatehouse/contract'
import { requestClaim } from '../../api/claims.ts'
import { readProject } from '../../credentials/project.ts'
import { requireProjectRoot } from '../../credentials/project-root.ts'
import { implementTool } from './tool.ts'

/** Returns the approval link without the wait token (spec, MCP tools, rule 2). */
export const claimTenant = implementTool({
  definition,
  async run(_options, { project_root }) {
    const project = await readProject(await requireProjectRoot(project_root))
    const { approval_url } = await requestClaim(project)
    return { approval_url }
  },
})
