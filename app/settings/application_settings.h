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

/// What is kept from one run to the next. GUI thread only.
class ApplicationSettings {
  public:
    /// The user's own settings; or, in tests, a file.
    ApplicationSettings();
    explicit ApplicationSettings(const QString& file);

    /// Newest first; those whose files are gone, or others than they were, say so.
    [[nodiscard]] QList<ui::RecentTrace> recentTraces() const;
    /// As it was when it was opened.
    void addRecentTrace(const QStringList& paths, std::int64_t durationNs = 0);
    /// Its outline goes with it; its files stay.
    void removeRecentTrace(const QStringList& paths);
    /// How much was outstanding in it over time. Of a trace that is not in the list nothing is kept.
    void setOutline(const QStringList& paths, const QList<qint64>& amounts);

    /// Stores of runs, newest first: addresses without users and passwords.
    [[nodiscard]] QStringList recentFleets() const;
    void addRecentFleet(const QString& address);

    [[nodiscard]] QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray& geometry);
    /// Docks, and whether there is one stored.
    [[nodiscard]] QByteArray windowState() const;
    void setWindowState(const QByteArray& state);
    [[nodiscard]] QList<QByteArray> splitterStates() const;
    void setSplitterStates(const QList<QByteArray>& states);
    /// Whether tabs show the same time as other linked ones.
    [[nodiscard]] bool linksTabs() const;
    void setLinksTabs(bool links);

    /// The main tool bar.
    [[nodiscard]] bool showsToolBar() const;
    void setShowsToolBar(bool shows);

    [[nodiscard]] Theme theme() const;
    void setTheme(Theme theme);

    /// What the user chose; nothing: as the system is set.
    [[nodiscard]] std::optional<bool> reducesMotion() const;
    void setReducesMotion(bool reduces);

    /// How much memory the rows of traces may take (core/files/column_memory.h), in bytes; 0: the usual amount.
    [[nodiscard]] quint64 memoryBudget() const;

    /// Where what was made of traces is kept for opening them again: beside the settings when those are a file. Empty:
    /// in the user's cache folder.
    [[nodiscard]] QString indexFolder() const { return indexFolder_; }
    /// How much of it, in bytes; 0: nothing is kept.
    [[nodiscard]] quint64 indexLimit() const;

    /// The user's own presets, as ui::Presets writes them.
    [[nodiscard]] QByteArray presets() const;
    void setPresets(const QByteArray& json);

    /// Lines of analysis::Renames between two traces, by their names; those of the last hundred pairs are kept.
    [[nodiscard]] QString renamesBetween(const QString& pair) const;
    void setRenamesBetween(const QString& pair, const QString& lines);

    [[nodiscard]] bool processExitFreesHeap() const;
    void setProcessExitFreesHeap(bool frees);
    /// The user's own list; nothing: the built-in one.
    [[nodiscard]] std::optional<QString> allocatorFrames() const;
    void setAllocatorFrames(const std::optional<QString>& text);

    /// Files of stack tags, in their order; ui::FileListDialog::builtInEntry() alone to begin with.
    [[nodiscard]] QStringList stackTagFiles() const;
    void setStackTagFiles(const QStringList& files);
    /// Files of suppressions; none to begin with.
    [[nodiscard]] QStringList suppressionFiles() const;
    void setSuppressionFiles(const QStringList& files);

    [[nodiscard]] bool showsFunctionNames() const;
    void setShowsFunctionNames(bool shows);
    [[nodiscard]] bool fullFunctionNames() const;
    void setFullFunctionNames(bool full);
    /// `usual`: the path as long as there is none of the user's own, which is then not stored: the environment may
    /// change.
    [[nodiscard]] ui::SymbolChoices symbolChoices(const symbols::SymbolPath& usual) const;
    void setSymbolChoices(const ui::SymbolChoices& choices, const symbols::SymbolPath& usual);

    /// What was recorded the last time. The values of an environment go no further than this object, unless their
    /// choices say so: they may be secrets.
    [[nodiscard]] ui::RecordChoices recordChoices() const;
    void setRecordChoices(const ui::RecordChoices& choices);
    /// Programs that were launched, newest first, each with what was given for it; as with recordChoices().
    [[nodiscard]] QList<ui::LaunchTarget> launchTargets() const;
    void setLaunchTargets(const QList<ui::LaunchTarget>& targets);
    /// Names and values of what is set, for reports: numbers and words of the program's own, no paths, no names of
    /// programs or traces, no text of the user.
    [[nodiscard]] QList<QPair<QString, QString>> withoutPaths() const;
    /// Where recordings lie that are not saved yet; beside the settings when those are a file.
    [[nodiscard]] QString recordingsFolder() const { return recordingsFolder_; }

  private:
    void addLaunchTarget(const ui::LaunchTarget& target);

    QString recordingsFolder_;
    QString indexFolder_;
    OutlineStore outlines_;
    QSettings settings_;
    QList<ui::LaunchTarget> environments_; ///< of this run: targets with variables that are not stored
};

} // namespace highwater::app
