// Any bytes as a Windows Performance Analyzer profile, and as a preset file: never a crash or a hang; layouts that are
// read are like those that the window makes, and a preset file is the same after it is written and read again.
#include "ui/profiles/preset_file.h"
#include "ui/profiles/profile_presets.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace highwater;
using namespace highwater::ui;

namespace {

void check(bool isTrue) {
    if (!isTrue) std::abort();
}

void checkLayout(const Preset& preset) {
    const auto& layout = preset.layout;
    check(!layout.keys.empty() && layout.graphed <= layout.columns.size());
    for (const auto& key : layout.keys)
        check(analysis::hasColumn(layout.table, key.value.column) && !analysis::isAggregate(key.value.column));
    for (const auto& column : layout.columns)
        check(analysis::hasColumn(layout.table, column.value.column));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
    const auto profile = readWpaProfile(bytes);
    check(profile.profile.has_value() == profile.refusal.isEmpty());
    if (profile.profile) {
        const auto made = presetsOf(*profile.profile);
        for (const auto& preset : made.presets)
            checkLayout(preset);
        for (const auto& view : made.views) {
            for (const auto& graph : view.graphs)
                check(graph.preset < made.presets.size());
        }
    }
    const auto file = readPresetFile(bytes);
    if (!file.refusal.isEmpty()) return 0;
    const auto again = readPresetFile(presetFileOf(file.presets));
    check(again.refusal.isEmpty() && again.presets.size() == file.presets.size());
    for (std::size_t i = 0; i < again.presets.size(); ++i)
        check(again.presets[i].looksLike(file.presets[i]));
    return 0;
}
