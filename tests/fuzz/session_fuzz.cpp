// Any bytes as a session: never a crash or a hang; a session that is read obeys the rules of layouts and tabs, and is
// the same after it is written and read again.
#include "ui/session/session.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace highwater;
using namespace highwater::ui;

namespace {

void check(bool isTrue) {
    if (!isTrue) std::abort();
}

void checkTab(const SessionTab& tab) {
    check(!tab.graphs.empty());
    for (const auto range : {tab.visible, tab.selection, tab.highlight})
        check(!range || range->start < range->end);
    for (const auto& graph : tab.graphs) {
        const auto& layout = graph.preset.layout;
        check(!layout.keys.empty() && layout.graphed <= layout.columns.size());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
    const QString path("/nobody/has/this.highwater");
    const auto read = sessionFromJson(bytes, path);
    check(read.session.has_value() == read.refusal.isEmpty());
    if (!read.session) return 0;
    for (const auto& tab : read.session->tabs)
        checkTab(tab);
    check(read.session->currentTab >= 0);
    const auto written = sessionToJson(*read.session, path);
    const auto again = sessionFromJson(written, path);
    check(again.session.has_value() && sessionToJson(*again.session, path) == written);
    (void)withoutViews(*read.session);
    return 0;
}
