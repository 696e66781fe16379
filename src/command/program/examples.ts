import type { Command } from 'commander';

/** Shown by `--help` and the manual page. Keyed by the command's path. */
const examples: Readonly<Record<string, readonly string[]>> = {
  '': [
    'coffer service add Work https://objects.example.org',
    'coffer put report.pdf --to reports/2026',
    'coffer ls reports/2026',
    'coffer get reports/2026/report.pdf',
  ],
  services: ['coffer services', 'coffer services --json | jq -r .name'],
  ls: [
    'coffer ls reports/2026',
    "coffer ls 'class:Confidential size:>1mb'",
    'coffer ls --json | jq -r .identifier',
  ],
  info: ['coffer info reports/2026/q2.pdf', 'coffer info --json a.txt b.txt'],
  put: [
    'coffer put report.pdf --to reports/2026',
    'coffer put q2.pdf --as reports/2026/q2.pdf --classification Confidential',
    'coffer put photos/ --if-exists version',
    "coffer put 'photos/**/*.jpg' --to pictures --exclude 'raw/' --dry-run",
    'find . -newer stamp -type f -print0 | coffer put -0 --files-from - --to changed',
    'coffer put <(pg_dump shop) --as backups/shop.sql',
    'pg_dump shop | gzip | coffer put - --as backups/shop.sql.gz --if-exists version',
  ],
  recover: ['coffer recover /tmp/coffer-command-5d3f9a1c-x7Kq2b'],
  get: [
    'coffer get reports/2026/q2.pdf',
    'coffer get a.txt b.txt --to folder',
    "coffer get 'photos/**/*.jpg' --to ~/Pictures",
    'coffer get backups/shop.sql.gz -o - | gunzip | psql shop',
  ],
  sync: [
    'coffer sync /srv/reports reports --dry-run',
    "coffer sync ~/Pictures pictures --exclude 'raw/' --delete",
    'coffer sync /srv/reports reports --if-exists replace --delete --yes --limit-rate 2M',
  ],
  watch: ['coffer watch ~/Scans scans', 'coffer watch /srv/reports reports --settle 30 --delete --yes'],
  open: ['coffer open reports/2026/q2.pdf'],
  edit: ['coffer edit notes.txt', 'EDITOR=vim coffer edit notes.txt'],
  versions: ['coffer versions reports/2026/q2.pdf'],
  check: [
    'coffer check reports/2026/q2.pdf',
    'coffer check reports/ --json',
    'coffer check photos/ --against ./photos',
  ],
  rm: [
    'coffer rm old.txt',
    'coffer rm --yes a.txt b.txt',
    "coffer rm 'photos/**' --include '*.tmp' --dry-run",
  ],
  known: ['coffer known reports/2025/q4.pdf', 'xargs coffer known < identifiers.txt'],
  export: ['coffer export objects.jsonl', 'coffer export - --format csv | head'],
  import: ['coffer import objects.jsonl', 'coffer import - --format csv < objects.csv'],
  transfers: ['coffer transfers', 'coffer transfers --follow'],
  pause: ['coffer pause'],
  resume: ['coffer resume'],
  cancel: ['coffer cancel 12 13', 'coffer cancel'],
  team: ['coffer team join', 'coffer team status'],
  'team join': ['coffer team join', 'coffer team join --list Files < invitation.txt'],
  'team status': ['coffer team status --json'],
  'team sync': ['coffer team sync'],
  'team people': ['coffer team people'],
  'team sign-in': ['coffer team sign-in < invitation.txt'],
  'team leave': ['coffer team leave --keep all'],
  'team invite-computer': ['coffer team invite-computer'],
  'team areas': ['coffer team areas'],
  'team add-area': ['coffer team add-area reports', 'coffer team add-area --classification confidential'],
  'team remove-area': ['coffer team remove-area 3'],
  'team grant': ["coffer team grant 'Anna Berg' read --area 3"],
  'team end': ['coffer team end anna', 'coffer team end anna --undo'],
  'team compare': ['coffer team compare'],
  'team share': ['coffer team share secrets', 'coffer team share notes --stop'],
  'team create': [
    'coffer team create --server db.example --database team --role owner --list Files --curator anna',
  ],
  'team invite': ["coffer team invite anna --name 'Anna Berg'"],
  service: ['coffer service test', 'coffer service set Work --proxy http://proxy.example.org:3128'],
  'service add': [
    'coffer service add Work https://objects.example.org',
    'coffer service add Work https://objects.example.org --ca ca.pem < token.txt',
  ],
  'service set': [
    'coffer service set Work --proxy http://proxy.example.org:3128 --proxy-user me',
    'coffer service set Work --client-certificate me.pfx',
    'coffer service set Work --address https://objects.example.com < token.txt',
  ],
  'service rename': ['coffer service rename Work Archive'],
  'service default': ['coffer service default Archive'],
  'service rm': ['coffer service rm Work', 'coffer service rm Work --yes --forget-list'],
  'service test': ['coffer service test', 'coffer service test --service Work --try'],
  'service token': ['coffer service token', 'coffer service token --service Work < token.txt'],
  secret: ['coffer secret ls', 'coffer secret copy ci/registry-token'],
  'secret new': [
    'coffer secret new db/ledger/primary-url',
    'openssl rand -base64 32 | coffer secret new ci/deploy-key --classification Restricted',
    'coffer secret new certs/site.key --new-version < site.key',
  ],
  'secret get': [
    'coffer secret get ci/registry-token | docker login --password-stdin registry.example',
    'coffer secret get coffer://Archive/secret/db/ledger/primary-url --reveal',
  ],
  'secret copy': ['coffer secret copy ci/registry-token'],
  'secret ls': ['coffer secret ls db'],
  run: [
    'coffer run --env-file .env -- ./deploy.sh production',
    'DATABASE_URL=coffer://Archive/secret/db/url coffer run -- npm start',
  ],
  inject: [
    'coffer inject -i config.template.yaml -o config.yaml',
    'coffer inject -i - -o - < config.template.yaml | kubectl apply -f -',
  ],
  help: ['coffer help put', 'coffer help service add'],
  version: ['coffer version'],
  completion: [
    'source <(coffer completion bash)',
    'coffer completion zsh > ~/.zfunc/_coffer',
    'coffer completion fish > ~/.config/fish/completions/coffer.fish',
    'coffer completion pwsh | Out-String | Invoke-Expression',
  ],
  doctor: ['coffer doctor', 'coffer doctor --report report.txt'],
};

/** The command's path without `coffer`, for example `service add`. */
export function pathOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}

export function exampleLines(command: Command): readonly string[] {
  return examples[pathOf(command)] ?? [];
}
