/**
 * oidc-provider, which only a development install has.
 *
 * Not by its index: that one prints a warning on every Node release that does not carry the LTS mark yet. It does
 * nothing else than re-export these two.
 */
export async function library() {
  try {
    const [{ Provider }, { base, Prompt }] = await Promise.all([
      import('oidc-provider/lib/provider.js'),
      import('oidc-provider/lib/helpers/interaction_policy/index.js'),
    ])
    return { Provider, Prompt, basePolicy: base }
  } catch (cause) {
    throw new Error(
      'The development Google is not installed here. Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET to use Google, ' +
        'or install with development dependencies: npm install --include=dev.',
      { cause },
    )
  }
}
