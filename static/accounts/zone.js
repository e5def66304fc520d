// Tells the form which time zone this device is in.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

for (const input of document.querySelectorAll('input[data-own-zone]')) {
  input.value = zone
}

for (const button of document.querySelectorAll('[data-use-own-zone]')) {
  const select = document.getElementById(button.dataset.useOwnZone)
  const known = [...select.options].some((option) => option.value === zone)
  if (!known || select.value === zone) continue
  button.querySelector('[data-zone]').textContent = zone.replaceAll('_', ' ')
  button.hidden = false
  button.addEventListener('click', () => {
    select.value = zone
    button.hidden = true
    select.focus()
  })
}
