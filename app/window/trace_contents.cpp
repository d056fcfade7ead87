#include "app/window/trace_contents.h"

#include "core/export/info/providers.h"
#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace highwater::app {
namespace {

constexpr std::size_t kMostProviders = 6;

QString told(const char* words) { return QCoreApplication::translate("TraceContents", words); }

QString nameOf(const exports::ProviderCount& provider) {
    const auto name = ui::visibleText(std::string(provider.name));
    return name.isEmpty() && provider.guid ? QString::fromStdString(toString(*provider.guid)) : name;
}

QString textOf(const exports::ProviderCount& provider) {
    return QStringLiteral("%1 of %2")
        .arg(ui::formatCount(static_cast<std::int64_t>(provider.events)), nameOf(provider));
}

} // namespace

QString traceContents(const RecordCounts& counts) {
    const auto providers = exports::providersOf(counts);
    if (providers.empty()) return told("The trace does not contain any events.");
    std::uint64_t events = 0;
    QStringList names;
    for (const auto& provider : providers) {
        events += provider.events;
        if (static_cast<std::size_t>(names.size()) < kMostProviders) names << textOf(provider);
    }
    const auto all = ui::countText(events, "1 event", "%1 events");
    const auto rest = providers.size() - static_cast<std::size_t>(names.size());
    if (providers.size() == 1) return told("The trace contains %1 of %2.").arg(all, nameOf(providers.front()));
    if (rest == 0) return told("The trace contains %1: %2.").arg(all, names.join(QStringLiteral(", ")));
    const auto others = ui::countText(rest, "1 other provider", "%1 other providers");
    return told("The trace contains %1: %2, and events of %3.").arg(all, names.join(QStringLiteral(", ")), others);
}

} // namespace highwater::app
