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
class DefinitionFiles;
class SymbolSession;

/// The user's own settings of the analysis, kept from run to run and the same in all tabs: presets, whether process
/// exit frees heaps, allocator frames, files of stack tags and of suppressions. Offers the actions that change it. The
/// window owns it. GUI thread only.
class AnalysisSettings : public QObject {
    Q_OBJECT
  public:
    /// Takes what is stored at once. All must outlive it.
    AnalysisSettings(ApplicationSettings& settings, ui::AnalysisTabs& tabs, SymbolSession& symbols, QWidget& window);

    [[nodiscard]] QList<QAction*> actions() const;
    /// Only who triggers it changes what is stored: a session sets it for as long as its trace is shown.
    [[nodiscard]] QAction& exitFreesAction() const { return *exitFrees_; }
    [[nodiscard]] bool ownExitFrees() const;
    [[nodiscard]] DefinitionFiles& stackTags() const { return *stackTags_; }
    [[nodiscard]] DefinitionFiles& suppressions() const { return *suppressions_; }
    /// Also takes definitions from this file, whose ending says of which kind they are. False: of none.
    bool takeDefinitions(const QString& path);
    /// Sentences about what of the stored settings, and of the files, could not be understood.
    [[nodiscard]] QStringList problems() const;

  signals:
    void optionsChanged();
    void messageWanted(const highwater::ui::Message& message);
    /// What this message told has been taken back.
    void messageGone(const QString& sentence);
    /// Something is wrong with a file of definitions; messageWanted() said it.
    void fileFailed(const QString& sentence);

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
    DefinitionFiles* stackTags_;
    DefinitionFiles* suppressions_;
    QPointer<ui::AllocatorFramesEditor> editor_;
    QStringList problems_; ///< of what is stored
};

} // namespace highwater::app
