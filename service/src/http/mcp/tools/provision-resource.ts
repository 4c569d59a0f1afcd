import { provisionResource as definition, type SocialLoginConfiguration } from '@gatehouse/contract'
import type { z } from 'zod'
import { Refusal } from '../../../domain/refusal.ts'
import { type Configuration, provisionSocialLogin } from '../../../operations/social-login/provision.ts'
import { configurationOf } from '../../configuration.ts'
import { resourceResultView } from '../../views.ts'
import { type NamedTenant, tenantAt } from '../doors.ts'
import { defineTool } from './tool.ts'

type Written = z.infer<typeof SocialLoginConfiguration>

interface Input extends NamedTenant {
  readonly resource?: 'social-login'
  readonly configuration?: Written
  readonly resources?: readonly 'social-login'[]
  readonly configurations?: { readonly 'social-login': Written }
}

export const provisionResource = defineTool<Input>({
  definition,
  async run({ ctx, door, concerns }, input) {
    const tenant = await tenantAt(ctx, door, input)
    concerns(tenant)
    const { resource, warnings } = await provisionSocialLogin(ctx, tenant, wanted(input))
    return { resources: [resourceResultView(ctx.baseUrl, resource, warnings)] }
  },
})

/** One resource or a list of them: one of the two forms, and all of it. */
function wanted({ resource, configuration, resources, configurations }: Input): Configuration {
  const single = resource !== undefined && configuration !== undefined
  const bulk = resources !== undefined && configurations !== undefined
  const parts = [resource, configuration, resources, configurations].filter((part) => part !== undefined)
  if (parts.length === 2 && single) return configurationOf(configuration, 'configuration.')
  if (parts.length === 2 && bulk) {
    return configurationOf(configurations['social-login'], 'configurations.social-login.')
  }
  throw new Refusal(
    'invalidRequest',
    'Send resource with configuration, or resources with configurations: both parts of one form, and nothing of the other. Nothing was changed.',
  )
}
