/** Version 10: collections named after what is in them. The order matters: "undoManifests" held the removed services until now. */
export const collectionNames = `
  UPDATE document SET collection = 'removedServices' WHERE collection = 'undoManifests';
  UPDATE document SET collection = 'undoManifests' WHERE collection = 'parts-kept';
  UPDATE document SET collection = 'chunkPlans' WHERE collection = 'parts';
  UPDATE document SET collection = 'chunkMarks' WHERE collection = 'parts-marks';
  UPDATE document SET collection = 'orphans' WHERE collection = 'parts-orphaned';
`;
