#include "ui/profiles/preset_file.h"

#include "ui/format/count_text.h"
#include "ui/format/qt_text.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace highwater::ui {
namespace {

constexpr int kPresetVersion = 1;
constexpr qsizetype kMostPresetsInFile = 2'000;
const auto kFormat = QStringLiteral("highwater-presets");

ReadPresetFile refused(const QString& why) { return {{}, {}, why}; }

} // namespace

QByteArray presetFileOf(const std::vector<Preset>& presets) {
    QJsonArray array;
    for (const auto& preset : presets)
        array << presetToJson(preset);
    return QJsonDocument(QJsonObject{{"format", kFormat}, {"version", kPresetVersion}, {"presets", array}}).toJson();
}

ReadPresetFile readPresetFile(const QByteArray& bytes) {
    if (bytes.size() > kLargestPresetFile) return refused(tr("it is too large to be a preset file"));
    QJsonParseError error{};
    const auto json = QJsonDocument::fromJson(bytes, &error).object();
    if (json["format"].toString() != kFormat)
        return refused(tr("it is neither a profile nor a preset file, or it is damaged"));
    if (json["version"].toInt() > kPresetVersion)
        return refused(tr("it was saved by a newer version of Highwater (format %1)").arg(json["version"].toInt()));
    ReadPresetFile read;
    const auto presets = json["presets"].toArray();
    for (const auto& value : presets) {
        if (static_cast<qsizetype>(read.presets.size()) >= kMostPresetsInFile) {
            read.leftOut << countText(presets.size() - kMostPresetsInFile, "1 preset after the first %2",
                                      "%1 presets after the first %2")
                                .arg(kMostPresetsInFile);
            break;
        }
        const auto entry = value.toObject();
        auto preset = presetFromJson(entry);
        if (!preset) {
            read.leftOut << tr("preset %1 of the table %2").arg(entry["name"].toString(), entry["table"].toString());
            continue;
        }
        for (const auto& column : preset->unknownColumns)
            read.leftOut << tr("%1: column %2").arg(preset->preset.name, column);
        for (const auto& label : preset->unreadLabels)
            read.leftOut << tr("%1: annotation %2").arg(preset->preset.name, label);
        if (preset->preset.layout.keys.empty()) {
            read.leftOut << tr("%1: none of its columns can group rows here, so rows are grouped by Process")
                                .arg(preset->preset.name);
            preset->preset.layout.keys.emplace_back(analysis::Column::Process);
        }
        read.presets.push_back(std::move(preset->preset));
    }
    read.leftOut.removeDuplicates();
    return read;
}

} // namespace highwater::ui
