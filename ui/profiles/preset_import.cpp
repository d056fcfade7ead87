#include "ui/profiles/preset_import.h"

#include "ui/format/qt_text.h"

namespace highwater::ui {

PresetImport addPresets(Presets& into, const std::vector<Preset>& presets) {
    PresetImport done;
    for (auto preset : presets) {
        const auto table = preset.layout.table;
        const auto wanted = preset.name;
        auto taken = into.find(table, wanted);
        for (int i = 2; taken && !taken->looksLike(preset); ++i) {
            preset.name = QStringLiteral("%1 (%2)").arg(wanted).arg(i);
            taken = into.find(table, preset.name);
        }
        if (taken) {
            done.alreadyThere << preset.name;
        } else {
            (void)into.save(preset);
            done.added << preset.name;
            if (preset.name != wanted) done.renamed << tr("%1 as %2").arg(wanted, preset.name);
        }
        done.presets.push_back(std::move(preset));
    }
    return done;
}

} // namespace highwater::ui
