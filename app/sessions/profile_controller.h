#pragma once

#include "ui/profiles/preset_import.h"
#include "ui/profiles/profile_presets.h"
#include "ui/view/parts/message_strip.h"

#include <QAction>
#include <QList>
#include <QObject>
#include <QStringList>

#include <vector>

class QWidget;

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

/// Imports and exports presets: Windows Performance Analyzer profiles, whose views become tabs, and preset files.
/// Unsupported content is listed on a page with copyable text. GUI thread only.
class ProfileController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive this object.
    ProfileController(ui::AnalysisTabs& tabs, QWidget& window);

    /// Import and export actions for the menu.
    [[nodiscard]] QList<QAction*> actions() const { return {import_, export_}; }
    /// By file extension.
    [[nodiscard]] static bool isProfile(const QString& path);
    /// Views of a profile wait for a trace if none is open.
    void importFile(const QString& path);
    void exportTo(const QString& path);

  signals:
    void messageWanted(const highwater::ui::Message& message);
    /// This message is outdated.
    void messageGone(const QString& sentence);
    /// The import failed; a message has been shown.
    void importFailed(const QString& sentence);

  private:
    void refuse(const QString& sentence);
    void askForFile();
    void askWhereToExport();
    void importBytes(const QString& path, const QByteArray& bytes);
    void importProfile(const QString& path, const ui::ProfilePresets& profile);
    void report(const QString& path, const ui::PresetImport& done, const QStringList& leftOut);
    void showViews();
    void showView(const ui::ProfileView& view, const std::vector<ui::Preset>& presets);
    [[nodiscard]] std::vector<ui::Preset> ownPresets() const;

    ui::AnalysisTabs& tabs_;
    QWidget& window_;
    QAction* import_;
    QAction* export_;
    /// The views of a profile, and its presets with their local names.
    struct Waiting {
        std::vector<ui::ProfileView> views;
        std::vector<ui::Preset> presets;
    };
    std::vector<Waiting> waiting_;
};

} // namespace highwater::app
