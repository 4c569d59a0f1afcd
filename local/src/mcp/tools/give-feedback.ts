import { giveFeedback as definition } from '@gatehouse/contract'
import { leaveFeedback } from '../../api/feedback.ts'
import { readProject } from '../../credentials/project.ts'
import { requireProjectRoot } from '../../credentials/project-root.ts'
import { implementTool } from './tool.ts'

export const giveFeedback = implementTool({
  definition,
  async run(_options, { project_root, feedback }) {
    return leaveFeedback(await readProject(await requireProjectRoot(project_root)), feedback)
  },
})
