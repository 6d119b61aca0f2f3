// One key for what has a data-key: t, f, e choose an answer, j and k go on and back, d shows the changes. Enter saves.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input:not([type=radio], [type=checkbox]), select, textarea");
  if (typing) return;
  if (event.key === "Enter" && event.target.matches("input[type=radio]")) {
    event.preventDefault();
    event.target.form.requestSubmit();
    return;
  }
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!target) return;
  event.preventDefault();
  if (target.matches("input")) {
    target.checked = true;
    target.focus();
  } else {
    target.click();
  }
});
document.querySelector(".in-hand")?.scrollIntoView({ block: "nearest" });
window.scrollTo(0, 0);
