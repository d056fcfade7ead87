#include "app/window/arguments.h"

#include "core/log/log_text.h"

#include <QHash>
#include <QRegularExpression>

#include <functional>

namespace highwater::app {
namespace {

Error wrongUsage(const QString& sentence) { return {ErrorKind::Usage, sentence.toStdString()}; }

/// Parses the value of an option; returns false if it is invalid.
using ReadValue = std::function<bool(Arguments&, const QString&)>;

bool readSize(Arguments& arguments, const QString& value) {
    static const QRegularExpression form(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$"));
    const auto match = form.match(value);
    if (match.hasMatch()) arguments.size = {match.captured(1).toInt(), match.captured(2).toInt()};
    return match.hasMatch();
}

bool readRange(std::optional<SecondsRange>& range, const QString& value) {
    range = parseSecondsRange(value);
    return range.has_value();
}

struct ValueOption {
    ReadValue read;
    QString form; ///< expected form of the value, for the error message
};

const QHash<QString, ValueOption>& valueOptions() {
    static const QHash<QString, ValueOption> options{
        {"--screenshot", {[](auto& a, const auto& value) { return !(a.screenshot = value).isEmpty(); }, "FILE"}},
        {"--size", {readSize, "WIDTHxHEIGHT"}},
        {"--theme",
         {[](auto& a, const auto& value) { return (a.theme = parseTheme(value)).has_value(); },
          "system, light, dark or high-contrast"}},
        {"--log-level",
         {[](auto& a, const auto& value) { return (a.logLevel = parseLogLevel(value.toStdString())).has_value(); },
          kLogLevelForm}},
        {"--graph",
         {[](auto& a, const auto& value) {
              return (a.view.graph = analysis::parseTable(value.toStdString())).has_value();
          },
          "virtualalloc, heap, frees, snapshot, managed or gcheap"}},
        {"--preset", {[](auto& a, const auto& value) { return !(a.view.preset = value).isEmpty(); }, "NAME"}},
        {"--profile",
         {[](auto& a, const auto& value) {
              a.profiles << value;
              return !value.isEmpty();
          },
          "FILE"}},
        {"--fleet", {[](auto& a, const auto& value) { return !(a.fleet = value).isEmpty(); }, "STORE"}},
        {"--process", {[](auto& a, const auto& value) { return !(a.view.process = value).isEmpty(); }, "NAME"}},
        {"--range",
         {[](auto& a, const auto& value) { return readRange(a.view.range, value); }, "START:END in seconds"}},
        {"--select",
         {[](auto& a, const auto& value) { return readRange(a.view.selection, value); }, "START:END in seconds"}},
    };
    return options;
}

const QHash<QString, std::function<void(Arguments&)>>& switches() {
    static const QHash<QString, std::function<void(Arguments&)>> known{
        {"--help", [](auto& a) { a.showsHelp = true; }},
        {"-h", [](auto& a) { a.showsHelp = true; }},
        {"--version", [](auto& a) { a.showsVersion = true; }},
        {"--manual-page", [](auto& a) { a.showsManual = true; }},
        {"--ask-what-to-record", [](auto& a) { a.asksWhatToRecord = true; }},
        {"--bottom-up", [](auto& a) { a.view.bottomUp = true; }},
        {"--expand-hot-path", [](auto& a) { a.view.opensHotPath = true; }},
        {"--leaks", [](auto& a) { a.view.showsLeaks = true; }},
        {"--flames", [](auto& a) { a.view.showsFlames = true; }},
        {"--generations", [](auto& a) { a.view.showsGenerations = true; }},
    };
    return known;
}

/// For an option that is unknown or the last word.
Error refusedOption(const QString& word) {
    const auto name = word.section(QLatin1Char('='), 0, 0);
    if (word == QLatin1String("--record"))
        return wrongUsage(QStringLiteral("--record has no value. It expects PROGRAM."));
    if (!valueOptions().contains(name)) return wrongUsage(QStringLiteral("Unknown option %1.").arg(word));
    const auto& form = valueOptions()[name].form;
    return wrongUsage(name == word ? QStringLiteral("%1 has no value. It expects %2.").arg(word, form)
                                   : QStringLiteral("%1 expects %2 as a separate word, without =.").arg(name, form));
}

} // namespace

Result<Arguments> parseArguments(const QStringList& words) {
    Arguments arguments;
    bool onlyPaths = false;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const auto& word = words[i];
        if (onlyPaths || !word.startsWith(QLatin1Char('-'))) {
            arguments.traces << word;
        } else if (word == QLatin1String("--")) {
            onlyPaths = true;
        } else if (word == QLatin1String("--record") && i + 1 < words.size()) {
            arguments.record = words.mid(i + 1);
            break;
        } else if (switches().contains(word)) {
            switches()[word](arguments);
        } else if (valueOptions().contains(word) && i + 1 < words.size()) {
            const auto& option = valueOptions()[word];
            if (!option.read(arguments, words[++i]))
                return wrongUsage(QStringLiteral("%1 expects %2, not %3.").arg(word, option.form, words[i]));
            for (const auto& range : {arguments.view.range, arguments.view.selection}) {
                if (range && range->isEmpty())
                    return wrongUsage(
                        QStringLiteral("%1 expects a range that starts before it ends, not %2.").arg(word, words[i]));
            }
        } else {
            return refusedOption(word);
        }
    }
    if (!arguments.record.isEmpty() && !arguments.traces.isEmpty())
        return wrongUsage(QStringLiteral("Specify either traces or --record, not both."));
    if (!arguments.fleet.isEmpty() && (!arguments.traces.isEmpty() || !arguments.record.isEmpty()))
        return wrongUsage(
            QStringLiteral("Specify either --fleet or a trace, not both, because each has its own page."));
    return arguments;
}

const std::vector<OptionGroup>& optionGroups() {
    static const std::vector<OptionGroup> groups{
        {"View of the trace",
         {{"--graph T", "virtualalloc, heap, frees, snapshot, managed or gcheap"},
          {"--preset NAME", "use this preset for the table"},
          {"--profile FILE", "import presets and views from a .wpaProfile or a preset file"},
          {"--process NAME", "filter to this process, by name or PID"},
          {"--range START:END", "zoom to this range in seconds; either may be empty"},
          {"--select START:END", "select this range in the timeline"},
          {"--bottom-up", "show stacks from the allocating function"},
          {"--expand-hot-path", "expand the heaviest path down to the function that requested the memory"},
          {"--flames", "show the graph as a flame graph, or as an icicle graph for bottom-up stacks"},
          {"--leaks", "open the Leaks page: stacks that keep memory, with reasons"},
          {"--generations", "open the Generations page: growth from mark to mark"}}},
        {"The window",
         {{"--fleet STORE", "open the Fleet page: growth of stacks from build to build"},
          {"--theme THEME", "system, light, dark or high-contrast"},
          {"--log-level LEVEL", "debug, info, warning, error or off"},
          {"--size WxH", "size of the window"},
          {"--screenshot FILE", "open, wait until all names are loaded, save a picture, quit"}}},
        {"Others",
         {{"--help, -h", "show this help"},
          {"--version", "show the version"},
          {"--", "treat all further arguments as traces"}}},
    };
    return groups;
}

QString usage() {
    auto text = QStringLiteral(
        "Usage: highwater [TRACE.etl ...] [OPTIONS]\nShows where a process's memory goes. Several files form one "
        "trace.\n       highwater SESSION.highwater [OPTIONS]\nShows the trace as it was when the session was saved.\n "
        "      highwater FLEET.sqlite [OPTIONS]\nShows which stacks grew from build to build, as --fleet does.\n       "
        "highwater [OPTIONS] --record PROGRAM [ARGUMENTS ...]\nStarts the program and records it. All further "
        "arguments are passed to it.\n       highwater [OPTIONS] --ask-what-to-record\n");
    for (const auto& group : optionGroups()) {
        text += QStringLiteral("%1:\n").arg(QLatin1String(group.title));
        for (const auto& [option, meaning] : group.options)
            text += QStringLiteral("  %1 %2\n").arg(QLatin1String(option), -19).arg(QLatin1String(meaning));
    }
    return text;
}

} // namespace highwater::app
