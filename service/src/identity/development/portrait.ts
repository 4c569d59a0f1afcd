import { initials, SAMPLE_USERS } from './sample-users.ts'

/** The picture at a path such as `people/ada.svg`, or null. */
export function portrait(file: string): string | null {
  const user = SAMPLE_USERS.find(({ id }) => `${id}.svg` === file)
  if (!user?.portrait) return null
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" aria-label="${user.name}">
  <circle cx="48" cy="48" r="48" fill="${user.portrait}"/>
  <text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="38" text-anchor="middle" dominant-baseline="central">${initials(user.name)}</text>
</svg>
`
}
