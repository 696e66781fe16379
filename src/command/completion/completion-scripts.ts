export const shells = ['bash', 'zsh', 'fish', 'pwsh'] as const;
export type Shell = (typeof shells)[number];

/*
 * Each script passes the words up to the cursor to `coffer _complete` and shows its output. bash breaks words at `:` and `=`, which
 * identifiers may contain: the script splits the line at unescaped spaces instead, and strips everything up to the last `:` or `=`
 * from the completions. fish and PowerShell give the word at the cursor as typed; not every PowerShell passes an empty argument, so
 * `--next` stands for it.
 */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `_coffer() {
  local line=\${COMP_LINE:0:COMP_POINT} words word current
  read -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=\${words[\${#words[@]} - 1]}
  COMPREPLY=()
  while IFS= read -r word; do
    if [[ $word == :files ]]; then
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
      compopt -o filenames 2>/dev/null
      continue
    fi
    if [[ $word == :programs ]]; then
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$current" | sort -u)
      continue
    fi
    [[ $word == */ ]] && compopt -o nospace 2>/dev/null
    word=\${word#"\${current%"\${current##*[:=]}"}"}
    COMPREPLY+=("$(printf %q "$word")")
  done < <(coffer _complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _coffer coffer`,
  zsh: `#compdef coffer
_coffer() {
  local -a found
  local word
  for word in "\${(@f)$(coffer _complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $word == :files ]]; then
      _files
    elif [[ $word == :programs ]]; then
      _command_names -e
    elif [[ $word == */ ]]; then
      compadd -S '' -- "$word"
    elif [[ -n $word ]]; then
      found+=("$word")
    fi
  done
  compadd -- "\${found[@]}"
}
if [[ \${funcstack[1]} == _coffer ]]; then
  _coffer "$@"
else
  compdef _coffer coffer
fi`,
  fish: `function __coffer_complete
  set -l typed (commandline -ct)
  set -l current (string unescape -- "$typed"; or string trim -l -c \\"\\' -- "$typed")
  set -l words (commandline -opc)[2..] "$current"
  for word in (coffer _complete -- $words 2>/dev/null)
    if test "$word" = :files
      __fish_complete_path (commandline -ct)
    else if test "$word" = :programs
      complete -C "$current"
    else
      echo $word
    end
  end
end
complete -c coffer -f -a '(__coffer_complete)'`,
  pwsh: `Register-ArgumentCompleter -Native -CommandName coffer -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { if ($null -ne $_.Value) { $_.Value } else { "$_" } })
  $typed = $word.Trim("'", '"')
  if ($typed -eq '') { $last = @(); $next = @('--next') } else { $last = @($typed); $next = @() }
  foreach ($found in (coffer _complete @next -- @words @last 2>$null)) {
    if ($found -eq ':files') { $found = Get-ChildItem -Name "$typed*" }
    if ($found -eq ':programs') { $found = (Get-Command -Name "$typed*" -CommandType Application).Name }
    foreach ($each in $found) {
      if ($each -match '\\s') { $each = "'" + $each.Replace("'", "''") + "'" }
      [System.Management.Automation.CompletionResult]::new($each)
    }
  }
}`,
};

export function scriptFor(shell: Shell): string {
  return scripts[shell];
}
