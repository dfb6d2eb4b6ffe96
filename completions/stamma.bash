# SPDX-License-Identifier: MIT
# Bash completion for stamma. Commands and options come from the program's own --help, so they are never out of date.

_stamma_commands() {
    "$1" --help 2>/dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'
}

_stamma_options() {
    local help
    help=$("$1" "$2" --help 2>/dev/null)
    [[ ${help%%$'\n'*} != *CONDITIONS* ]] || help+=$'\n'$("$1" help conditions 2>/dev/null)
    printf '%s\n' "$help" | awk '/^options:/ { on = 1 } on && match($0, /^  (-.,|   ) --[a-z0-9-]+/) {
        print substr($0, 7, RLENGTH - 6) }'
}

# Succeeds if operand number $3 of command $2 is an archive. According to its usage line, either all operands are
# archives, or only the first one, followed by files.
_stamma_takes_archives() {
    local usage
    usage=$("$1" "$2" --help 2>/dev/null | sed -n 1p)
    (($3 > 1)) || usage=${usage% FILE...}
    [[ $usage != *PLAYER* ]] || (($3 > 1)) || return
    [[ $usage == *ARCHIVE* && $usage != *FILE* || $usage == *"FIRST SECOND" ]]
}

# Prints the names of all encodings. In a list with commas, the last name is completed.
_stamma_encodings() {
    "$1" encode --list 2>/dev/null | cut -d' ' -f1
}

# Prints the possible values of a search option, if they are a few words.
_stamma_condition_words() {
    case $1 in
        --side-to-move | --by) echo white black ;;
        --castling) echo short long any ;;
        --result) echo 1-0 0-1 1/2-1/2 ;;
        --result-type) echo mate stalemate ;;
        --flag | --not-flag | --add-flag | --remove-flag) echo deleted favourite {a..z} ;;
        --nag) echo '! ? !! ?? !? ?!' ;;
        --has) echo clocks evaluations comments variations nags setup text ;;
        --sort) echo date rating Date -Date WhiteElo -WhiteElo BlackElo -BlackElo White Black Event ECO number plies -plies ;;
    esac
}

_stamma() {
    local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD - 1]} words=
    compopt -o default 2>/dev/null
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words="$(_stamma_commands "$program") --help --version"
    elif [[ $before == --format ]]; then
        words="pgn uci json fen epd plies tsv csv"
        [[ $command != @(ls|find|tree|stats|sql|merge-stats) ]] || words="table json csv tsv"
        [[ $command != find ]] || words+=" pgn"
        [[ $command != export ]] || words="parquet arrow csv clean-pgn"
    elif [[ $command == classify && $before == --tags ]]; then
        words="ECO Opening Variation PlyCount Result"
    elif [[ $command == @(edit|export) && $before == --strip ]]; then
        words="comments variations clocks evaluations nags"
    elif [[ $command == export && $before == --table ]]; then
        words="games plies positions"
    elif [[ $command == export && $before == --schema ]]; then
        words="lichess"
    elif [[ $command == import && $before == --from ]]; then
        words="lichess lichess-parquet chess.com twic"
    elif [[ $before == --level ]]; then
        words="1 2 3"
    elif [[ $before == --en-passant ]]; then
        words="always legal"
    elif [[ $command == stats && $before == --by ]]; then
        words='white black pawns material year opponent opening event site country title federation'
    elif [[ $command == report && $before == --color ]]; then
        words='white black'
    elif [[ $command == @(find|tree|stats|report|event|edit|export) ]] && words=$(_stamma_condition_words "$before") && [[ -n $words ]]; then
        :
    elif [[ $before == --codec || ($command == encode && $before == --decode) ]]; then
        words=$(_stamma_encodings "$program")
        [[ $command != survey ]] || words+=" moves positions all"
        [[ $word != *,* ]] || words=$(printf '%s\n' $words | sed "s/^/${word%,*},/")
    elif [[ $word == -* ]]; then
        words=$(_stamma_options "$program" "$command")
    elif [[ $before != -o && $before != --output && $before != --games ]] && _stamma_takes_archives "$program" "$command" $((COMP_CWORD - 1)); then
        mapfile -t COMPREPLY < <(compgen -f -X '!*.stamma' -- "$word")
        return
    fi
    [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _stamma stamma
