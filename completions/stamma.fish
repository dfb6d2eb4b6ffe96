# Fish completion for stamma. Commands and options come from the program's own --help, so they are never out of date.

function __stamma_commands
    stamma --help 2>/dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'
end

function __stamma_options
    set -l words (commandline -opc)
    test (count $words) -ge 2; or return
    set -l help (stamma $words[2] --help 2>/dev/null)
    string match -q '*CONDITIONS*' -- $help[1]; and set -a help (stamma help conditions 2>/dev/null)
    printf '%s\n' $help |
        sed -n '/^\(options\|conditions\):/,/^$/s/^  .\{3\} \(--[a-z0-9-]*\)[ A-Z]*  *\(.*\)/\1\t\2/p'
end

function __stamma_encodings
    stamma encode --list 2>/dev/null | string replace -r ' .*' ''
end

complete -c stamma -n __fish_use_subcommand -f -a '(__stamma_commands)'
complete -c stamma -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__stamma_options)'
complete -c stamma -n '__fish_seen_subcommand_from cat' -l format -x -a 'pgn uci json fen epd plies tsv csv'
complete -c stamma -n '__fish_seen_subcommand_from ls tree stats merge-stats' -l format -x -a 'table json csv tsv'
complete -c stamma -n '__fish_seen_subcommand_from find' -l format -x -a 'table json csv tsv pgn'
complete -c stamma -n '__fish_seen_subcommand_from sql' -l format -x -a 'table csv tsv json'
complete -c stamma -n '__fish_seen_subcommand_from export' -l format -x -a 'parquet arrow csv clean-pgn'
complete -c stamma -n '__fish_seen_subcommand_from export' -l table -x -a 'games plies positions'
complete -c stamma -n '__fish_seen_subcommand_from import' -l from -x -a 'lichess lichess-parquet chess.com twic'
complete -c stamma -n '__fish_seen_subcommand_from export' -l schema -x -a 'lichess'
complete -c stamma -n '__fish_seen_subcommand_from classify' -l tags -x -a 'ECO Opening Variation PlyCount Result'
complete -c stamma -n '__fish_seen_subcommand_from edit export' -l strip -x -a 'comments variations clocks evaluations nags'
complete -c stamma -n '__fish_seen_subcommand_from dedupe' -l keep -x -a 'longest result annotated tags latest first last'
complete -c stamma -n '__fish_seen_subcommand_from dedupe' -l merge -x -a 'tags comments variations'
complete -c stamma -n '__fish_seen_subcommand_from names' -l kinds -x -a 'player event site round date'
complete -c stamma -n '__fish_seen_subcommand_from dedupe' -l kinds -x -a 'exact spelling included transposed similar probable'
complete -c stamma -n '__fish_seen_subcommand_from pack append import merge recompress find dedupe edit classify' -l level -x -a '1 2 3'
complete -c stamma -n '__fish_seen_subcommand_from cat' -l en-passant -x -a 'always legal'
complete -c stamma -n '__fish_seen_subcommand_from cat' -l games -r
complete -c stamma -n '__fish_seen_subcommand_from encode' -l decode -x -a '(__stamma_encodings)'
complete -c stamma -n '__fish_seen_subcommand_from encode' -l codec -x -a '(__fish_append , (__stamma_encodings))'
complete -c stamma -n '__fish_seen_subcommand_from survey' -l codec -x -a '(__fish_append , (__stamma_encodings) moves positions all)'
complete -c stamma -n '__fish_seen_subcommand_from find tree stats report event' -l side-to-move -x -a 'white black'
complete -c stamma -n '__fish_seen_subcommand_from report' -l color -x -a 'white black'
complete -c stamma -n '__fish_seen_subcommand_from find tree stats report event' -l by -x -a 'white black'
complete -c stamma -n '__fish_seen_subcommand_from stats' -l by -x -a 'pawns material year opponent opening event site country title federation'
complete -c stamma -n '__fish_seen_subcommand_from find tree stats report event' -l castling -x -a 'short long any'
complete -c stamma -n '__fish_seen_subcommand_from find tree stats report event' -l result -x -a '1-0 0-1 1/2-1/2'
complete -c stamma -n '__fish_seen_subcommand_from find tree stats report event' -l result-type -x -a 'mate stalemate'
complete -c stamma -n '__fish_seen_subcommand_from find tree stats report event' -l nag -x -a '! ? !! ?? !? ?!'
complete -c stamma -n '__fish_seen_subcommand_from find tree stats report event' -l has -x -a 'clocks evaluations comments variations nags setup text'
complete -c stamma -n '__fish_seen_subcommand_from find edit' -l sort -x -a 'date rating Date -Date WhiteElo -WhiteElo BlackElo -BlackElo White Black Event ECO number plies -plies'
complete -c stamma -n '__fish_seen_subcommand_from find tree stats report edit export' -l flag -x -a 'deleted favourite'
complete -c stamma -n '__fish_seen_subcommand_from find tree stats report edit export' -l not-flag -x -a 'deleted favourite'
complete -c stamma -n '__fish_seen_subcommand_from edit' -l add-flag -x -a 'deleted favourite'
complete -c stamma -n '__fish_seen_subcommand_from edit' -l remove-flag -x -a 'deleted favourite'
complete -c stamma -n '__fish_seen_subcommand_from edit' -l replace -x -a 'tags moves annotation'
