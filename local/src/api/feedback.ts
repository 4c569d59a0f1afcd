import { leaveFeedback as leaveFeedbackEndpoint } from '@gatehouse/contract'
import type { Project } from '../credentials/read.ts'
import { manage } from './tenants.ts'

export const leaveFeedback = (project: Project, feedback: string) =>
  manage(project, leaveFeedbackEndpoint, { body: { feedback } })
