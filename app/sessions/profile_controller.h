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

/// Presets from files and for files: profiles of Windows Performance Analyzer, whose views become tabs, and files of
/// presets. What a file has that is not known here is named on a page that can be copied. GUI thread only.
class ProfileController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it.
    ProfileController(ui::AnalysisTabs& tabs, QWidget& window);

    /// Import and export, for the menu.
    [[nodiscard]] QList<QAction*> actions() const { return {import_, export_}; }
    /// By its ending.
    [[nodiscard]] static bool isProfile(const QString& path);
    /// Views that a profile shows wait for a trace where there is none.
    void importFile(const QString& path);
    void exportTo(const QString& path);

  signals:
    void messageWanted(const highwater::ui::Message& message);
    /// Nothing could be taken from a file; it has been told.
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
    /// Of a profile: its views, and its presets as they are called here.
    struct Waiting {
        std::vector<ui::ProfileView> views;
        std::vector<ui::Preset> presets;
    };
    std::vector<Waiting> waiting_;
};

} // namespace highwater::app
