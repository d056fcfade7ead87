#include "app/sessions/profile_controller.h"

#include "ui/format/count_text.h"
#include "ui/format/qt_text.h"
#include "ui/profiles/preset_file.h"
#include "ui/view/access/trace_guard.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/window/text_page.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>
#include <utility>

namespace highwater::app {
namespace {

const auto kWpaSuffix = QStringLiteral("wpaProfile");
const auto kOwnSuffix = QString::fromLatin1(ui::kPresetFileSuffix);

constexpr qsizetype kXmlStart = 256; ///< bytes; even, for UTF-16

QString nameOfFile(const QString& path) { return QFileInfo(path).fileName(); }

bool looksLikeXml(const QByteArray& bytes) {
    return ui::textOfProfile(bytes.left(kXmlStart)).trimmed().startsWith('<');
}

/// A titled section of a report; empty without lines.
QString partOf(const QString& title, const QStringList& lines) {
    if (lines.isEmpty()) return {};
    return QStringLiteral("\n%1\n  %2\n").arg(title, lines.join(QStringLiteral("\n  ")));
}

QString noOwnPresets() {
    return ProfileController::tr(
        "You have no presets of your own yet. To save one, use the menu next to the preset name.");
}

} // namespace

ProfileController::ProfileController(ui::AnalysisTabs& tabs, QWidget& window)
    : QObject(&window),
      tabs_(tabs),
      window_(window),
      import_(new QAction(tr("&Import Profile or Presets…"), this)),
      export_(new QAction(tr("&Export Presets…"), this)) {
    import_->setObjectName(QStringLiteral("importProfile"));
    import_->setToolTip(tr("Import presets from a Windows Performance Analyzer profile or from a preset file"));
    export_->setObjectName(QStringLiteral("exportPresets"));
    export_->setToolTip(tr("Write your own presets to a file that can be imported elsewhere"));
    connect(import_, &QAction::triggered, this, &ProfileController::askForFile);
    connect(export_, &QAction::triggered, this, &ProfileController::askWhereToExport);
    connect(&tabs.presets(), &ui::Presets::changed, this, [this] {
        if (!ownPresets().empty()) emit messageGone(noOwnPresets());
    });
    // Waits until the whole trace is shown, because an empty graph may be reserved for another purpose until then.
    connect(
        &tabs.shown(), &ui::TraceOnScreen::changed, this,
        [this] {
            if (tabs_.shown().trace() && !tabs_.shown().isLoading()) showViews();
        },
        Qt::QueuedConnection);
}

bool ProfileController::isProfile(const QString& path) {
    const auto suffix = QFileInfo(path).suffix();
    return suffix.compare(kWpaSuffix, Qt::CaseInsensitive) == 0 || suffix.compare(kOwnSuffix, Qt::CaseInsensitive) == 0;
}

void ProfileController::askForFile() {
    auto* dialog = new QFileDialog(&window_, tr("Import Profile or Presets"), {},
                                   tr("Profiles and presets (*.%1 *.%2);;All files (*)").arg(kWpaSuffix, kOwnSuffix));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("importProfileFrom"));
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& paths) {
        for (const auto& path : paths)
            importFile(path);
    });
    dialog->open();
}

void ProfileController::refuse(const QString& sentence) {
    emit messageWanted({sentence, ui::MessageTone::Warning});
    emit importFailed(sentence);
}

void ProfileController::importFile(const QString& path) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) {
        const auto why = QFileInfo(path).isFile() ? file.errorString() : tr("the file does not exist");
        return refuse(tr("%1 cannot be read: %2.").arg(nameOfFile(path), why));
    }
    importBytes(path, file.read(std::max(ui::kLargestProfile, ui::kLargestPresetFile) + 1));
}

void ProfileController::importBytes(const QString& path, const QByteArray& bytes) {
    const auto refuseFor = [&](const QString& why) {
        refuse(tr("Nothing was imported from %1: %2.").arg(nameOfFile(path), why));
    };
    if (looksLikeXml(bytes)) {
        const auto read = ui::readWpaProfile(bytes);
        return read.profile ? importProfile(path, ui::presetsOf(*read.profile)) : refuseFor(read.refusal);
    }
    const auto read = ui::readPresetFile(bytes);
    if (!read.refusal.isEmpty()) return refuseFor(read.refusal);
    report(path, ui::addPresets(tabs_.presets(), read.presets), read.leftOut);
}

void ProfileController::importProfile(const QString& path, const ui::ProfilePresets& profile) {
    const auto done = ui::addPresets(tabs_.presets(), profile.presets);
    waiting_.push_back({profile.views, done.presets});
    if (tabs_.shown().trace()) showViews();
    report(path, done, profile.leftOut);
}

void ProfileController::report(const QString& path, const ui::PresetImport& done, const QStringList& leftOut) {
    const auto file = nameOfFile(path);
    QStringList sentences;
    if (done.isEmpty())
        sentences << tr("%1 does not contain anything that can be shown here.").arg(file);
    else if (done.added.isEmpty())
        sentences << tr("All presets of %1 already exist.").arg(file);
    else
        sentences << tr("Presets from %1: %2.").arg(file, done.added.join(QStringLiteral(", ")));
    if (!done.renamed.isEmpty())
        sentences << tr("Renamed because the name already exists: %1.").arg(done.renamed.join(QStringLiteral(", ")));
    ui::MessageLink link;
    if (!leftOut.isEmpty()) {
        sentences << ui::countText(leftOut.size(), "1 unsupported item was skipped.",
                                   "%1 unsupported items were skipped.");
        auto text = file + QLatin1Char('\n') + partOf(tr("Presets:"), done.added) +
                    partOf(tr("Already existing:"), done.alreadyThere) +
                    partOf(tr("Renamed because the name already exists:"), done.renamed) +
                    partOf(tr("Unsupported and skipped:"), leftOut);
        link = {tr("Show Details"), [this, file, text] {
                    ui::showTextPage(&window_, {QStringLiteral("importReport"), tr("Import from %1").arg(file),
                                                tr("Imported and skipped items"), text});
                }};
    }
    emit messageWanted(
        {sentences.join(QLatin1Char(' ')), done.isEmpty() ? ui::MessageTone::Warning : ui::MessageTone::Plain, link});
}

void ProfileController::showViews() {
    for (const auto& waiting : std::exchange(waiting_, {})) {
        const int first = tabs_.count();
        for (const auto& view : waiting.views)
            showView(view, waiting.presets);
        if (tabs_.count() == first) continue;
        tabs_.setCurrentIndex(first);
        if (auto* panel = tabs_.currentPanel()) panel->takeFocus();
    }
}

/// A tab contains each graph once. Of several presets for one graph, the first is shown and the others can be selected.
void ProfileController::showView(const ui::ProfileView& view, const std::vector<ui::Preset>& presets) {
    ui::AnalysisView* tab = nullptr;
    std::vector<analysis::Table> shown;
    for (const auto& graph : view.graphs) {
        const auto& preset = presets[graph.preset];
        const auto table = preset.layout.table;
        if (std::find(shown.begin(), shown.end(), table) != shown.end()) continue;
        shown.push_back(table);
        if (!tab) {
            tab = &tabs_.addAnalysis(table);
            if (!view.title.isEmpty()) tabs_.setNameOf(tabs_.currentIndex(), view.title);
        } else {
            tab->showGraph(table, shown.size() - 1);
        }
        for (auto* state : tab->state().graphs()) {
            if (state->table() != table) continue;
            ui::usePreset(*state, preset);
            if (graph.filter) state->addFilter(*graph.filter);
        }
    }
}

std::vector<ui::Preset> ProfileController::ownPresets() const {
    std::vector<ui::Preset> own;
    for (const auto table : analysis::kTables) {
        for (const auto& preset : tabs_.presets().of(table)) {
            if (tabs_.presets().isOwn(table, preset.name)) own.push_back(preset);
        }
    }
    return own;
}

void ProfileController::askWhereToExport() {
    if (ownPresets().empty()) return emit messageWanted(noOwnPresets());
    auto* dialog = new QFileDialog(&window_, tr("Export Presets"), {},
                                   tr("Highwater presets (*.%1);;All files (*)").arg(kOwnSuffix));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("exportPresetsAs"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(kOwnSuffix);
    dialog->selectFile(tr("my presets") + QLatin1Char('.') + kOwnSuffix);
    connect(dialog, &QFileDialog::fileSelected, this, &ProfileController::exportTo);
    dialog->open();
}

void ProfileController::exportTo(const QString& path) {
    if (const auto why = ui::traceOverwriteRefusal(path); !why.isEmpty())
        return emit messageWanted({why, ui::MessageTone::Warning});
    const auto own = ownPresets();
    const auto bytes = ui::presetFileOf(own);
    QSaveFile file(path);
    const bool isSaved = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    if (!isSaved)
        return emit messageWanted(
            {tr("%1 cannot be written: %2.").arg(path, file.errorString()), ui::MessageTone::Warning});
    QStringList names;
    for (const auto& preset : own)
        names << preset.name;
    emit messageWanted(tr("Saved these presets as %1: %2.").arg(path, names.join(QStringLiteral(", "))));
}

} // namespace highwater::app

#include "moc_profile_controller.cpp"
