#include "app/cli/manual/manual.h"
#include "core/analysis/columns/columns.h"
#include "core/analysis/difference/difference_query.h"
#include "core/analysis/table/standard_presets.h"
#include "core/export/table_format.h"
#include "core/export/table_look.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

namespace highwater::cli {
namespace {

using analysis::Aggregation, analysis::Table;

/// The part that does not depend on the options. Lists have one item per line because names contain spaces.
constexpr auto kFunctions = R"bash(
# Completes the last of COL,COL,... with the lines of $1, in any case. Inside of quotes as it is, else with \ before blanks.
_highwater_cli_list() {
    local typed=$cur quote= line before= last
    case $typed in
    [\"\']*) quote=${typed:0:1} typed=${typed:1} ;;
    esac
    typed=${typed//\\/}
    last=${typed##*,}
    before=${typed%"$last"}
    [ -n "$2" ] || { last=$typed before=; }
    while IFS= read -r line; do
        [[ -n $line && ${line,,} == "${last,,}"* ]] || continue
        line=$before$line
        if [ -z "$quote" ]; then printf -v line '%q' "$line"; line=${line//\\,/,}; fi
        COMPREPLY+=("$line")
    done <<<"$1"
    [ -z "$2" ] || compopt -o nospace 2>/dev/null
}

_highwater_cli_files() {
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen "$@" -- "$cur"))
}

_highwater_cli() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} table= i
    COMPREPLY=()
    if [ "$COMP_CWORD" -le 1 ]; then
        COMPREPLY=($(compgen -W "$(_highwater_cli_options '')" -- "$cur"))
        return
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        [ "${COMP_WORDS[i]}" != --table ] || table=${COMP_WORDS[i + 1]}
        [ "${COMP_WORDS[i]}" != -- ] || { _highwater_cli_files -A command -A file; return; }
    done
    case $prev in
    --table)
        if [ "$command" = leaks ] || [ "$command" = generations ] || [ "$command" = explain ] || [ "$command" = diff ] || [ "$command" = check ]; then _highwater_cli_list $'virtualalloc\nheap'
        elif [ "$command" = timeline ]; then _highwater_cli_list "$_highwater_cli_tables"$'\nresident'
        else _highwater_cli_list "$_highwater_cli_tables"; fi ;;
    --by)
        if [ "$command" = table ] || [ "$command" = flames ]; then _highwater_cli_list "$(_highwater_cli_keys "$table")" many
        elif [ "$command" = diff ]; then _highwater_cli_list "$_highwater_cli_compared" many
        elif [ "$command" = balance ]; then _highwater_cli_list $'layer\nmapping\nowner'
        elif [ "$table" = resident ]; then _highwater_cli_list $'Layer\nProcess'
        else _highwater_cli_list "$(_highwater_cli_keys "$table")"; fi ;;
    --sort)
        if [ "$command" = diff ]; then _highwater_cli_list "$_highwater_cli_measures"
        else _highwater_cli_list "$(_highwater_cli_values "$table")" many; fi ;;
    --columns) _highwater_cli_list "$(_highwater_cli_values "$table")" many ;;
    --preset) _highwater_cli_list "$(_highwater_cli_presets "$table")" ;;
    --measure)
        if [ "$command" = fleet ]; then _highwater_cli_list $'inuse_space\ninuse_objects\nalloc_space\nalloc_objects\nfreed\npeak\nimpacting\nslope\nrss_peak\nheld'
        elif [ "$command" = flames ]; then _highwater_cli_list $'Impacting Size\nSize\nCount\nPeak Size\nAllocated\nFreed'
        else _highwater_cli_list $'bytes\nrows\nnew'; fi ;;
    --of) _highwater_cli_list $'size\nlifetime' ;;
    --format) _highwater_cli_list "$(_highwater_cli_formats "$command")" ;;
    --units) _highwater_cli_list "$_highwater_cli_units" ;;
    --log-level) _highwater_cli_list $'debug\ninfo\nwarning\nerror\noff' ;;
    --output | -o | --allocator-frames | --stack-tags | --suppressions | --renames | --with | --budget | --junit | --sarif | --html | --core) _highwater_cli_files -f ;;
    --symbols) _highwater_cli_files -d ;;
    --range | --at | --process | --try-trim | --with-range | --before | --smallest | --unreachable | --fail-above | --filter | --annotate | --lifetime | --mark | --size | --depth | --top | --points | --exact | --function | --duration | --stop-above | --stop-growth | \
        --keep-last | --snapshot-every | --snapshot-on-growth | --picture-every | --picture-on-growth | --on-growth | --picture | --pid | picture | --label | --windows | --jobs | --cluster | --from | --to | --build | --scenario | --machine | --window | --stack | --least) ;;
    fleet) COMPREPLY=($(compgen -W "init add remove name runs grew new gone first-bad worst slope health" -- "$cur")) ;;
    *)
        case $cur in
        -*) COMPREPLY=($(compgen -W "$(_highwater_cli_options "$command")" -- "$cur")) ;;
        *) _highwater_cli_files -f ;;
        esac ;;
    esac
}

complete -F _highwater_cli highwater-cli
)bash";

std::string linesOf(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, "\n")); }

/// A shell function that prints lines depending on its first argument; takes pairs of patterns and lines.
std::string chooser(std::string_view name, const std::vector<std::pair<std::string, std::string>>& cases) {
    auto text = fmt::format("{}() {{\n    case $1 in\n", name);
    for (const auto& [pattern, lines] : cases)
        text += fmt::format("    {}) cat <<'EOF'\n{}\nEOF\n    ;;\n", pattern, lines);
    return text + "    esac\n}\n";
}

std::string optionsOf(const CLI::App& command) {
    std::vector<std::string> names;
    for (const auto* option : command.get_options()) {
        if (option->get_group().empty()) continue;
        for (const auto& name : option->get_lnames())
            names.push_back("--" + name);
        for (const auto& name : option->get_snames())
            names.push_back("-" + name);
    }
    return linesOf(names);
}

/// Constant lines.
std::string variable(std::string_view name, const std::vector<std::string_view>& words) {
    return fmt::format("{}=$'{}'\n", name, fmt::join(words, "\\n"));
}

std::vector<std::string_view> tablesOffered() {
    std::vector<std::string_view> words;
    for (const auto table : analysis::kTables)
        words.push_back(analysis::tableWord(table));
    return words;
}

enum class Offered { Keys, Values };

std::string columnsOffered(Table table, Offered offered) {
    std::vector<std::string> names;
    for (const auto column : analysis::columnsOf(table)) {
        if (offered == Offered::Values || !analysis::isAggregate(column))
            names.emplace_back(analysis::columnName(table, column));
    }
    if (offered == Offered::Keys) return linesOf(names);
    for (const auto column : analysis::columnsOf(table)) {
        for (const auto aggregation : analysis::aggregationsOf(table, column)) {
            if (aggregation != Aggregation::Own)
                names.push_back(analysis::valueColumnName(table, {column, aggregation}));
        }
    }
    return linesOf(names);
}

std::string presetsOffered(Table table) {
    std::vector<std::string> names;
    for (const auto& preset : analysis::standardPresetsOf(table))
        names.emplace_back(preset.name);
    return linesOf(names);
}

/// Lines per table, or of all tables if none is given yet.
template <typename Lines>
std::string chooserOfTables(std::string_view name, const Lines& linesOfTable) {
    std::vector<std::pair<std::string, std::string>> cases;
    std::string all;
    for (const auto table : analysis::kTables) {
        cases.emplace_back(analysis::tableWord(table), linesOfTable(table));
        all += fmt::format("{}{} {}", all.empty() ? "" : "; ", name, analysis::tableWord(table));
    }
    auto text = chooser(name, cases);
    const auto end = text.rfind("    esac");
    return text.insert(end, fmt::format("    *) {{ {}; }} | sort -u ;;\n", all));
}

std::string formatsOffered() {
    std::vector<std::string> words;
    for (const auto& format : exports::tableFormats())
        words.emplace_back(format.word);
    return linesOf(words);
}

/// Columns that diff can group by.
std::vector<std::string_view> comparedOffered() {
    std::vector<std::string_view> names;
    for (const auto column : analysis::columnsOf(Table::Heap))
        if (analysis::isComparable(column)) names.push_back(analysis::columnName(Table::Heap, column));
    return names;
}

std::vector<std::string_view> measuresOffered() {
    std::vector<std::string_view> names;
    for (const auto measure : analysis::kMeasures)
        names.push_back(analysis::measureName(measure));
    return names;
}

} // namespace

std::string bashCompletion(const CLI::App& app) {
    std::vector<std::pair<std::string, std::string>> commands;
    std::vector<std::string> first;
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_group().empty()) continue;
        first.push_back(command->get_name());
        commands.emplace_back(command->get_name(), optionsOf(*command));
    }
    commands.emplace_back("''", linesOf(first) + '\n' + optionsOf(app));
    return "# Bash completion for highwater-cli.\n\n" + chooser("_highwater_cli_options", commands) +
           chooserOfTables("_highwater_cli_keys", [](Table table) { return columnsOffered(table, Offered::Keys); }) +
           chooserOfTables("_highwater_cli_values",
                           [](Table table) { return columnsOffered(table, Offered::Values); }) +
           chooserOfTables("_highwater_cli_presets", presetsOffered) +
           chooser("_highwater_cli_formats", {{"table", formatsOffered()},
                                              {"timeline", "csv\njson"},
                                              {"leaks", "text\ncsv\njson"},
                                              {"generations", "text\ncsv\njson"},
                                              {"explain", "text\njson"},
                                              {"diff", formatsOffered()},
                                              {"flames", "folded\nsvg\nspeedscope"},
                                              {"histogram", "text\ncsv\njson"},
                                              {"callers", "text\njson"},
                                              {"heaps", "text\ncsv\njson"},
                                              {"balance", "text\ncsv\njson"},
                                              {"address", "text\njson"},
                                              {"fleet", "text\ncsv\njson"},
                                              {"check", "text\njson"}}) +
           variable("_highwater_cli_compared", comparedOffered()) +
           variable("_highwater_cli_measures", measuresOffered()) + variable("_highwater_cli_tables", tablesOffered()) +
           variable("_highwater_cli_units", {exports::kUnitWords.begin(), exports::kUnitWords.end()}) + kFunctions;
}

} // namespace highwater::cli
