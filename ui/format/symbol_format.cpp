#include "ui/format/symbol_format.h"

#include "core/base/text.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace highwater::ui {
namespace {

using symbols::ModuleLoad, symbols::SymbolLoadStatus;
using State = ModuleLoad::State;

QString words(const char* text) { return QCoreApplication::translate("Symbols", text); }

QString bytes(std::uint64_t count) { return formatBytes(static_cast<std::int64_t>(count)); }

QString ofTotal(const ModuleLoad& load) {
    if (load.bytesTotal == 0) return bytes(load.bytesDone);
    return words("%1 of %2").arg(bytes(load.bytesDone), bytes(load.bytesTotal));
}

/// Modules with only exports or other public names. Functions in between get the name of the preceding one.
std::size_t publicNamesOnly(const SymbolLoadStatus& status) {
    return static_cast<std::size_t>(std::ranges::count_if(
        status.modules, [](const ModuleLoad& load) { return load.state == State::Found && !load.hasPrivateSymbols; }));
}

/// Only these have the names of all functions.
std::size_t withDebugInformation(const SymbolLoadStatus& status) {
    return status.count(State::Found) - publicNamesOnly(status);
}

} // namespace

QString moduleState(const ModuleLoad& load) {
    const auto quality = load.hasPrivateSymbols ? words("debug information") : words("public names only");
    switch (load.state) {
    case State::Waiting:
        return words("waiting");
    case State::Loading:
        return load.bytesDone > 0 ? words("downloading %1").arg(ofTotal(load)) : words("reading");
    case State::Found:
        if (load.isFromCache) return words("%1 from the cache").arg(quality);
        return words("%1 in %2").arg(quality, visibleText(utf8(load.path)));
    case State::NotFound:
        return words("not found");
    case State::Mismatched:
        return words("found only for another build");
    case State::Cancelled:
        break;
    }
    return words("cancelled");
}

QString moduleIdentity(const ModuleIdentity& identity) {
    symbols::SymbolIdentity file;
    file.buildId = symbols::bytesOfHex(buildIdOfPdb(identity.pdbName)).value_or(std::string());
    if (!file.hasBuildId()) {
        file.pdbGuid = identity.pdbGuid;
        file.pdbAge = identity.pdbAge;
    }
    return file.isKnown() ? QString::fromStdString(symbols::toString(file)) : QString();
}

QString symbolSummary(const SymbolLoadStatus& status, const store::ProcessTable& processes) {
    auto text = words("symbols %1/%2").arg(withDebugInformation(status)).arg(status.modules.size());
    if (const auto isPublic = publicNamesOnly(status); isPublic > 0)
        text += words(", %1 with public names only").arg(isPublic);
    if (!status.isBusy) return text;
    for (const auto& load : status.modules) {
        if (load.state != State::Loading || load.module.value >= processes.modules().size()) continue;
        const auto& module = processes.module(load.module);
        const auto pdb = lineText(fileName(module.identity.pdbName));
        text += QStringLiteral(", ") + (pdb.isEmpty() ? lineText(module.name) : pdb);
        return load.bytesDone > 0 ? text + QLatin1Char(' ') + ofTotal(load) : text;
    }
    return text + QStringLiteral(" …");
}

QString symbolSentences(const SymbolLoadStatus& status) {
    QStringList lines;
    lines << words("Debug information found for %1 of %2 modules.")
                 .arg(withDebugInformation(status))
                 .arg(status.modules.size());
    const auto count = [&](State state, const char* text) {
        if (const auto modules = status.count(state); modules > 0) lines << words(text).arg(modules);
    };
    if (const auto isPublic = publicNamesOnly(status); isPublic > 0)
        lines << words("%1 with public names only (such as exports), without names of other functions, source lines "
                       "or inlined calls.")
                     .arg(isPublic);
    count(State::NotFound, "%1 not found.");
    count(State::Mismatched, "%1 found only for another build.");
    count(State::Cancelled, "%1 cancelled.");
    for (const auto& problem : status.problems())
        lines << visibleText(problem);
    return lines.join(QLatin1Char('\n'));
}

} // namespace highwater::ui
