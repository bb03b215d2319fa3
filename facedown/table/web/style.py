"""How the pages look: one sheet, light and dark, wide and narrow."""

CSS = """
:root { --ground: #f4f1ea; --card: #ffffff; --ink: #26323a; --soft: #5d6a72; --line: #ddd6c7;
  --accent: #1f6f54; --gold: #b9821a; }
body.body--dark { --ground: #12181b; --card: #1c2529; --ink: #e9e4d8; --soft: #a3adb2;
  --line: #33403f; --accent: #58b894; --gold: #e7b84b; }
body { --q-primary: #1f6f54 !important; }  /* Quasar's: words on the ground, and under white ones */
body.body--dark { --q-primary: #2f9a76 !important; }
body { background: var(--ground); color: var(--ink);
  font-family: 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', sans-serif; }
.nicegui-content { padding: 0; width: 100%; max-width: 1280px; margin: 0 auto; }
.bar { background: var(--accent); color: #fff; width: 100%; padding: .5rem 1rem;
  display: flex; flex-wrap: nowrap; align-items: center; justify-content: space-between; }
body.body--dark .bar { background: #173d31; }
.bar a { color: #fff; text-decoration: none; font-weight: 600; font-size: 1.15rem; }
.bar button { font: inherit; font-size: 1.2rem; color: #fff; background: none; border: 0;
  min-width: 2.4rem; min-height: 2.4rem; cursor: pointer; border-radius: 50%; }
.bar :is(a, button):focus-visible { outline: 3px solid var(--gold); }
.ellipsis { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding: 0 .6rem; }
body.plain { margin: 0; line-height: 1.5; }
body.plain * { box-sizing: border-box; }
body.plain .bar { margin: 0 auto; max-width: 1280px; }
body.plain main { max-width: 1280px; margin: 0 auto; padding: 1rem; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: .8rem 1rem; width: 100%; }
.panel h2, h2.plain { font-size: .95rem; font-weight: 600; color: var(--soft); margin: 0 0 .35rem;
  line-height: 1.3; letter-spacing: .02em; }
.table { display: grid; grid-template-columns: minmax(0, 1fr) 330px; gap: 1rem; width: 100%;
  padding: 1rem; align-items: start; }
.side { display: flex; flex-direction: column; gap: .8rem; min-width: 0; }
.board svg { width: 100%; height: auto; max-height: calc(100vh - 9rem); display: block; }
.board pre, pre.text { overflow: auto; font-size: .9rem; background: var(--card); padding: .8rem;
  border-radius: 12px; border: 1px solid var(--line); margin: 0; }
.board [data-part].can { cursor: pointer; outline: none; }
.board [data-part].can { filter: drop-shadow(0 0 3px #ffd76a) drop-shadow(0 0 2px #ffd76a); }
.board [data-part].can:hover { filter: drop-shadow(0 0 5px #fff1c0) brightness(1.08); }
.board [data-part].can:focus-visible { outline: 3px solid #ffd76a; outline-offset: 2px; }
.board [data-part].off { filter: none; opacity: .75; }
.board [data-part].picked { filter: drop-shadow(0 0 7px #ff8c1a) drop-shadow(0 0 3px #ff8c1a); }
.status { font-size: 1.05rem; font-weight: 600; min-height: 1.6em; }
.aside { color: var(--soft); font-size: .8rem; }
.said { color: var(--gold); min-height: 1.3em; }
ol.moves { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .35rem;
  max-height: 38vh; overflow: auto; }
button.move { font: inherit; color: var(--ink); background: var(--ground); cursor: pointer;
  border: 1px solid var(--line); border-radius: 8px; padding: .35rem .7rem; min-height: 2.4rem;
  text-align: left; }
button.move:hover { border-color: var(--accent); }
button.move:focus-visible { outline: 3px solid var(--gold); }
ul.news { margin: 0; padding-left: 1.1rem; max-height: 26vh; overflow: auto; }
ul.seats { list-style: none; margin: 0; padding: 0; }
ul.seats li.turn { font-weight: 700; color: var(--accent); }
.bars { display: grid; grid-template-columns: auto 1fr auto; gap: .15rem .6rem;
  align-items: center; font-size: .88rem; }
.bars .bar2 { background: var(--line); border-radius: 4px; height: .8rem; overflow: hidden; }
.bars .bar2 i { display: block; height: 100%; background: var(--accent); }
.bars .best { font-weight: 700; }
.break-all { word-break: break-all; }
.panel.wide { margin: 0 1rem 1rem; width: calc(100% - 2rem); overflow-x: auto; }
.fields { display: flex; flex-wrap: wrap; gap: .8rem 1rem; margin: .4rem 0 .8rem; }
.field { display: flex; flex-direction: column; gap: .2rem; flex: 1 1 8.5rem; min-width: 0; }
.field.game { flex-basis: 100%; }
.field label { font-size: .85rem; color: var(--soft); }
.field input, .field select { font: inherit; color: var(--ink); background: var(--ground);
  border: 1px solid var(--line); border-radius: 8px; padding: .35rem .6rem; min-height: 2.6rem;
  width: 100%; min-width: 0; }
.field :is(input, select):focus-visible { outline: 3px solid var(--gold); }
details { margin: .3rem 0; }
summary { cursor: pointer; color: var(--soft); padding: .3rem 0; }
button.send { font: inherit; font-weight: 600; color: #fff; background: #1f6f54; border: 0;
  border-radius: 8px; padding: .5rem 1.4rem; min-height: 2.8rem; cursor: pointer; }
button.send:disabled { opacity: .6; cursor: wait; }
button.send:focus-visible { outline: 3px solid var(--gold); }
svg.heat { width: 100%; min-width: 700px; height: auto; }
.board .hidden-text { position: absolute; left: -9999px; }
body.as-text .board .hidden-text { position: static; margin-top: .6rem; }
button.as-text { font: inherit; font-size: .85rem; color: var(--accent); background: none;
  border: 0; border-radius: 8px; padding: .3rem .6rem; min-height: 2.2rem; cursor: pointer; }
button.as-text:focus-visible { outline: 3px solid var(--gold); }
.nicegui-link { color: var(--accent) !important; }
@media (max-width: 900px) {
  .table { grid-template-columns: minmax(0, 1fr); padding: .5rem; gap: .6rem; }
  .board svg { max-height: none; }
  ol.moves { max-height: 30vh; }
}
@media (max-width: 600px) {
  .board:has(svg.wide) { overflow-x: auto; }
  .board svg.wide { width: 158%; max-width: none; }
  .board .hidden-text { font-size: .75rem; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
"""

SCRIPT = """
function facedownDark(turn) {  // light, dark, as the system has it, in turn; and so on every page
  let kept = 'auto';
  try { kept = localStorage.getItem('facedown-dark') ?? 'auto'; } catch (error) {}
  if (turn) kept = {auto: 'dark', dark: 'light', light: 'auto'}[kept] ?? 'auto';
  try { localStorage.setItem('facedown-dark', kept); } catch (error) {}
  const dark = {dark: true, light: false}[kept] ?? null;
  if (window.setDark) return setDark(dark);
  const system = matchMedia('(prefers-color-scheme: dark)').matches;
  document.body.classList.toggle('body--dark', dark ?? system);
}
window.addEventListener('load', () => facedownDark(false));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => facedownDark(false));
function facedownWords(button) {  // the table in words, below its picture
  const shown = document.body.classList.toggle('as-text');
  button.setAttribute('aria-pressed', shown);
}
async function facedownTold(path, body, kind) {
  try {
    const answer = await fetch(path, {method: 'POST', body, headers: {'content-type': kind}});
    const told = await answer.json();
    return answer.ok || told.wrong ? told : {wrong: 'the server refused that'};
  } catch (error) {
    return {wrong: 'the server did not answer: try again'};
  }
}
async function facedownSend(form) {
  const said = form.querySelector('[role=alert]'), button = form.querySelector('button.send');
  if (button.disabled) return;
  button.disabled = true;
  said.textContent = 'getting the table ready …';
  const plain = JSON.stringify(Object.fromEntries(new FormData(form)));
  const told = await facedownTold(form.getAttribute('action'), plain, 'application/json');
  if (told.path) return location.assign(told.path);
  said.textContent = told.wrong;
  button.disabled = false;
}
async function facedownRules(field, most) {
  const file = field.files[0], said = field.form.querySelector('[role=alert]');
  if (!file) return;
  if (file.size > most) {
    said.textContent = `a rule file of at most ${most} bytes is wanted`;
    return;
  }
  said.textContent = 'trying the rules …';
  const path = '/rules?name=' + encodeURIComponent(file.name);
  const told = await facedownTold(path, await file.arrayBuffer(), 'application/octet-stream');
  if (told.spec) field.form.elements.game.add(new Option(told.spec, told.spec, true, true), 0);
  said.textContent = told.said ?? told.wrong;
  field.value = '';
}
function facedownPick(picked, can) {
  const chosen = new Set(picked), open = new Set(can);
  for (const part of document.querySelectorAll('.board [data-part].can')) {
    const name = part.dataset.part;
    part.classList.toggle('picked', chosen.has(name));
    part.classList.toggle('off', !open.has(name));
    part.setAttribute('aria-pressed', chosen.has(name) ? 'true' : 'false');
  }
}
"""
