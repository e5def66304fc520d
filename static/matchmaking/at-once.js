// A visitor asked for a match and then logged in: it begins without another click.
document.querySelector("#play-now[data-at-once]")?.submit();
