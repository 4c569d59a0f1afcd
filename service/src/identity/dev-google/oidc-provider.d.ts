// The two inner modules that library.ts loads, typed as what the package's index re-exports from them.

declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider'
}

declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import type { interactionPolicy } from 'oidc-provider'

  export const base: typeof interactionPolicy.base
  export const Prompt: typeof interactionPolicy.Prompt
}
