import { leaveFeedback as leaveFeedbackEndpoint } from '@gatehouse/contract'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export const leaveFeedback = (project: Project, feedback: string) =>
  manage(project, leaveFeedbackEndpoint, { body: { feedback } })
