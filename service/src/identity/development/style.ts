/** The stylesheet of the stand-ins. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1f2328, #e6e8eb);
  --soft: light-dark(#59636e, #a3adb8);
  --paper: light-dark(#ffffff, #1c2026);
  --ground: light-dark(#f3f4f6, #12151a);
  --line: light-dark(#d0d5db, #3a424c);
  --hover: light-dark(#f3f6fb, #262c34);
  --accent: light-dark(#1a5fb4, #8ab4f8);
  --on-accent: light-dark(#ffffff, #12151a);
  --note: light-dark(#fff4d6, #3a3013);
  --note-ink: light-dark(#5c4400, #f5dd9a);
  --bad: light-dark(#a1260d, #ff9b85);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
.banner {
  margin: 0;
  padding: 0.5rem 1rem;
  background: var(--note);
  color: var(--note-ink);
  font-size: 0.875rem;
  text-align: center;
}
main {
  max-width: 28rem;
  margin: 2rem auto;
  padding: 2rem;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 2rem 0 0.5rem; font-size: 1rem; }
p { margin: 0.25rem 0 1rem; }
.aside { color: var(--soft); font-size: 0.875rem; }
.problem { color: var(--bad); }
ul { margin: 0; padding: 0; list-style: none; }
button, input { font: inherit; color: inherit; }
button {
  min-height: 2.75rem;
  padding: 0.5rem 1rem;
  background: transparent;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  cursor: pointer;
}
button:hover { background: var(--hover); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.people { border: 1px solid var(--line); border-radius: 0.5rem; }
.people li + li { border-top: 1px solid var(--line); }
.person {
  display: flex;
  gap: 0.75rem;
  align-items: center;
  width: 100%;
  padding: 0.75rem;
  border: 0;
  text-align: left;
}
.person img, .faceless { flex: none; width: 2.5rem; height: 2.5rem; border-radius: 50%; }
.faceless { display: grid; place-items: center; border: 1px dashed var(--soft); color: var(--soft); }
.who { display: grid; min-width: 0; }
.stranger { display: grid; gap: 0.75rem; }
.stranger label { display: grid; gap: 0.25rem; }
.stranger input {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  background: var(--paper);
  border: 1px solid var(--soft);
  border-radius: 0.5rem;
}
summary { padding: 0.25rem 0; color: var(--soft); font-size: 0.875rem; cursor: pointer; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
.primary:hover { background: var(--accent); filter: brightness(1.08); }
.cancel { margin-top: 0.75rem; }
.cancel button { width: 100%; }
.breakages { display: grid; gap: 0.75rem; }
.breakages li { display: grid; gap: 0.125rem; }
@media (max-width: 30rem) {
  main { margin: 0; padding: 1.25rem 1rem; border-width: 0 0 1px; border-radius: 0; }
}
`
