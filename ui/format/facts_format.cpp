#include "ui/format/facts_format.h"

#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

namespace highwater::ui {
namespace {

using analysis::FrameFacts;

/// From the symbol to the address.
QString distance(const FrameFacts& facts) { return countText(facts.bytesBehindName, "1 byte", "%1 bytes"); }

QStringList sourceLines(const FrameFacts& facts) {
    constexpr std::size_t kMost = 4;
    QStringList lines;
    for (std::size_t i = 0; i < facts.sources.size() && i < kMost; ++i) {
        lines << visibleText(facts.sources[i].text());
    }
    if (facts.sources.size() > kMost)
        lines << countText(facts.sources.size() - kMost, "and 1 more file", "and %1 more files");
    return lines;
}

QStringList inlineLines(const FrameFacts& facts) {
    if (!facts.isInlined) return {};
    if (facts.inlinedInto.empty())
        return {countText(facts.hosts, "Inlined in 1 place", "Inlined in %1 different places")};
    QStringList lines;
    for (const auto& host : facts.inlinedInto) {
        const auto from = visibleText(host.calledFrom.text());
        const auto into = tr("inlined into %1").arg(visibleText(host.name));
        lines << (from.isEmpty() ? into : tr("%1 at %2").arg(into, from));
    }
    return lines;
}

QString originLine(const FrameFacts& facts) {
    if (facts.isFromEntryPoint)
        return tr("From precompiled code: nearest known entry point, %1 before this address").arg(distance(facts));
    switch (facts.origin) {
    case symbols::NameOrigin::Public:
        return tr("From public symbols, without source lines or inlined functions");
    case symbols::NameOrigin::Export:
        return tr("From the export table: nearest exported name, %1 before this address").arg(distance(facts));
    case symbols::NameOrigin::Private:
        break;
    }
    return {};
}

QStringList functionLines(const FrameFacts& facts) {
    QStringList lines{visibleText(facts.name)};
    lines << sourceLines(facts) << inlineLines(facts);
    if (const auto origin = originLine(facts); !origin.isEmpty()) lines << origin;
    if (facts.foldedWith > 0) {
        lines << countText(facts.foldedWith,
                           "The linker folded 1 other function with identical code into this one; the frame may belong "
                           "to either of them",
                           "The linker folded %1 other functions with identical code into this one; the frame may "
                           "belong to any of them");
    }
    return lines;
}

QStringList namelessLines(const FrameFacts& facts) {
    QStringList lines{tr("No symbol is known for this code in %1").arg(visibleText(facts.module))};
    if (!facts.name.empty()) {
        lines << tr("The nearest symbol before it is %1, %2 away").arg(visibleText(facts.name), distance(facts));
    }
    return lines;
}

} // namespace

QStringList factsLines(const FrameFacts& facts) {
    switch (facts.kind) {
    case FrameFacts::Kind::Function:
        return functionLines(facts);
    case FrameFacts::Kind::Nameless:
        return namelessLines(facts);
    case FrameFacts::Kind::Unknown:
        return {tr("Not in a loaded module: code generated at run time (JIT), or a module missing from the recording")};
    case FrameFacts::Kind::NoStack:
        return {tr("No stack was recorded with these events")};
    case FrameFacts::Kind::NotResolved:
        return {tr("The recording refers to this stack, but its frames are missing")};
    case FrameFacts::Kind::Cut:
        return {tr("The recorder limits the number of frames per stack; the outer callers are not known")};
    }
    return {};
}

} // namespace highwater::ui
