import type { Page } from 'playwright-core'
import type { World } from '../world.ts'

/** What a page state is made with: a service with an empty database, and a browser without cookies. */
export interface Stage {
  readonly here: World
  readonly page: Page
  /** Opens a path of the service. */
  open(path: string): Promise<void>
  press(button: string | RegExp): Promise<void>
}

/** A state of a page that is worth looking at. `show` leaves the browser there. */
export interface PageState {
  readonly name: string
  show(stage: Stage): Promise<void>
}

/** A page that needs nothing but its path. */
export const at = (name: string, path: string): PageState => ({
  name,
  show: ({ open }) => open(path),
})
