// Says clearly when something sent could not be delivered or was refused. The page stays as it is, so nothing chosen or
// written is lost and it can be sent again.
const notices = document.getElementById("notices");
// 409 and 422 bring the current board or the form with its errors: the page shows them itself.
const SHOWN_BY_THE_PAGE = new Set([409, 422]);

function words(status) {
  const said = notices.dataset;
  if (!status) return said.network;
  if (status === 429) return said.often;
  if (status === 401 || status === 403) return said.refused;
  if (status === 404) return said.missing;
  if (status === 503) return said.away;
  return said.broken;
}

function clear() {
  notices.querySelector("[data-delivery]")?.remove();
}

function tell(status) {
  clear();
  const notice = document.createElement("div");
  notice.className = "notice bad";
  notice.dataset.delivery = "";
  notice.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = words(status);
  notice.append(text);
  notices.append(notice);
  notice.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:response:error", (event) => {
  const { status } = event.detail.ctx.response;
  if (!SHOWN_BY_THE_PAGE.has(status)) tell(status);
});
document.addEventListener("htmx:error", (event) => {
  const { ctx } = event.detail;
  if (ctx && !ctx.response) tell(0);
});
document.addEventListener("htmx:before:request", clear);
