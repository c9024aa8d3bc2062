# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for bash: source it, or install it as bash-completion/completions/submix.

_submix() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= i
  local commands="apply validate status watch bottleneck alerts ledger assign set tempo speed sync knob preset cue clip bypass helpers links policy without with layer slot submix stream node show undo redo pause resume step identify snapshot pipe trace plugins shaders doctor outputs sound control simulate key nats desk peers invite join leave metrics plan render demo"
  local shared="--nats --key --json --help --version"
  case $previous in
    --key|--csv|-o|--output|--folder|--recordings|--clip|--show|--out|--media) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --nats|--listen|--port|--pairing-port|--node|--mix|--level|--name|--rename|--plugin|--description|--input|--revision|--seconds|--timeout|--width|--pause-budget|--frequency|--beats|--from|--to|--phase|--osc|--osc-bind|--osc-to|--nodes|--streams|--rate|--seed|--assign|--size|--frames) return ;;
    --codec) COMPREPLY=($(compgen -W "h264 mjpeg huffyuv ffv1" -- "$word")); return ;;
    --oscillate) COMPREPLY=($(compgen -W "triangle sine ramp-up ramp-down square pulse random random-ramp one-shot sound-level sound-bass sound-mids sound-highs sound-onset on off none" -- "$word")); return ;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ " $commands " == *" ${COMP_WORDS[i]} "* ]] && { command=${COMP_WORDS[i]}; break; }
  done
  case $command in
    "") COMPREPLY=($(compgen -W "$commands $shared" -- "$word")) ;;
    apply) COMPREPLY=($(compgen -W "--revision --force --relink --no-wait --timeout $shared" -- "$word")
                      $(compgen -f -X '!*.toml' -- "$word") $(compgen -d -- "$word")) ;;
    validate) COMPREPLY=($(compgen -W "$shared" -- "$word")
                         $(compgen -f -X '!*.toml' -- "$word") $(compgen -d -- "$word")) ;;
    status) COMPREPLY=($(compgen -W "--detail $shared" -- "$word")) ;;
    watch) COMPREPLY=($(compgen -W "--seconds $shared" -- "$word")) ;;
    shaders) COMPREPLY=($(compgen -W "$shared" -- "$word") $(compgen -d -- "$word")) ;;
    doctor) COMPREPLY=($(compgen -W "--fix --recordings $shared" -- "$word")) ;;
    alerts) COMPREPLY=($(compgen -W "--seen all $shared" -- "$word")) ;;
    ledger) COMPREPLY=($(compgen -W "--csv $shared" -- "$word")) ;;
    set) COMPREPLY=($(compgen -W "--oscillate --frequency --beats --from --to --phase --width $shared" -- "$word")) ;;
    knob) COMPREPLY=($(compgen -W "--target --rename --delete $shared" -- "$word")) ;;
    preset) COMPREPLY=($(compgen -W "save apply delete list $shared" -- "$word")) ;;
    cue) COMPREPLY=($(compgen -W "go next stop list save delete --set --knob --preset --bypass --assign --fade --follow --follow-beats --text --pause --resume --after $shared" -- "$word")) ;;
    clip) COMPREPLY=($(compgen -W "loop sync off $shared" -- "$word")) ;;
    assign|helpers|links) COMPREPLY=($(compgen -W "--force $shared" -- "$word")) ;;
    undo|redo) COMPREPLY=($(compgen -W "--list $shared" -- "$word")) ;;
    bypass) COMPREPLY=($(compgen -W "on off --force $shared" -- "$word")) ;;
    policy) COMPREPLY=($(compgen -W "wait hold black standby latest --pause-budget $shared" -- "$word")) ;;
    slot) COMPREPLY=($(compgen -W "insert duplicate delete move connect disconnect rename replace solo --name --input --force $shared" -- "$word")) ;;
    layer) COMPREPLY=($(compgen -W "add duplicate move delete --clip --plugin --node --mix --level --force $shared" -- "$word")) ;;
    submix) COMPREPLY=($(compgen -W "add delete rename frames --node --plugin --force $shared" -- "$word")) ;;
    stream) COMPREPLY=($(compgen -W "add delete rename pixels checksum encrypt local --name --replace --force $shared" -- "$word")) ;;
    node) COMPREPLY=($(compgen -W "add rename delete forget --description --force $shared" -- "$word")) ;;
    show) COMPREPLY=($(compgen -W "new save keep copies name size rate chain --node --size --rate --no-window --no-wait --force $shared" -- "$word")) ;;
    plan) COMPREPLY=($(compgen -W "--assign --size --rate $shared" -- "$word")
                     $(compgen -f -X '!*.toml' -- "$word") $(compgen -d -- "$word")) ;;
    snapshot) COMPREPLY=($(compgen -W "--output --width $shared" -- "$word")) ;;
    pipe) COMPREPLY=($(compgen -W "out in remove --format --lossless --size --rate --mix --level --force $shared" -- "$word")) ;;
    trace) COMPREPLY=($(compgen -W "--output --seconds $shared" -- "$word")) ;;
    sound) COMPREPLY=($(compgen -W "list from off --force $shared" -- "$word")) ;;
    plugins) COMPREPLY=($(compgen -W "--node $shared" -- "$word")) ;;
    control) COMPREPLY=($(compgen -W "--osc --osc-bind --osc-to --midi --no-midi --link --no-link --follow-music --no-follow-music $shared" -- "$word")) ;;
    simulate) COMPREPLY=($(compgen -W "--nodes --streams --rate --seconds --seed --replace --calm $shared" -- "$word")) ;;
    key) COMPREPLY=($(compgen -W "new show $shared" -- "$word") $(compgen -f -- "$word")) ;;
    nats) COMPREPLY=($(compgen -W "--listen --port --folder $shared" -- "$word")) ;;
    desk) COMPREPLY=($(compgen -W "--listen --port --folder --pairing-port --hide-show $shared" -- "$word")) ;;
    peers) COMPREPLY=($(compgen -W "remove --yes $shared" -- "$word")) ;;
    join) COMPREPLY=($(compgen -W "--system --wait $shared" -- "$word")) ;;
    leave) COMPREPLY=($(compgen -W "--system $shared" -- "$word")) ;;
    metrics) COMPREPLY=($(compgen -W "--listen $shared" -- "$word")) ;;
    render) COMPREPLY=($(compgen -W "--output --seconds --frames --mix --media --codec --force $shared" -- "$word")
                       $(compgen -f -X '!*.toml' -- "$word") $(compgen -d -- "$word")) ;;
    demo) COMPREPLY=($(compgen -W "--clip --show --seconds --out --headless $shared" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$shared" -- "$word")) ;;
  esac
}
complete -o filenames -F _submix submix
