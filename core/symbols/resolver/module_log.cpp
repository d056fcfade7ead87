#include "core/symbols/resolver/module_log.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/log/log.h"

#include <fmt/format.h>

namespace highwater::symbols {
namespace {

LogLevel levelOf(TriedPlace::Kind kind) {
    return kind == TriedPlace::Kind::Refused ? LogLevel::Warning : LogLevel::Debug;
}

} // namespace

void logModule(const std::string& module, const ModuleAnswer& answer) {
    for (const auto& tried : answer.tried) {
        const auto level = levelOf(tried.kind);
        if (isLogged(level))
            log(level, LogArea::Symbols, fmt::format("{}: {} - {}", module, tried.place, tried.outcome));
    }
    switch (answer.state) {
    case SymbolSearch::State::Found:
        return log(LogLevel::Information, LogArea::Symbols,
                   answer.isFromCache ? fmt::format("{}: names from the name cache.", module)
                                      : fmt::format("{}: names from {}.", module, utf8(answer.path)));
    case SymbolSearch::State::NotFound:
        return log(LogLevel::Warning, LogArea::Symbols,
                   fmt::format("{}: no symbols; {} {} tried.", module, counted(answer.tried.size(), "place"),
                               byNumber(answer.tried.size(), "was", "were")));
    case SymbolSearch::State::Mismatched:
        return log(LogLevel::Warning, LogArea::Symbols,
                   fmt::format("{}: no symbols; the files found belong to another build.", module));
    case SymbolSearch::State::Cancelled:
        return log(LogLevel::Information, LogArea::Symbols, fmt::format("{}: the search was cancelled.", module));
    }
}

} // namespace highwater::symbols
