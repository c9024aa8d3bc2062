# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for bash: source it, or install it as bash-completion/completions/submix.

_submix() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= i
  local commands="apply validate status watch bottleneck assign set bypass links policy pause resume step snapshot plugins key nats demo"
  local shared="--nats --key --json --help --version"
  case $previous in
    --key|-o|--output|--folder|--clip|--show|--out) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --nats|--listen|--port|--node|--revision|--seconds|--timeout|--width|--pause-budget) return ;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ " $commands " == *" ${COMP_WORDS[i]} "* ]] && { command=${COMP_WORDS[i]}; break; }
  done
  case $command in
    "") COMPREPLY=($(compgen -W "$commands $shared" -- "$word")) ;;
    apply) COMPREPLY=($(compgen -W "--revision --force --no-wait --timeout $shared" -- "$word")
                      $(compgen -f -X '!*.toml' -- "$word") $(compgen -d -- "$word")) ;;
    validate) COMPREPLY=($(compgen -W "$shared" -- "$word")
                         $(compgen -f -X '!*.toml' -- "$word") $(compgen -d -- "$word")) ;;
    watch) COMPREPLY=($(compgen -W "--seconds $shared" -- "$word")) ;;
    bypass) COMPREPLY=($(compgen -W "on off $shared" -- "$word")) ;;
    policy) COMPREPLY=($(compgen -W "wait hold black latest --pause-budget $shared" -- "$word")) ;;
    snapshot) COMPREPLY=($(compgen -W "--output --width $shared" -- "$word")) ;;
    plugins) COMPREPLY=($(compgen -W "--node $shared" -- "$word")) ;;
    key) COMPREPLY=($(compgen -W "new show $shared" -- "$word") $(compgen -f -- "$word")) ;;
    nats) COMPREPLY=($(compgen -W "--listen --port --folder $shared" -- "$word")) ;;
    demo) COMPREPLY=($(compgen -W "--clip --show --seconds --out --headless $shared" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$shared" -- "$word")) ;;
  esac
}
complete -o filenames -F _submix submix
