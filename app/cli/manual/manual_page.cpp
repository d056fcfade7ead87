#include "app/cli/manual/manual.h"
#include "core/analysis/columns/column_specs.h"
#include "core/analysis/columns/columns.h"
#include "core/export/man_page.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace highwater::cli {
namespace {

using exports::ManEntry, exports::ManExample, exports::ManSection;

/// "-o, --output FILE"
std::string termOf(const CLI::Option& option) {
    auto term = option.get_name(false, true);
    for (auto comma = term.find(','); comma != std::string::npos; comma = term.find(',', comma + 2))
        term.insert(comma + 1, " ");
    // CLI11 appends the allowed values to the value name.
    const auto type = option.get_type_name();
    const auto value = type.substr(0, std::min(type.find(":{"), type.find(":UINT")));
    const bool hasValue = option.get_items_expected_max() > 0 && !option.get_positional();
    return hasValue ? fmt::format("{} {}", term, value) : term;
}

ManSection sectionOf(const CLI::App& command) {
    ManSection section{command.get_name(), command.get_description() + '.', {}, {}, true};
    for (const auto* option : command.get_options()) {
        if (!option->get_group().empty()) section.entries.push_back({termOf(*option), option->get_description()});
    }
    return section;
}

/// Questions of new users. A test runs all of these commands.
std::vector<ManExample> examples() {
    return {
        {"What does a trace contain, and is it complete?", "highwater-cli info app.etl"},
        {"Which process holds the most memory, and what was its peak?",
         "highwater-cli table app.etl --table heap --by Process --columns \"Count,Size,Peak Size\" --units auto"},
        {"What are the main problems, on one page for a report?", "highwater-cli explain app.etl"},
        {"Is there a leak, and which code causes it?", "highwater-cli leaks app.etl --top 3"},
        {"Which memory allocated between second 12 and 22 is never freed, and which code allocated it?",
         "highwater-cli generations app.etl --mark 12=warm --mark 22=full --top 3"},
        {"What did the second half keep that the first did not, by allocating function?",
         "highwater-cli diff app.etl --range 0:17 --with-range 17:34 --bottom-up --top 3 --depth 3"},
        {"What made memory grow, as a picture for a browser?",
         "highwater-cli flames app.etl --measure \"Impacting Size\" --format svg > app.svg"},
        {"Which allocations lived for 10 seconds or longer, by allocating function?",
         "highwater-cli table app.etl --table heap --by \"Process,Stack (bottom-up)\" --lifetime 10s: --top 5 --depth "
         "3"},
        {"Which handles and threads hold heap memory at the end, and how much?",
         "highwater-cli table app.etl --table heap --by \"Process,Handle,Thread\" --filter \"[FreeTime]:=[]\""},
        {"What made memory grow between second 16 and 18? Query both tables, because heap growth can be small where "
         "VirtualAlloc growth is large.",
         "highwater-cli table app.etl --table virtualalloc --preset \"Impacting by Process\" --range 16:18 --top 3; "
         "highwater-cli table app.etl --table heap --by \"Process,Impacting Type,Stack (bottom-up)\" --range 16:18 "
         "--top 3 --depth 5"},
        {"Which allocation sizes occur, and which of them are kept?",
         "highwater-cli histogram app.etl --table heap --exact 10"},
        {"Which heap grows, and which code created it?", "highwater-cli heaps app.etl --range 16:18"},
        {"Which code released memory?",
         "highwater-cli table app.etl --table frees --by \"Process,Memory,FreeType,Stack\" --top 4"},
        {"The ten stacks with the most memory that was never freed, as lines of bytes and path",
         "highwater-cli table app.etl --table heap --by Stack --filter \"[FreeTime]:=[]\" --format ndjson | "
         "jq -r 'select(.leaf) | [.values.Size, (.path | join(\";\"))] | @tsv' | sort -rn | head"},
        {"Which processes allocated large blocks, and when?",
         "highwater-cli table app.etl --table virtualalloc --by \"Process,Commit Time\" --size 1MB: --wall-clock"},
        {"How did memory change over time, as numbers for a chart?",
         "highwater-cli timeline app.etl --table virtualalloc --by Process --points 100 > app.csv"},
        {"Which columns and presets are available?",
         "highwater-cli table --list-columns --table heap; highwater-cli table --list-presets"},
    };
}

/// The part of the --filter language that most queries need.
ManSection queries() {
    return {
        "queries",
        "A --filter query consists of conditions, each with a column, an operator and a value, such as Size:>20MB or "
        "[Process]:~=\"app\". Write column names with spaces in brackets and text with spaces in quotes. Combine "
        "conditions with AND, OR, NOT and parentheses. Queries are not case-sensitive. A stack matches if one of its "
        "frames does. Plain text without an operator is searched in every text column.",
        {{":=  :<>", "is, is not; [] means empty: [FreeTime]:=[] matches rows that were never freed"},
         {":~=  :~!", "contains, does not contain"},
         {":~<  :~>", "starts with, ends with"},
         {":~  :*", "matches a pattern with * and ?, matches a regular expression; both match the whole text"},
         {":<  :<=  :>  :>=", "less, at most, greater, at least; sizes as 20MB or bytes, times as 4.5ms or seconds"}}};
}

ManSection formats() {
    return {"formats",
            "In csv, json and ndjson, sizes are in bytes and times in seconds, regardless of --units.",
            {{"text", "An indented tree with titles and a total, for human readers; its format may change."},
             {"csv", "A header line, then one line per row: a field for each column of --by, then the values, then "
                     "Level. Rows with Level 1 add up to the total. The frames of a stack are one field, joined by ;"},
             {"json", "One object. In each row, \"rows\" contains the rows below it; \"health\" describes data missing "
                      "from the trace."},
             {"ndjson", "One object per line. The first describes the query, the last contains health, and each line "
                        "between is a row: {\"path\":[\"app "
                        "(42)\",\"main\"],\"column\":\"Stack\",\"level\":2,\"leaf\":true,\"values\":{\"Size\":4096}}. "
                        "If a stack ends at a function that calls others in other stacks, its row is not a leaf; with "
                        "a column after the stack, --by \"Stack,Thread\", all values are in leaves."}}};
}

ManSection columnSection(analysis::Table table) {
    ManSection section{std::string(analysis::tableWord(table)), {}, {}, {}, true};
    for (const auto column : analysis::columnsOf(table))
        section.entries.push_back(
            {std::string(analysis::columnName(table, column)), analysis::columnDefinition(table, column)});
    return section;
}

std::vector<ManEntry> values() {
    std::vector<ManEntry> entries;
    std::set<std::string> known;
    for (const auto table : analysis::kTables) {
        for (const auto column : analysis::columnsOf(table)) {
            const auto words = analysis::specOf(column).words;
            const std::string name(analysis::columnName(table, column));
            if (words.empty() || !known.insert(name).second) continue;
            std::string text;
            for (const auto& word : words) {
                const std::string_view meaning = word.definition;
                text += meaning.empty() ? fmt::format("{}. ", word.text) : fmt::format("{}: {} ", word.text, meaning);
            }
            text.pop_back();
            entries.push_back({name, text});
        }
    }
    return entries;
}

std::vector<ManEntry> exitCodes() {
    return {{"0", "Success, including when nothing matches."},
            {"1", "Incorrect usage: an unknown option, column, table or query; or a function (callers) or an address "
                  "(address) that the analyzed data does not contain."},
            {"2", "The input cannot be read, a fleet does not have the requested data, the output cannot be written, "
                  "the recording cannot start, or its file is not complete."},
            {"3", "Success, but the totals are bounds because data is missing from the trace; only with --strict, "
                  "which every command that reads a trace supports. Frees of blocks that are older than the trace do "
                  "not make a total wrong."},
            {"4", "Success, but memory grew by more than --fail-above of diff allows, fleet with --fail found a stack, "
                  "or check found growth, a broken budget or unreachable memory."}};
}

std::vector<ManEntry> variables() {
    return {
        {"_NT_SYMBOL_PATH", "Symbol path to use when --symbols is not given."},
        {"_NT_SYMCACHE_PATH",
         "The folder for resolved names and downloads; by default highwater/symbols in $XDG_CACHE_HOME or ~/.cache."},
        {"HIGHWATER_LOG", "Log level to use when --log-level is not given; off: no file."},
        {"TMPDIR", "The folder for temporary files, that is, unpacked archives and rows that exceed the memory budget; "
                   "by default /var/tmp."},
        {"XDG_STATE_HOME", "The folder that contains the log, highwater/highwater.log; by default ~/.local/state."}};
}

} // namespace

std::string manualPage(const CLI::App& app, const std::string& version) {
    exports::ManPage page{"highwater-cli", version, "where the memory of a process goes, on the command line", {}, {}};
    page.synopsis = {"highwater-cli info TRACE... [OPTIONS]",
                     "highwater-cli table TRACE... --table T --by COL,COL [OPTIONS]",
                     "highwater-cli table TRACE... --preset NAME [OPTIONS]",
                     "highwater-cli timeline TRACE... --table T [OPTIONS]",
                     "highwater-cli leaks TRACE... [OPTIONS]",
                     "highwater-cli generations TRACE... [OPTIONS]",
                     "highwater-cli explain TRACE... [OPTIONS]",
                     "highwater-cli diff TRACE... --with TRACE... [OPTIONS]",
                     "highwater-cli diff TRACE... --range START:END --with-range START:END [OPTIONS]",
                     "highwater-cli flames TRACE... [OPTIONS]",
                     "highwater-cli histogram TRACE... --table T [OPTIONS]",
                     "highwater-cli callers TRACE... --function FUNCTION [OPTIONS]",
                     "highwater-cli heaps TRACE... [OPTIONS]",
                     "highwater-cli address TRACE... ADDRESS [OPTIONS]",
                     "highwater-cli record -o OUT.etl [OPTIONS] -- PROGRAM ARGUMENTS",
                     "highwater-cli picture PID [OPTIONS]",
                     "highwater-cli cleanup"};
    page.sections.push_back(
        {"description", app.get_description() + " Results go to standard output, messages to standard error."});
    page.sections.push_back({"commands"});
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (!command->get_group().empty()) page.sections.push_back(sectionOf(*command));
    }
    page.sections.push_back(queries());
    page.sections.push_back(formats());
    page.sections.push_back(
        {"columns",
         "The columns of each table. --list-columns also shows which of them --by accepts. Size counts every block "
         "that was outstanding "
         "at some time in the interval, including those that were freed in it; growth is Impacting Size. Memory that "
         "is held at the end of the interval has no FreeTime (Decommit Time): [FreeTime]:=[]."});
    for (const auto table : analysis::kTables)
        page.sections.push_back(columnSection(table));
    page.sections.push_back({"values", "Example values of some columns.", values()});
    page.sections.push_back({"exit status", "", exitCodes()});
    page.sections.push_back({"environment", "", variables()});
    page.sections.push_back({"examples", "", {}, examples()});
    return manSource(page);
}

} // namespace highwater::cli
