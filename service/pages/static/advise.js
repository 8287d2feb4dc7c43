// Form of a position: counts the cards that are ticked, and announces that the advice is computed.
const form = document.getElementById('ask');
const chosen = document.getElementById('chosen');

function tell() {
  const number = form.querySelectorAll('[name=hand]:checked').length;
  chosen.textContent = number === 1 ? 'One card chosen.' : `${number} cards chosen.`;
}

if (form) {
  form.addEventListener('change', tell);
  tell();
  form.addEventListener('submit', () => {
    // Empty fields say nothing, and make the address long.
    form.querySelectorAll('input:not([type=checkbox]), select').forEach((field) => {
      if (!field.value) field.disabled = true;
    });
    form.querySelector('button').textContent = 'Working it out …';
  });
}
// Coming back, a browser may show the form as it was left.
window.addEventListener('pageshow', () => {
  if (!form) return;
  form.querySelectorAll(':disabled').forEach((field) => { field.disabled = false; });
  form.querySelector('button').textContent = 'Advise me';
  tell();
});
