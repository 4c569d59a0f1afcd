import { provisionResource as definition, type ToolInput } from '@gatehouse/contract'
import { type Configuration, provision } from '../../api/social-login.ts'
import { requireProjectRoot } from '../../credentials/project-root.ts'
import { readProject } from '../../credentials/read.ts'
import { either, Problem } from '../../problem.ts'
import { implementTool } from './tool.ts'

type Input = ToolInput<typeof definition, 'local'>

export const provisionResource = implementTool({
  definition,
  async run(_setting, input) {
    const configuration = wanted(input)
    const project = await readProject(await requireProjectRoot(input.project_root))
    return { resources: [await provision(project, configuration)] }
  },
})

/** One resource or a list of them: one of the two forms, and all of it. */
function wanted({ resource, configuration, resources, configurations }: Input): Configuration {
  const parts = [resource, configuration, resources, configurations].filter((part) => part !== undefined)
  if (parts.length === 2 && resource !== undefined && configuration !== undefined) return configuration
  if (parts.length === 2 && resources !== undefined && configurations !== undefined) {
    return configurations['social-login']
  }
  throw new Problem(
    'invalidRequest',
    'The arguments are neither of the two forms. Nothing was changed.',
    either('Send resource with configuration, or resources with configurations: both parts of one, none of the other.'),
  )
}
