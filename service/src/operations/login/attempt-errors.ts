import { ApiError } from '../../domain/api-error.ts'

/** `redirectUri`, if known, lets the error page link back to the app, for example after a double click. */
export const loginOver = (redirectUri?: string): ApiError =>
  new ApiError(
    'loginOver',
    'This sign-in was already finished, or its ten minutes passed. Go back to the app; if you are not signed in there, start again.',
    redirectUri === undefined ? {} : { details: { app: new URL('/', redirectUri).href } },
  )

export const isLoginOver = (error: unknown): boolean => error instanceof ApiError && error.code === 'loginOver'

export const loginOtherBrowser = (): ApiError =>
  new ApiError(
    'loginOtherBrowser',
    'This sign-in was started in another browser, or cookies are blocked. Go back to the app and start again here.',
  )

export const decisionNotOurs = (): ApiError =>
  new ApiError('decisionNotOurs', 'This decision did not come from our page. Go back, and press the button there.')
