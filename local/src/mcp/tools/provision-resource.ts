import { provisionResource as definition, type ToolInput } from '@gatehouse/contract'
import { type Configuration, provision } from '../../api/social-login.ts'
import { readProject } from '../../credentials/project.ts'
import { requireProjectRoot } from '../../credentials/project-root.ts'
import { nextStep, Problem } from '../../problem.ts'
import { implementTool } from './tool.ts'

type Input = ToolInput<typeof definition, 'local'>

export const provisionResource = implementTool({
  definition,
  async run(_options, input) {
    const configuration = readConfiguration(input)
    const project = await readProject(await requireProjectRoot(input.project_root))
    return { resources: [await provision(project, configuration)] }
  },
})

/** Accepts either the single form or the bulk form, complete. */
function readConfiguration({ resource, configuration, resources, configurations }: Input): Configuration {
  const given = [resource, configuration, resources, configurations].filter((part) => part !== undefined)
  if (given.length === 2 && resource !== undefined && configuration !== undefined) return configuration
  if (given.length === 2 && resources !== undefined && configurations !== undefined) {
    return configurations['social-login']
  }
  throw new Problem(
    'invalidRequest',
    'The arguments match neither form of this tool. Nothing was changed.',
    nextStep(
      'Send resource with configuration, or resources with configurations: both parts of one, none of the other.',
    ),
  )
}
