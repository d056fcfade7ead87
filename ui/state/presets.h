#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/table/table_layout.h"

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace highwater::ui {

/// A named layout of a table and its graph. A plain value.
struct Preset {
    QString name;
    TableLayout layout;
    ChartType chart = ChartType::Line;
    std::uint32_t seriesLevels = 1; ///< GraphState::seriesLevels
    /// Whether the graph shows exactly this, ignoring names and widths.
    [[nodiscard]] bool isShownBy(const GraphState& graph) const;
    /// The same for another preset.
    [[nodiscard]] bool looksLike(const Preset& other) const;
};

/// The built-in presets of a table; the first is defaultLayout().
[[nodiscard]] const std::vector<Preset>& standardPresets(analysis::Table table);

/// Columns are stored under WPA's names, so that the JSON can be read and edited and other versions understand it.
[[nodiscard]] QJsonObject presetToJson(const Preset& preset);
struct ReadPreset {
    Preset preset;
    QStringList unknownColumns; ///< unknown columns of this table, which are omitted
    QStringList unreadLabels;   ///< labels whose queries cannot be used here, which are omitted
};
/// Nothing if the table is unknown or the name missing.
[[nodiscard]] std::optional<ReadPreset> presetFromJson(const QJsonObject& json);

/// Presets of all tables: the built-in ones and the user's, and the preset and labels that the user last used for each
/// table. Does not access files: the owner stores toJson() when changed() is emitted. GUI thread only.
class Presets : public QObject {
    Q_OBJECT
  public:
    explicit Presets(QObject* parent = nullptr) : QObject(parent) {}

    /// The built-in ones, followed by the user's.
    [[nodiscard]] std::vector<Preset> of(analysis::Table table) const;
    [[nodiscard]] std::optional<Preset> find(analysis::Table table, const QString& name) const;
    [[nodiscard]] bool isOwn(analysis::Table table, const QString& name) const;
    /// Saves a user preset, replacing one of the same name; includes labels if it shows them. False for empty names and
    /// names of built-in presets.
    bool save(Preset preset);
    /// False if the new name is used or empty.
    bool rename(analysis::Table table, const QString& from, const QString& to);
    void remove(analysis::Table table, const QString& name);
    /// Restores a removed or replaced preset.
    void restore(const Preset& preset);

    /// The preset for new graphs of this table, with the last used labels unless it has its own.
    [[nodiscard]] Preset preferred(analysis::Table table) const;
    void setPreferred(analysis::Table table, const QString& name);
    /// Sets the labels in use for the table.
    void setAnnotations(analysis::Table table, const analysis::Annotations& annotations);
    /// Labels that graphs receive during `give` are not the user's, such as those of a session: setAnnotations() has no
    /// effect.
    void withForeignLabels(const std::function<void()>& give);

    [[nodiscard]] QByteArray toJson() const;
    /// Replaces everything. Returns sentences about parts that could not be read; the rest is used.
    QStringList loadJson(const QByteArray& json);

  signals:
    void changed();
    void renamed(highwater::analysis::Table table, const QString& from, const QString& to);
    /// Both report the parts that restore() can restore.
    void removed(const highwater::ui::Preset& preset);
    void replaced(const highwater::ui::Preset& before);

  private:
    void put(Preset preset);
    [[nodiscard]] std::vector<Preset>::iterator ownOf(analysis::Table table, const QString& name);

    std::vector<Preset> own_;
    QHash<int, QString> preferred_;                 ///< by Table
    QHash<int, analysis::Annotations> annotations_; ///< by Table
    bool areLabelsForeign_ = false;
};

/// The preset that a graph still matches: the one that it was given, otherwise any that matches (after an undo).
/// Nothing: the graph was modified.
[[nodiscard]] std::optional<Preset> presetShownBy(const GraphState& graph, const std::vector<Preset>& presets);
/// The graph's state as a preset of this name.
[[nodiscard]] Preset presetOf(const GraphState& graph, const QString& name);
/// Applies layout, chart, levels and name together. A graph keeps its labels if the preset has none, and lines that
/// were opened manually.
void usePreset(GraphState& graph, const Preset& preset);

} // namespace highwater::ui
