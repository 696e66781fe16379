import { Icon } from '../../ui/Icon.tsx';

/** At the end of a secret's details: where the value is, and why two buttons are not there. */
export function SecretFacts() {
  return (
    <section className="section secret-facts" aria-label="About secrets">
      <p>
        <Icon name="lock" />
        <span>The value is not kept on this computer. Each look asks the service again.</span>
      </p>
      <p>
        <Icon name="key" />
        <span>
          The service shows no way to replace or delete a secret, nor to ask whether it exists without reading
          it.
        </span>
      </p>
    </section>
  );
}
