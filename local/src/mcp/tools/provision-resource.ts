import { provisionResource as definition, type ToolInput } from '@gatehouse/contract'
import { z } from 'zod'
import { type Configuration, provision } from '../../api/social-login.ts'
import { readProject } from '../../credentials/project.ts'
import { requireProjectRoot } from '../../credentials/project-root.ts'
import { nextStep, Problem } from '../../problem.ts'
import { appLoginUrls } from '../../project/app-login.ts'
import { implementTool } from './tool.ts'

type Input = ToolInput<typeof definition, 'local'>

export const provisionResource = implementTool({
  definition,
  description: `${definition.description} If the project has the SDK or a recipe, app_login_urls has the /login of the app on each origin: link to that.`,
  output: definition.output.extend({
    app_login_urls: z
      .array(z.string())
      .optional()
      .describe(
        '/login of the app, which the SDK handles: link to it instead of login_url, with which users sign in twice.',
      ),
  }),
  async run(_options, input) {
    const configuration = readConfiguration(input)
    const project = await readProject(await requireProjectRoot(input.project_root))
    const resource = await provision(project, configuration)
    const appLogins = await appLoginUrls(project.root, resource.callback_urls)
    return { resources: [resource], ...(appLogins === null ? {} : { app_login_urls: [...appLogins] }) }
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
