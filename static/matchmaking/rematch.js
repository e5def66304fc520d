// Shows on the page of a finished match, in place, that somebody wants a rematch, or has taken the offer back.
const plain = (html) => html.trim();

export async function renew() {
  const place = document.getElementById("rematch-offer");
  const answer = await fetch(place.dataset.from, { headers: { "HX-Request": "true" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("rematch-offer");
  if (plain(fresh.innerHTML) === plain(place.innerHTML)) return;
  const focused = place.contains(document.activeElement);
  place.replaceWith(document.adoptNode(fresh));
  if (focused) fresh.querySelector("a, button").focus();
  document.getElementById("live").textContent = fresh.querySelector("a, button").textContent;
}
