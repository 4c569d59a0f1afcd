import { Refusal } from '../../domain/refusal.ts'

export const loginOver = (): Refusal =>
  new Refusal(
    'loginOver',
    'This sign-in was already finished, or its ten minutes passed. Go back to the app and start again.',
  )

export const loginOtherBrowser = (): Refusal =>
  new Refusal(
    'loginOtherBrowser',
    'This sign-in was started in another browser, or cookies are blocked. Go back to the app and start again here.',
  )
