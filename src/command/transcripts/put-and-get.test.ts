import { describe, expect, test } from 'vitest';
import { createQuickClock } from '../../../test-support/main/test-ports.ts';
import { draftOf } from '../services/draft.ts';
import { playTranscript } from '../../../test-support/command/transcript.ts';

describe.skipIf(process.platform !== 'linux')('uploads and downloads', () => {
  test('put', () =>
    expect(
      playTranscript({ name: 'put', with: 'app' }, async ({ coffer }) => {
        await coffer('coffer put a.txt --to x');
        await coffer('coffer put a.txt --to x');
        await coffer('coffer put c.txt --as x/a.txt --if-exists fail');
        await coffer('coffer put c.txt --as x/a.txt', { types: [['give up: ', 'k\r']] });
        await coffer('coffer put c.txt --as x/a.txt', { types: [['give up: ', '\u0004']], only: 'terminal' });
        await coffer('coffer put b.txt --as x/a.txt --if-exists skip');
        await coffer('coffer put b.txt --as x/a.txt --if-exists keep-both');
        await coffer('coffer put b.txt --as x/a.txt --if-exists version');
        await coffer('coffer put photos --to x --deferred --no-progress | sort');
        await coffer('coffer put photos --json --if-exists skip | sort');
      }),
    ).resolves.toMatchFileSnapshot('put.txt'));
  test('put uses the classification of the previous version unless one is given', () =>
    expect(
      playTranscript({ name: 'put-class', with: 'app' }, async ({ coffer }) => {
        await coffer('coffer put a.txt --as k/a.txt --classification Confidential --quiet');
        await coffer('coffer put b.txt --as k/a.txt --if-exists version --quiet');
        await coffer('coffer put c.txt --as k/a.txt --if-exists version --class "" --quiet');
        await coffer(
          'coffer info k/a.txt k/a@2.txt k/a@3.txt --json | jq -c "[.identifier, .classification]"',
        );
      }),
    ).resolves.toMatchFileSnapshot('put-class.txt'));
  test('put refuses invalid input', () =>
    expect(
      playTranscript({ name: 'put-refused', with: 'app' }, async ({ coffer, world }) => {
        await coffer('coffer put');
        await coffer('coffer put a.txt b.txt --as x');
        await coffer('coffer put photos --as x');
        await coffer('coffer put nothing.txt');
        await coffer('coffer put nothing.txt a.txt --to y --json');
        await coffer('coffer put a.txt --if-exists maybe');
        await coffer('coffer put a.txt --as ..');
        await coffer('coffer put a.txt --wait soon');
        await coffer('coffer put a.txt --as r/1 --service Other');
        const { services } = await world.call('services.list', undefined);
        const [{ id } = { id: '' }] = services;
        await world.call('services.setToken', { id, token: 'another' });
        await coffer('coffer put a.txt b.txt --to r');
        await coffer('coffer get y/a.txt -o -');
        await coffer('coffer service test');
        await world.service.service.close();
        await coffer('coffer service test');
      }),
    ).resolves.toMatchFileSnapshot('put-refused.txt'));
  test('put with patterns and filters', () =>
    expect(
      playTranscript({ name: 'put-patterns', with: 'app' }, async ({ coffer }) => {
        await coffer("coffer put 'photos/**' --to p --dry-run | sort");
        await coffer("coffer put 'photos/**' --to p --no-progress | sort");
        await coffer(
          "coffer put photos a.txt --to q --exclude 'may/' --include '*.jpg' --no-progress | sort",
        );
        await coffer('coffer put photos/one.jpg --dry-run --json');
        await coffer("coffer put 'photos/*.png'");
        await coffer("coffer put 'photos/t*.jpg' --as two");
        await coffer("coffer put 'photos/*.jpg' --as two");
        await coffer("printf 'a.txt\\0b.txt\\0' | coffer put -0 --files-from - --to r --no-progress | sort");
        await coffer("printf 'a.txt\\0b.txt\\0' | coffer put --files-from - --to r");
        await coffer('echo a.txt | iconv -t UTF-16LE > utf16; coffer put --files-from utf16 --to r');
        await coffer("printf 'a.txt\\n.\\n' | coffer put --files-from - --to r");
        await coffer('echo c.txt > names; coffer put --files-from names --to r');
        await coffer('coffer put --files-from names --as x');
        await coffer('echo "odd" > "[x]"; coffer put "[x]" --to s');
        await coffer('ln -s a.txt link; coffer put . --include "link" --to s');
        await coffer('coffer put photos --exclude "*"');
      }),
    ).resolves.toMatchFileSnapshot('put-patterns.txt'));
  test('put reads FIFOs and process substitution', () =>
    expect(
      playTranscript({ name: 'put-streams', with: 'app' }, async ({ coffer }) => {
        await coffer('bash -c "coffer put <(printf made) --as s/made"', { isReal: true });
        await coffer('coffer get s/made -o -; echo');
        await coffer('mkfifo pipe; (printf first > pipe &) && coffer put pipe --as s/pipe', { isReal: true });
        await coffer('coffer get s/pipe -o -; echo');
        await coffer('coffer put pipe');
        await coffer('coffer put pipe a.txt');
        await coffer('ls ../Coffer/streams');
      }),
    ).resolves.toMatchFileSnapshot('put-streams.txt'));
  test('put asks about many existing identifiers', () =>
    expect(
      playTranscript({ name: 'put-questions', with: 'app' }, async ({ coffer }) => {
        await coffer('coffer put a.txt b.txt c.txt | sort');
        await coffer('for name in a b c; do echo new $name > $name.txt; done');
        await coffer('coffer put a.txt b.txt c.txt --no-progress | sort', {
          types: [
            ['give up: ', 'x\r'],
            ['give up: ', 'V\r'],
          ],
          only: 'terminal',
        });
        await coffer('coffer put a.txt --json', { only: 'pipe' });
      }),
    ).resolves.toMatchFileSnapshot('put-questions.txt'));
  test('replace', () => {
    // A Replace checks again a minute later.
    const app = { clock: createQuickClock(100) };
    return expect(
      playTranscript({ name: 'replace', with: 'app', app }, async ({ coffer }) => {
        await coffer('coffer put a.txt');
        await coffer('coffer put c.txt --as a.txt --if-exists replace');
        await coffer('coffer get a.txt -o -');
      }),
    ).resolves.toMatchFileSnapshot('replace.txt');
  });
  test('standard input and output', () =>
    expect(
      playTranscript({ name: 'streams', with: 'app' }, async ({ coffer }) => {
        await coffer('printf streamed | coffer put - --as s/1');
        await coffer('coffer get s/1 -o -; echo');
        await coffer('printf other | coffer put - --as s/1');
        await coffer('printf other | coffer put - --as s/1 --if-exists version --json');
        await coffer('coffer put - --to s');
        await coffer('coffer put - --as s/2', { types: [['Ctrl+D.', 'typed\n\u0004']], only: 'terminal' });
        await coffer('coffer get s/1 -o - --json');
        await coffer('coffer get nothing -o -');
        await coffer('head -c 3000000 /dev/zero | coffer put - --as s/big --quiet');
        // The reader closes the pipe early.
        await coffer('coffer get s/big -o - | head -c 1 | wc -c', { isReal: true });
        await coffer('ls ../Coffer/streams');
      }),
    ).resolves.toMatchFileSnapshot('streams.txt'));
  test('get', () =>
    expect(
      playTranscript({ name: 'get', with: 'app' }, async ({ coffer }) => {
        await coffer('coffer put a.txt photos --to g --quiet > /dev/null');
        await coffer('coffer get g/a.txt');
        await coffer('rm a.txt; coffer get g/a.txt; cat a.txt');
        await coffer('coffer get g/a.txt --json --to photos');
        await coffer('coffer get g/a.txt --to nowhere');
        await coffer('coffer get g/a.txt -o x --to photos');
        await coffer('coffer get g/a.txt -o photos/new.txt');
        await coffer('coffer get');
        await coffer('coffer get g/a.txt g/photos/one.jpg -o .. | sort; cat ../a.txt ../one.jpg; echo');
        await coffer('coffer get g/photos/two.jpg -o out.jpg --deferred --json');
        await coffer('coffer get g/a.txt nothing -o out.txt');
        await coffer('coffer get g/a.txt nothing');
        await coffer('coffer get nothing');
      }),
    ).resolves.toMatchFileSnapshot('get.txt'));
  test('get, check and rm with folders and patterns', () =>
    expect(
      playTranscript({ name: 'patterns', with: 'app' }, async ({ coffer }) => {
        await coffer('coffer put a.txt photos --to g --quiet > /dev/null; mkdir all one two');
        await coffer(
          'coffer put b.txt --as "g/[1]*.txt" --quiet; coffer put b.txt --as g/a.txt --if-exists version',
        );
        await coffer('coffer get g/photos/ --to all --no-progress | sort; find all -type f | sort');
        await coffer("coffer get 'g/photos/**' --to all --exclude 'may/' --no-progress | sort");
        await coffer("coffer get 'g/**' --include '*.txt' --to one --no-progress | sort");
        await coffer("coffer get 'g/[1]*.txt' --to two");
        await coffer("coffer get 'g/a*.txt' --all-versions --dry-run");
        await coffer('coffer get g/a.txt --dry-run');
        await coffer('coffer get g/a.txt --exact --dry-run');
        await coffer('coffer rm g/a.txt --dry-run');
        await coffer("coffer get 'g/a*.txt' --dry-run --json");
        await coffer("coffer get 'g/*' -o one.txt");
        await coffer("coffer get 'nothing/**'");
        await coffer('coffer get g/photos');
        await coffer("coffer check 'g/photos/**' | sort");
        await coffer("coffer check 'g/photos/**' nothing/ | sort");
        await coffer("printf 'g/photos/one.jpg\ng/photos/may/\n' | coffer rm --files-from - --dry-run");
        await coffer('printf "" | coffer rm --files-from - --yes');
        await coffer("coffer rm 'g/photos/*.jpg'", { types: [['[y/N] ', 'n\r']], only: 'terminal' });
        await coffer("coffer rm 'g/photos/*.jpg' --yes");
        await coffer("coffer rm 'g/photos/[z-a]' --yes");
        await coffer('coffer ls g');
      }),
    ).resolves.toMatchFileSnapshot('patterns.txt'));
  test('get and export do not overwrite a file without --force', () =>
    expect(
      playTranscript({ name: 'existing-files', with: 'app' }, async ({ coffer, world }) => {
        await coffer(
          'coffer put a.txt --as x/a.txt --quiet; coffer put b.txt --as y/a.txt --quiet; mkdir dl',
        );
        await coffer('coffer get x/a.txt y/a.txt -o dl/ | sed "s/as .*/as one of two/" | sort; ls dl');
        await coffer('cat dl/* | sort');
        await coffer('echo mine > keep.txt; coffer get x/a.txt -o keep.txt; echo $?; cat keep.txt');
        await coffer('coffer get x/a.txt -o keep.txt --force; cat keep.txt');
        await coffer('echo mine > out.jsonl; coffer export out.jsonl; echo $?; cat out.jsonl');
        await coffer('coffer export out.jsonl --force');
        await coffer('coffer export dl --format csv');
        await coffer('coffer get x/a.txt -o newdir/');
        await coffer('coffer get x/a.txt -o newdir/a.txt');
        await coffer('coffer export newdir/x.jsonl');
        const { services } = await world.call('services.list', undefined);
        const draft = { ...draftOf('Local', world.service.service.baseAddress), insecureAllowed: true };
        await world.call('services.update', {
          id: services[0]?.id ?? '',
          draft: { ...draft, separator: ':' },
          unfinished: 'ask',
        });
        await coffer('coffer put a.txt --as "team:../../escaped.txt" --quiet > /dev/null; mkdir -p safe/in');
        await coffer('coffer get "team:../../escaped.txt" -o safe/in/; find safe . -name "*escaped*"');
        await coffer('coffer put a.txt --as "p:" --quiet > /dev/null; coffer get p: -o dl/');
        await coffer('coffer put b.txt --as "p:\\..\\w" --quiet > /dev/null; coffer get "p:\\..\\w" -o dl/');
        await coffer('coffer put b.txt --as "p:.." --quiet > /dev/null; coffer get "p:.." -o dl/');
      }),
    ).resolves.toMatchFileSnapshot('existing-files.txt'));
});
