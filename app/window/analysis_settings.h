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

/// Analysis settings of the user, stored between runs and shared by all tabs: presets, whether process exit frees
/// heaps, allocator frames, and stack tag and suppression files. Provides the actions that change them. Owned by the
/// window. GUI thread only.
class AnalysisSettings : public QObject {
    Q_OBJECT
  public:
    /// Loads the stored settings at once. All must outlive this object.
    AnalysisSettings(ApplicationSettings& settings, ui::AnalysisTabs& tabs, SymbolSession& symbols, QWidget& window);

    [[nodiscard]] QList<QAction*> actions() const;
    /// Only triggering the action changes the stored value; a session sets it while its trace is shown.
    [[nodiscard]] QAction& exitFreesAction() const { return *exitFrees_; }
    [[nodiscard]] bool ownExitFrees() const;
    [[nodiscard]] DefinitionFiles& stackTags() const { return *stackTags_; }
    [[nodiscard]] DefinitionFiles& suppressions() const { return *suppressions_; }
    /// Adds definitions from this file, whose kind is given by its extension. Returns false if it is of neither kind.
    bool takeDefinitions(const QString& path);
    /// Error messages about stored settings and definition files.
    [[nodiscard]] QStringList problems() const;

  signals:
    void optionsChanged();
    void messageWanted(const highwater::ui::Message& message);
    /// The action of this message was undone.
    void messageGone(const QString& sentence);
    /// A definition file has errors; messageWanted() has reported them.
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
    QStringList problems_; ///< about the stored settings
};

} // namespace highwater::app
