// Adds new events to the activity while the page is visible, by a long poll. Without this script, "Refresh" shows them.
const ROWS_MAX = 100
const RETRY_MS = 10_000
/** Between two polls: a busy project doesn't keep the browser busy. */
const PAUSE_MS = 1_000

const section = document.querySelector('[data-live]')
const body = section.querySelector('tbody')
const renderedAt = Date.parse(section.dataset.now)
const status = document.createElement('span')
const button = document.createElement('button')
let paused = false
let added = 0
let polling = null

status.setAttribute('role', 'status')
button.type = 'button'
button.className = 'quiet small'
button.addEventListener('click', () => {
  paused = !paused
  update()
})
document.addEventListener('visibilitychange', update)
// The script replaces the link "Refresh".
section.querySelector('.live-bar').replaceChildren(status, button)
update()
setInterval(showAges, 60_000)

/** People can stop content that updates by itself (WCAG 2.2.2). Hidden pages hold no connection. */
function update() {
  button.textContent = paused ? 'Resume' : 'Pause'
  say(paused ? 'Paused' : 'Live')
  if (paused || document.hidden) {
    polling?.abort()
    polling = null
  } else if (polling === null) {
    polling = new AbortController()
    void follow(polling.signal)
  }
}

function say(state) {
  status.className = state === 'Live' ? 'live' : 'live off'
  status.textContent =
    added === 0 ? state : `${state}: ${added} new ${added === 1 ? 'event' : 'events'}`
}

async function follow(signal) {
  while (!signal.aborted) {
    const response = await poll(signal)
    if (signal.aborted) {
      return
    }
    if (response?.ok) {
      say('Live')
      await add(response)
    } else {
      // Signed out, or no longer this owner's project: a reload says so.
      if (response !== null && response.status !== 429 && response.status < 500) {
        return say('Not connected')
      }
      say('Reconnecting')
    }
    await new Promise((resolve) => setTimeout(resolve, response?.ok ? PAUSE_MS : RETRY_MS))
  }
}

function poll(signal) {
  const url = new URL(section.dataset.live, location.href)
  url.searchParams.set('after', section.dataset.after)
  // A redirect leads to the sign-in page.
  return fetch(url, { headers: { Accept: 'text/html' }, redirect: 'manual', signal }).catch(
    () => null,
  )
}

async function add(response) {
  const table = new DOMParser()
    .parseFromString(await response.text(), 'text/html')
    .querySelector('table')
  const found = table?.querySelectorAll('tbody tr') ?? []
  // A start that isn't finished yet has no row.
  if (table) {
    section.dataset.after = table.dataset.after
  }
  if (found.length === 0) {
    return
  }
  // Without activity there is no table to add to.
  if (body === null) {
    return location.reload()
  }
  for (const row of found) {
    row.classList.add('new')
  }
  body.prepend(...found)
  added += found.length
  say('Live')
  trim()
}

/** "Older" leads to what is below the last row. */
function trim() {
  if (body.rows.length <= ROWS_MAX) {
    return
  }
  while (body.rows.length > ROWS_MAX) {
    body.lastElementChild.remove()
  }
  const older = section.querySelector('[rel=next]')
  if (older === null) {
    return
  }
  const url = new URL(older.href)
  url.searchParams.set('before', body.lastElementChild.dataset.event)
  older.href = url.href
}

/** Keeps "3 minutes ago" true, by the clock of the server. */
function showAges() {
  const now = renderedAt + performance.now()
  for (const moment of section.querySelectorAll('.moment')) {
    const minutes = Math.round((now - Date.parse(moment.querySelector('time').dateTime)) / 60_000)
    if (minutes < 1 || minutes >= 60) {
      continue
    }
    moment.firstChild.textContent = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ago `
  }
}
