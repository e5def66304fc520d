// A link to the match goes where its reader wants it: the system asks where, or it is copied.

export async function follow(link) {
  const { href: url, dataset: { share: text, done } } = link;
  try {
    if (navigator.share) return await navigator.share({ text, url });
    await navigator.clipboard.writeText(url);
    link.textContent = document.getElementById("live").textContent = done;
  } catch { /* they thought better of it */ }
}
