import { claimTenant as definition } from '@gatehouse/contract'
import { requestClaim } from '../../api/claims.ts'
import { requireProjectRoot } from '../../credentials/project-root.ts'
import { readProject } from '../../credentials/read.ts'
import { implementTool } from './tool.ts'

/** The link for a person. The capability to wait for their decision is dropped here (spec, MCP tools, rule 2). */
export const claimTenant = implementTool({
  definition,
  async run(_setting, { project_root }) {
    const project = await readProject(await requireProjectRoot(project_root))
    const { approval_url } = await requestClaim(project)
    return { approval_url }
  },
})
