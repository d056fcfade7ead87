#include "core/export/explain/explain_commands.h"

#include "core/analysis/query/query_expression.h"
#include "core/base/text.h"
#include "core/export/explain/shell_query.h"

#include <fmt/format.h>

namespace highwater::exports {
namespace {

using analysis::QueryExpression;

constexpr std::size_t kLongestName = 1000; ///< limit for a name in a query

/// Whether a query with this name can be written for the shell.
bool canBeTyped(std::string_view text, Shell shell) {
    return text.size() <= kLongestName && shellWord(fmt::format("'{}'", text), shell).hasValue();
}

/// Creates the commands of one page.
class CommandMaker {
  public:
    CommandMaker(const analysis::Explanation& answer, const CommandWords& words) : answer_(answer), words_(words) {}

    /// Combines the conditions with the user's filter.
    [[nodiscard]] Command make(std::string_view name, const Command& own, TimeRange interval,
                               const std::vector<std::string>& conditions) const {
        auto words = tableOption(answer_.table);
        words.insert(words.end(), own.begin(), own.end());
        return make(name, words, answer_.table, interval, conditions);
    }
    [[nodiscard]] Command leaksOf(const analysis::LeakSuspect& suspect,
                                  const std::vector<std::string>& conditions) const {
        return leaks(tableOption(suspect.table), suspect.table, answer_.interval, conditions);
    }
    [[nodiscard]] Command leaksIn(TimeRange interval) const {
        const auto& tables = answer_.tables;
        return leaks(tables.size() == 1 ? tableOption(tables.front().table) : Command(), answer_.table, interval, {});
    }
    /// Neither a table nor a filter, which the command does not have.
    [[nodiscard]] Command holders() const {
        Command own;
        addOption(own, "--by", "owner");
        return unfiltered("balance", own);
    }
    [[nodiscard]] Command pictured() const { return unfiltered("holders", {}); }
    [[nodiscard]] std::string processCondition(const store::PublishedTrace& trace, std::uint64_t process,
                                               const std::string& text) const {
        if (canBeTyped(text, words_.shell)) return "[Process]:=" + QueryExpression::quoted(text);
        return fmt::format("[PID]:={}", (*trace.processes)[ProcessIndex{static_cast<std::uint32_t>(process)}].pid);
    }
    /// Empty: the function's name cannot be written.
    [[nodiscard]] std::string stackCondition(const std::string& owner) const {
        return canBeTyped(owner, words_.shell) ? "[Stack]:=" + QueryExpression::quoted(owner) : std::string();
    }

  private:
    static void addRange(Command& command, TimeRange interval) {
        addOption(command, "--range", secondsText(interval.start) + ':' + secondsText(interval.end));
    }
    static Command tableOption(analysis::Table table) {
        Command words;
        addOption(words, "--table", std::string(analysis::tableWord(table)));
        return words;
    }
    [[nodiscard]] Command unfiltered(std::string_view name, const Command& own) const {
        Command command{"highwater-cli", std::string(name)};
        addFiles(command, words_.traces);
        command.insert(command.end(), own.begin(), own.end());
        addRange(command, answer_.interval);
        command.insert(command.end(), words_.options.begin(), words_.options.end());
        return command;
    }
    /// table: of the conditions.
    [[nodiscard]] Command make(std::string_view name, const Command& own, analysis::Table table, TimeRange interval,
                               const std::vector<std::string>& conditions) const {
        Command command{"highwater-cli", std::string(name)};
        addFiles(command, words_.traces);
        command.insert(command.end(), own.begin(), own.end());
        addRange(command, interval);
        if (const auto filter = queryFor(words_.shell, table, filterOf(conditions)); !filter.empty())
            addOption(command, "--filter", filter);
        command.insert(command.end(), words_.labels.begin(), words_.labels.end());
        command.insert(command.end(), words_.options.begin(), words_.options.end());
        return command;
    }
    [[nodiscard]] Command leaks(const Command& own, analysis::Table table, TimeRange interval,
                                const std::vector<std::string>& conditions) const {
        auto command = make("leaks", own, table, interval, conditions);
        for (const auto& file : words_.suppressions)
            addOption(command, "--suppressions", fileWord(file));
        command.insert(command.end(), words_.owners.begin(), words_.owners.end());
        return command;
    }
    [[nodiscard]] std::string filterOf(const std::vector<std::string>& conditions) const {
        std::string filter;
        const auto join = [&](const std::string& part) {
            if (!part.empty()) filter += (filter.empty() ? "" : " AND ") + part;
        };
        const bool isAlone = conditions.empty();
        if (!trimmed(words_.filter).empty()) join(isAlone ? words_.filter : '(' + words_.filter + ')');
        for (const auto& condition : conditions)
            join(condition);
        return filter;
    }

    const analysis::Explanation& answer_;
    const CommandWords& words_;
};

} // namespace

ExplainCommands explainCommands(const analysis::Explanation& answer, const store::PublishedTrace& trace,
                                const CommandWords& words) {
    const CommandMaker maker(answer, words);
    ExplainCommands commands;
    if (const auto& surge = answer.rise.surge) {
        const auto process = maker.processCondition(trace, surge->process.value, surge->processText);
        commands.surgeTable = maker.make("table",
                                         {"--by", "Process,Stack (bottom-up)", "--columns", "Count,Impacting Size",
                                          "--sort", "Impacting Size", "--top", "3"},
                                         surge->part, {process});
        commands.surgeTimeline = maker.make("timeline", {"--points", "20"}, surge->part, {process});
        for (const auto& stack : surge->stacks)
            commands.surgeStacks.push_back(
                maker.make("table", {"--by", "Stack (bottom-up),Process", "--columns", "Impacting Size", "--leaves"},
                           surge->part, {process, maker.stackCondition(stack.owner)}));
    }
    commands.leaks = maker.leaksIn(answer.interval);
    if (answer.held) commands.holders = maker.holders();
    if (answer.hasPicture) commands.pictured = maker.pictured();
    if (answer.freedOnExit) commands.beforeExit = maker.leaksIn(answer.freedOnExit->range);
    for (const auto& suspect : answer.suspects)
        commands.suspects.push_back(
            maker.leaksOf(suspect, {maker.processCondition(trace, suspect.path.front().key, suspect.process),
                                    maker.stackCondition(suspect.owner)}));
    return commands;
}

} // namespace highwater::exports
