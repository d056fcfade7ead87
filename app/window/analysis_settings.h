#pragma once

#include "ui/state/presets.h"
#include "ui/view/parts/message_strip.h"

#include <QAction>
#include <QList>
#include <QObject>
#include <QPointer>

namespace highwater::ui {
class AllocatorFramesEditor;
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;

/// What is the user's own about the analysis, kept from run to run and the same in all tabs: presets, whether process
/// exit frees heaps, allocator frames. Offers the actions that change it. GUI thread only.
class AnalysisSettings : public QObject {
    Q_OBJECT
  public:
    /// Takes what is stored at once. All must outlive it.
    AnalysisSettings(ApplicationSettings& settings, ui::AnalysisTabs& tabs, QWidget& window);

    [[nodiscard]] QList<QAction*> actions() const { return {exitFrees_, allocatorFrames_}; }
    /// Only who triggers it changes what is stored: a session sets it for as long as its trace is shown.
    [[nodiscard]] QAction& exitFreesAction() const { return *exitFrees_; }
    [[nodiscard]] bool ownExitFrees() const;
    /// Sentences about what of the stored settings could not be understood.
    [[nodiscard]] const QStringList& problems() const { return problems_; }

  signals:
    void optionsChanged();
    void messageWanted(const highwater::ui::Message& message);
    /// What this message told has been taken back.
    void messageGone(const QString& sentence);

  private:
    void load();
    void offerUndo(const QString& sentence, const ui::Preset& before);
    void setExitFrees(bool frees);
    void editAllocatorFrames();
    void setAllocatorFrames(const QString& text);

    ApplicationSettings& settings_;
    ui::AnalysisTabs& tabs_;
    QWidget& window_;
    QAction* exitFrees_;
    QAction* allocatorFrames_;
    QPointer<ui::AllocatorFramesEditor> editor_;
    QStringList problems_;
};

} // namespace highwater::app
