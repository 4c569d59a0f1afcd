import type { Daily } from '../../domain/events/daily.ts'
import { totalOf } from '../pages/charts/chart-kinds.ts'
import { heading, numberHeading, scrollTable } from '../pages/elements.ts'
import { selectField } from '../pages/fields.ts'
import { type Html, html } from '../pages/markup.ts'
import { displayText, formatNumber } from '../pages/text.ts'
import { accountPaths } from './paths.ts'
import { claimedAt, type ProjectOverview, projectCard } from './projects/project-card.ts'

const SORTS = { newest: 'Newest', name: 'Name', 'sign-ins': 'Most sign-ins' } as const

type ProjectSort = keyof typeof SORTS

/** The query of the dashboard. */
export interface ProjectSearch {
  readonly q: string
  readonly sort: ProjectSort
}

/** Without a valid value, a parameter has no effect. */
export const projectSearch = (q: string | undefined, sort: string | undefined): ProjectSearch => ({
  q: (q ?? '').trim().slice(0, 100),
  sort: Object.hasOwn(SORTS, sort ?? '') ? (sort as ProjectSort) : 'newest',
})

/** Projects whose name, id or host contains the text, in the chosen order. */
function selectProjects(
  projects: readonly ProjectOverview[],
  { q, sort }: ProjectSearch,
): ProjectOverview[] {
  const sought = q.toLowerCase()
  const found = projects.filter(({ name, tenant, callbackHosts }) =>
    [name, tenant.id, ...callbackHosts].some((text) => text.toLowerCase().includes(sought)),
  )
  return found.toSorted(ORDERS[sort])
}

const signIns = ({ daily }: { readonly daily: readonly Daily[] }): number =>
  totalOf(daily, 'logins')

const ORDERS: Readonly<Record<ProjectSort, (a: ProjectOverview, b: ProjectOverview) => number>> = {
  newest: (a, b) => claimedAt(b) - claimedAt(a),
  name: (a, b) => a.name.localeCompare(b.name, 'en'),
  'sign-ins': (a, b) => signIns(b) - signIns(a),
}

/** The cards of the dashboard. A single project needs no search. */
export function projectList(
  projects: readonly ProjectOverview[],
  search: ProjectSearch,
  now: number,
): Html {
  const selected = selectProjects(projects, search)
  return html`${(projects.length > 1 || search.q !== '') && searchForm(search)}
    ${
      selected.length === 0
        ? html`<p class="none">No project matches. <a href="${accountPaths.home}">Show all projects</a></p>`
        : html`<ul class="columns projects">${selected.map((project) => projectCard(project, now))}</ul>`
    }`
}

const searchForm = ({ q, sort }: ProjectSearch): Html =>
  html`<form class="filters" role="search" method="get" action="${accountPaths.home}">
    <div class="grow"><label for="q">Name, id or host</label>
    <input id="q" name="q" type="search" value="${q}" maxlength="100" autocomplete="off" autocapitalize="none" spellcheck="false"></div>
    <div><label for="sort">Sort by</label>
    ${selectField('sort', SORTS, sort)}</div>
    <button class="quiet">Show</button>
  </form>`

/** What each project uses of the shared limits. */
export const usageByProject = (projects: readonly ProjectOverview[]): Html | false =>
  projects.length > 1 &&
  html`<details><summary>Usage by project</summary>${scrollTable({
    caption: 'Auth events of this month (UTC)',
    label: 'Usage by project',
    head: [heading('Project'), numberHeading('Stored users'), numberHeading('Auth events')],
    rows: projects
      .toSorted((a, b) => b.eventsThisMonth - a.eventsThisMonth)
      .map(
        ({ tenant, name, users, eventsThisMonth }) => html`<tr>
          <th scope="row"><a href="${accountPaths.project(tenant.id)}">${displayText(name)}</a></th>
          <td class="number">${formatNumber(users.total)}</td>
          <td class="number">${formatNumber(eventsThisMonth)}</td>
        </tr>`,
      ),
  })}</details>`
