/**
 * The policies of this service. The interface (section 2, `classstr`) specifies neither their names nor their effect:
 * here `Public` is stored as it is, and all others are encrypted at rest with a key per object.
 */
export const classifications = [
  { name: 'Public', description: 'May be seen by anyone. Stored as it is, with checksums.' },
  { name: 'Internal', description: 'For people of the organisation. Encrypted at rest.' },
  { name: 'Confidential', description: 'For the people who need it for their work. Encrypted at rest.' },
  { name: 'Restricted', description: 'For named people only. Encrypted at rest.' },
] as const;

export type Classification = (typeof classifications)[number]['name'];

/** The policy of uploads without `classstr`. */
export const defaultClassification: Classification = 'Internal';

export const classificationNames = classifications.map((entry) => entry.name);

export function findClassification(name: string): Classification | undefined {
  return classificationNames.find((known) => known === name);
}
