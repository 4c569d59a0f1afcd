import { createElement, type FunctionComponent, type ReactNode } from 'react'
import { PROVIDER_LABELS, type ProviderName } from '../login/provider.ts'
import { currentPath, useShared } from './session-provider.ts'

export interface SignInButtonProps {
  readonly children?: ReactNode
  readonly className?: string
  /** The path to continue at after the login. Default: the current page. */
  readonly returnTo?: string
  /** Default: Google. */
  readonly provider?: ProviderName
}

/**
 * A link to the login that returns to the current page. Renders nothing while a user is signed in. With an adapter it works
 * before scripts have loaded.
 *
 * @example
 * ```ts
 * import { SessionProvider, SignInButton } from '@gatehouse/sdk/react'
 * import { createElement } from 'react'
 * import { renderToString } from 'react-dom/server'
 *
 * const button = createElement(SignInButton, { returnTo: '/notes' }, 'Sign in with Google')
 * console.log(renderToString(createElement(SessionProvider, { user: null }, button)))
 * ```
 */
export const SignInButton: FunctionComponent<SignInButtonProps> = ({ children, className, returnTo, provider }) => {
  const { source, signIn, user } = useShared()
  if (user !== null) return null
  const labels: Readonly<Record<string, string>> = PROVIDER_LABELS
  const text = children ?? `Sign in with ${labels[provider ?? 'google'] ?? provider}`
  const href = source.loginHref(returnTo ?? null, provider)
  if (href === null) {
    return createElement('button', { type: 'button', className, onClick: () => signIn(returnTo, provider) }, text)
  }
  // The current page is known in the browser only, and may have changed since the last render.
  const onClick = (event: { readonly currentTarget: { href: string } }): void => {
    event.currentTarget.href = source.loginHref(returnTo ?? currentPath(), provider) ?? href
  }
  return createElement('a', { href, className, onClick }, text)
}

export interface UserButtonProps {
  readonly className?: string
  /** The text of the button. Default `Sign out`. */
  readonly children?: ReactNode
}

/**
 * The picture and name of the signed-in user, and a button that signs out. Renders nothing for other visitors.
 *
 * @example
 * ```ts
 * import { SessionProvider, UserButton } from '@gatehouse/sdk/react'
 * import { createElement } from 'react'
 * import { renderToString } from 'react-dom/server'
 *
 * const user = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }
 * console.log(renderToString(createElement(SessionProvider, { user }, createElement(UserButton))))
 * ```
 */
export const UserButton: FunctionComponent<UserButtonProps> = ({ className, children }) => {
  const { source, signOut, user } = useShared()
  if (user === null) return null
  const { name, email, picture } = user
  // Google's pictures are refused to some referrers.
  const image = { src: picture ?? '', alt: '', width: 32, height: 32, referrerPolicy: 'no-referrer' } as const
  const content = [
    picture === null ? null : createElement('img', { key: 'picture', ...image }),
    createElement('span', { key: 'name', title: email }, name ?? email),
  ]
  const label = children ?? 'Sign out'
  if (source.logoutAction === null) {
    const button = createElement('button', { type: 'button', onClick: () => void signOut() }, label)
    return createElement('div', { className }, content, button)
  }
  const button = createElement('button', { type: 'submit' }, label)
  return createElement('form', { method: 'post', action: source.logoutAction, className }, content, button)
}
