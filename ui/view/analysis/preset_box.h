#pragma once

#include "ui/state/presets.h"

#include <QWidget>

class QAction;
class QComboBox;
class QMenu;

namespace highwater::ui {

/// Chooses how a graph looks at its table: the presets in a drop-down, a star when the graph was changed since, and a
/// menu that saves, renames, deletes own ones. GUI thread only.
class PresetBox : public QWidget {
    Q_OBJECT
  public:
    explicit PresetBox(GraphState& graph, QWidget* parent = nullptr);
    /// Until then only the standard ones. They must outlive it.
    void setPresets(Presets& presets);
    /// "Impacting by Process", with a star behind it when the graph was changed.
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
    /// The name of the preset that the graph shows or came from.
    [[nodiscard]] QString currentName() const;

    GraphState& graph_;
    analysis::Annotations labels_; ///< of the graph, as it had them last
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
