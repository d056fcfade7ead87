#include "app/cli/traces/trace_symbols.h"

#include "app/cli/arguments/query_arguments.h"
#include "app/cli/arguments/text_file.h"
#include "app/cli/traces/symbol_messages.h"
#include "core/analysis/table/nothing_found.h"
#include "core/pipeline/symbol_loader.h"
#include "core/pipeline/trace_archives.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::cli {
namespace {

using ImagePaths = pipeline::SymbolSources::ImagePaths;

std::vector<std::filesystem::path> filesOf(const std::vector<std::string>& traces) {
    return {traces.begin(), traces.end()};
}

/// Recorded on Linux, where programs and libraries contain function names.
bool isOfThisSystem(const store::ProcessTable& processes) {
    const auto& modules = processes.modules();
    return std::any_of(modules.begin(), modules.end(),
                       [](const auto& module) { return !buildIdOfPdb(module.identity.pdbName).empty(); });
}

/// The path from the command line, or the window's default path without servers that the user did not name. Local
/// places contain only Linux debug files.
symbols::SymbolPath askedPath(const SymbolsRequest& request, const std::vector<std::string>& traces,
                              const store::ProcessTable& processes) {
    const auto environment = symbols::systemEnvironment();
    auto path = !request.path.empty()       ? symbols::SymbolPath::parse(request.path)
                : isOfThisSystem(processes) ? symbols::localSymbolPath(environment)
                                            : symbols::SymbolPath::parse(environment("_NT_SYMBOL_PATH").value_or(""));
    return request.skipsTraceFolders ? path : pipeline::withTraceFolders(path, filesOf(traces));
}

bool anyShowsNames(analysis::Table table, analysis::ColumnSet asked) {
    const auto columns = analysis::columnsOf(table);
    return std::any_of(columns.begin(), columns.end(),
                       [asked](auto column) { return analysis::showsNames(column) && asked.contains(column); });
}

/// Labels depend on names if they are used.
template <typename AnyQuery>
bool areLabelsOfNames(const AnyQuery& query) {
    return query.annotations != nullptr && usesAnnotation(query) &&
           anyShowsNames(query.table, columnsOf(*query.annotations));
}

Result<std::shared_ptr<const analysis::StackTags>> readStackTags(const std::vector<std::string>& files) {
    auto tags = std::make_shared<analysis::StackTags>();
    for (const auto& file : files) {
        const bool isBuiltIn = file == kBuiltInStackTagsWord;
        const auto text =
            TRY(isBuiltIn ? Result<std::string>(std::string(analysis::StackTags::builtInText())) : contentOf(file));
        TRY(tags->add(text, file));
    }
    return std::shared_ptr<const analysis::StackTags>(std::move(tags));
}

} // namespace

bool readsFrames(const analysis::TimelineQuery& query) {
    return readsFrames(query.filter) || (query.by && analysis::showsNames(*query.by)) || areLabelsOfNames(query);
}

bool readsFrames(const analysis::Query& query) {
    using analysis::showsNames;
    return readsFrames(query.filter) || areLabelsOfNames(query) ||
           std::any_of(query.keys.begin(), query.keys.end(), showsNames) ||
           std::any_of(query.columns.begin(), query.columns.end(), [](auto& c) { return showsNames(c.column); }) ||
           std::any_of(query.sort.begin(), query.sort.end(), [](auto& key) { return showsNames(key.column); });
}

Result<std::shared_ptr<analysis::FrameLabels>>
makeLabels(const SymbolsRequest& request, std::shared_ptr<const symbols::NameSource> names, const Console& console) {
    auto labels = std::make_shared<analysis::FrameLabels>(std::move(names));
    if (request.hasFullNames) labels->setNameStyle(symbols::NameStyle::Full);
    if (!request.stackTags.empty()) {
        auto tags = TRY(readStackTags(request.stackTags));
        for (const auto& remark : tags->remarks())
            console.say(remark);
        labels->setStackTags(std::move(tags));
    }
    return labels;
}

std::shared_ptr<const symbols::NameSource> loadSymbols(const SymbolsRequest& request,
                                                       const std::vector<std::string>& traces,
                                                       const std::shared_ptr<const store::PublishedTrace>& rows,
                                                       const Console& console) {
    if (request.isOff || rows->codeNamed > 0) return nullptr; // the file contains the names
    const bool isEmpty = !analysis::isRecorded(*rows, analysis::Table::Frees) && rows->managed.rows == 0;
    if (isEmpty) return nullptr; // there are no stacks
    const auto path = askedPath(request, traces, *rows->processes);
    symbols::StoreOptions options;
    if (!request.skipsTraceFolders) options.archives = pipeline::traceArchives(filesOf(traces));
    if (path.entries().empty() && options.archives.empty() && !isOfThisSystem(*rows->processes)) {
        const auto* who = rows->codeEntries > 0 ? "Functions not named by a runtime" : "Functions";
        console.say(fmt::format("{} have no names because the symbol path is empty. Specify folders and servers with "
                                "debug files in --symbols or _NT_SYMBOL_PATH, or use --no-symbols.",
                                who));
        return nullptr;
    }
    const auto cache = symbols::defaultCacheFolder(symbols::systemEnvironment());
    options.cacheFolder = cache;
    auto names = std::make_shared<symbols::SymbolTable>();
    options.besideTrace = pipeline::traceFolders(filesOf(traces));
    // If one of several files was recorded here, the others may not have been.
    const auto paths = request.trustsImagePaths ? ImagePaths::Always
                       : traces.size() == 1     ? ImagePaths::IfRecordedHere
                                                : ImagePaths::Never;
    pipeline::SymbolLoader loader(names, {path, std::move(options), cache / "names", paths, {}});
    loader.load(rows);
    loader.wait();
    sayWhatWasFound(loader.status(), *rows->processes, path, console);
    if (request.skipsTraceFolders || pipeline::traceFolders(filesOf(traces)).empty())
        printNgenHint(loader.status(), *rows->processes, request.skipsTraceFolders, console);
    return names;
}

} // namespace highwater::cli
