/** Files dropped where nobody takes them would be opened in place of the page. Who takes them says so after this. */
export function refuseDrops(): void {
  const refuse = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  window.addEventListener('dragover', refuse);
  window.addEventListener('drop', refuse);
}
