import { provisionResource as definition } from '@gatehouse/contract'
import { ApiError } from '../../../domain/api-error.ts'
import { type Configuration, provisionSocialLogin } from '../../../operations/social-login/provision.ts'
import { readSocialLoginConfiguration } from '../../social-login-configuration.ts'
import { resourceResultView } from '../../views.ts'
import { resolveTenant, type ToolRequest } from '../caller.ts'
import { implementTool } from './tool.ts'

type Input = ToolRequest<typeof definition>['input']

export const provisionResource = implementTool({
  definition,
  async run({ ctx, requestId, recordTenant }, request) {
    const { tenant, actor } = await resolveTenant(ctx, request)
    recordTenant(tenant)
    const { resource, warnings } = await provisionSocialLogin(ctx, tenant, readConfiguration(request.input), {
      actor,
      requestId,
    })
    return { resources: [resourceResultView(ctx.baseUrl, resource, warnings)] }
  },
})

/** Reads one of the two input forms, single or list, and rejects incomplete or mixed ones. */
function readConfiguration({ resource, configuration, resources, configurations }: Input): Configuration {
  const single = resource !== undefined && configuration !== undefined
  const bulk = resources !== undefined && configurations !== undefined
  const parts = [resource, configuration, resources, configurations].filter((part) => part !== undefined)
  if (parts.length === 2 && single) return readSocialLoginConfiguration(configuration, 'configuration.')
  if (parts.length === 2 && bulk) {
    return readSocialLoginConfiguration(configurations['social-login'], 'configurations.social-login.')
  }
  throw new ApiError(
    'invalidRequest',
    'Send resource with configuration, or resources with configurations: both parts of one form, and nothing of the other. Nothing was changed.',
  )
}
