import { giveFeedback as definition } from '@gatehouse/contract'
import { leaveFeedback } from '../../api/feedback.ts'
import { requireProjectRoot } from '../../credentials/project-root.ts'
import { readProject } from '../../credentials/read.ts'
import { implementTool } from './tool.ts'

export const giveFeedback = implementTool({
  definition,
  async run(_setting, { project_root, feedback }) {
    return leaveFeedback(await readProject(await requireProjectRoot(project_root)), feedback)
  },
})
