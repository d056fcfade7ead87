#pragma once

#include "ui/state/presets.h"

#include <QWidget>

class QAction;
class QComboBox;
class QMenu;

namespace highwater::ui {

/// Chooses a graph's preset from a drop-down list. A star marks a modified graph; a menu saves, renames and deletes the
/// user's presets. GUI thread only.
class PresetBox : public QWidget {
    Q_OBJECT
  public:
    explicit PresetBox(GraphState& graph, QWidget* parent = nullptr);
    /// Without this, only built-in presets are available. They must outlive the box.
    void setPresets(Presets& presets);
    /// "Impacting by Process", followed by a star if the graph was modified.
    [[nodiscard]] QString shownName() const;

  private:
    void build();
    void buildMenu();
    void refill();
    void followLabels();
    void choose(int index);
    void save();
    void askName(const QString& title, const QString& suggestion, void (PresetBox::*then)(const QString&));
    void saveAs(const QString& name);
    void rename(const QString& name);
    void remove();
    void backToPreset();
    [[nodiscard]] std::vector<Preset> offered() const;
    /// Name of the preset that the graph shows or is based on.
    [[nodiscard]] QString currentName() const;

    GraphState& graph_;
    analysis::Annotations labels_; ///< the graph's most recent labels
    Presets* presets_ = nullptr;
    QComboBox* box_;
    QMenu* menu_;
    QAction* save_ = nullptr;
    QAction* saveAs_ = nullptr;
    QAction* rename_ = nullptr;
    QAction* delete_ = nullptr;
    QAction* revert_ = nullptr;
};

} // namespace highwater::ui
