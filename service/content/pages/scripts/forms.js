// A changed form that is left without saving loses what was entered: the browser asks first.
const changed = new Set()
addEventListener('input', ({ target }) => {
  if (target.form?.method === 'post') {
    changed.add(target.form)
  }
  preview(target)
})
addEventListener('submit', ({ target }) => changed.delete(target))
addEventListener('beforeunload', (event) => {
  if (changed.size > 0) {
    event.preventDefault()
  }
})

// The preview of the branding shows what was entered.
function preview({ name, value, form }) {
  const shown = form?.querySelector(`[data-preview="${name}"]`)
  if (!shown) {
    return
  }
  if (name === 'accent') {
    shown.className = `preview-button accent-${value}`
  } else {
    shown.textContent = value || 'Name of your app'
  }
}
