#pragma once

#include "app/settings/outline_store.h"
#include "app/settings/theme.h"
#include "ui/state/record_choices.h"
#include "ui/state/symbol_choices.h"
#include "ui/view/window/start_page.h"

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QSettings>
#include <QString>

#include <optional>

namespace highwater::app {

/// Settings that are stored between runs. GUI thread only.
class ApplicationSettings {
  public:
    /// The user's own settings; or, in tests, a file.
    ApplicationSettings();
    explicit ApplicationSettings(const QString& file);

    /// Newest first. Entries whose files are missing or changed are marked.
    [[nodiscard]] QList<ui::RecentTrace> recentTraces() const;
    /// With the state of the files when opened.
    void addRecentTrace(const QStringList& paths, std::int64_t durationNs = 0);
    /// Also removes its outline, but not its files.
    void removeRecentTrace(const QStringList& paths);
    /// The outstanding amount over time. Ignored for traces that are not in the list.
    void setOutline(const QStringList& paths, const QList<qint64>& amounts);

    /// Stores of runs, newest first, without users and passwords.
    [[nodiscard]] QStringList recentFleets() const;
    void addRecentFleet(const QString& address);

    [[nodiscard]] QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray& geometry);
    /// The dock layout, and whether one is stored.
    [[nodiscard]] QByteArray windowState() const;
    void setWindowState(const QByteArray& state);
    [[nodiscard]] QList<QByteArray> splitterStates() const;
    void setSplitterStates(const QList<QByteArray>& states);
    /// Whether linked tabs show the same time.
    [[nodiscard]] bool linksTabs() const;
    void setLinksTabs(bool links);

    /// The main tool bar.
    [[nodiscard]] bool showsToolBar() const;
    void setShowsToolBar(bool shows);

    /// The strip with findings above the first graph.
    [[nodiscard]] bool showsFindings() const;
    void setShowsFindings(bool shows);

    [[nodiscard]] Theme theme() const;
    void setTheme(Theme theme);

    /// The user's choice; empty: follow the system.
    [[nodiscard]] std::optional<bool> reducesMotion() const;
    void setReducesMotion(bool reduces);

    /// Memory budget for trace rows (core/files/column_memory.h) in bytes; 0: default.
    [[nodiscard]] quint64 memoryBudget() const;

    /// Folder for cached indexes of traces, next to the settings if those are a file. Empty: the user's cache folder.
    [[nodiscard]] QString indexFolder() const { return indexFolder_; }
    /// Size limit in bytes; 0: no cache.
    [[nodiscard]] quint64 indexLimit() const;

    /// The user's own presets, as ui::Presets writes them.
    [[nodiscard]] QByteArray presets() const;
    void setPresets(const QByteArray& json);

    /// Lines of analysis::Renames between two traces, identified by names. The last hundred pairs are stored.
    [[nodiscard]] QString renamesBetween(const QString& pair) const;
    void setRenamesBetween(const QString& pair, const QString& lines);

    [[nodiscard]] bool processExitFreesHeap() const;
    void setProcessExitFreesHeap(bool frees);
    /// The user's own list; empty: the built-in list.
    [[nodiscard]] std::optional<QString> allocatorFrames() const;
    void setAllocatorFrames(const std::optional<QString>& text);

    /// Stack tag files in order; by default only ui::FileListDialog::builtInEntry().
    [[nodiscard]] QStringList stackTagFiles() const;
    void setStackTagFiles(const QStringList& files);
    /// Suppression files; none by default.
    [[nodiscard]] QStringList suppressionFiles() const;
    void setSuppressionFiles(const QStringList& files);

    [[nodiscard]] bool showsFunctionNames() const;
    void setShowsFunctionNames(bool shows);
    [[nodiscard]] bool fullFunctionNames() const;
    void setFullFunctionNames(bool full);
    /// `usual`: the path while the user has none; not stored because the environment may change.
    [[nodiscard]] ui::SymbolChoices symbolChoices(const symbols::SymbolPath& usual) const;
    void setSymbolChoices(const ui::SymbolChoices& choices, const symbols::SymbolPath& usual);

    /// The choices of the last recording. Values of environment variables stay in this object and are not stored unless
    /// the choices request it, because they may be secret.
    [[nodiscard]] ui::RecordChoices recordChoices() const;
    void setRecordChoices(const ui::RecordChoices& choices);
    /// Launched programs with their options, newest first, as recordChoices().
    [[nodiscard]] QList<ui::LaunchTarget> launchTargets() const;
    void setLaunchTargets(const QList<ui::LaunchTarget>& targets);
    /// Names and values of settings for bug reports: numbers and words of the program only, no paths, program or trace
    /// names, or text from the user.
    [[nodiscard]] QList<QPair<QString, QString>> withoutPaths() const;
    /// The folder of unsaved recordings; next to the settings if those are a file.
    [[nodiscard]] QString recordingsFolder() const { return recordingsFolder_; }

  private:
    void addLaunchTarget(const ui::LaunchTarget& target);

    QString recordingsFolder_;
    QString indexFolder_;
    OutlineStore outlines_;
    QSettings settings_;
    QList<ui::LaunchTarget> environments_; ///< targets whose variables are used only in this run and not stored
};

} // namespace highwater::app
