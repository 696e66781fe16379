/*
 * Runs before the page has a body, long before the bundle is loaded. Files dropped where nobody takes them would be opened in
 * place of the page; until it is known who takes them they are held, so that a page that has just started loses none.
 * See app/drops.ts.
 */
(() => {
  const drops = { isEarly: true, held: [] };
  window.cofferDrops = drops;

  /** The browser's own answer to them is prevented. */
  const carriesFiles = (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return false;
    event.preventDefault();
    return true;
  };
  window.addEventListener('dragover', (event) => {
    if (carriesFiles(event)) event.dataTransfer.dropEffect = drops.isEarly ? 'copy' : 'none';
  });
  window.addEventListener('drop', (event) => {
    if (carriesFiles(event) && drops.isEarly) drops.held = [...drops.held, ...event.dataTransfer.files];
  });
})();
