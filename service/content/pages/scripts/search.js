// The list of pages is longer than a screen: show where this page is in it.
const menu = document.querySelector('.docs-side .menu')
const current = menu.querySelector('[aria-current=page]')
const below = current
  ? current.getBoundingClientRect().bottom - menu.getBoundingClientRect().bottom
  : 0
if (below > -40) {
  menu.scrollTop = below + menu.clientHeight / 2
}

// The form works without this script: it opens /docs/search. This shows the same results while the user types.
const form = document.querySelector('form[role=search]')
const input = form.querySelector('input')
const isSearchPage = location.pathname === form.getAttribute('action')
const results = isSearchPage ? document.querySelector('#results') : addPanel()
let latest = 0

input.addEventListener('input', async () => {
  const number = ++latest
  const url = `${form.getAttribute('action')}?q=${encodeURIComponent(input.value)}`
  const response = await fetch(url, { headers: { Accept: 'text/html' } }).catch(() => null)
  // A slow response must not replace the results of what was typed after it.
  if (number !== latest || !response?.ok) {
    return
  }
  const found = new DOMParser()
    .parseFromString(await response.text(), 'text/html')
    .querySelector('#results')
  results.replaceChildren(...found.childNodes)
  results.hidden = input.value.trim() === ''
  if (isSearchPage) {
    history.replaceState(null, '', url)
  }
})

document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, textarea, select')
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    input.focus()
  }
  if (event.key === 'Escape' && !isSearchPage && form.contains(document.activeElement)) {
    results.hidden = true
    input.focus()
  }
})

function addPanel() {
  const panel = document.createElement('div')
  panel.className = 'search-panel'
  panel.hidden = true
  form.append(panel)
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target)) {
      panel.hidden = true
    }
  })
  return panel
}
