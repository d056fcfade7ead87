#include "app/window/analysis_settings.h"

#include "app/settings/application_settings.h"
#include "app/symbols/definition_kinds.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/symbols/allocator_frames_editor.h"

#include <QFileInfo>
#include <QWidget>

namespace highwater::app {
namespace {

QString builtInFrames() {
    const auto text = analysis::AllocatorFrames::builtInText();
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::shared_ptr<const analysis::AllocatorFrames> framesOf(const QString& text) {
    return std::make_shared<const analysis::AllocatorFrames>(text.toStdString());
}

} // namespace

AnalysisSettings::AnalysisSettings(ApplicationSettings& settings, ui::AnalysisTabs& tabs, SymbolSession& symbols,
                                   QWidget& window)
    : QObject(&window),
      settings_(settings),
      tabs_(tabs),
      window_(window),
      exitFrees_(new QAction(tr("Process &Exit Frees Heap"), this)),
      allocatorFrames_(new QAction(tr("&Allocator Frames…"), this)),
      stackTags_(new DefinitionFiles(stackTagFiles(settings, symbols), window)),
      suppressions_(new DefinitionFiles(suppressionFiles(settings, tabs), window)) {
    exitFrees_->setObjectName(QStringLiteral("processExitFreesHeap"));
    exitFrees_->setCheckable(true);
    exitFrees_->setToolTip(tr("Treat the heap blocks of a process as freed when it exits"));
    allocatorFrames_->setObjectName(QStringLiteral("allocatorFrames"));
    load();
    connect(exitFrees_, &QAction::toggled, this, &AnalysisSettings::setExitFrees);
    connect(exitFrees_, &QAction::triggered, this, [this](bool frees) { settings_.setProcessExitFreesHeap(frees); });
    connect(allocatorFrames_, &QAction::triggered, this, &AnalysisSettings::editAllocatorFrames);
    connect(&tabs_, &ui::AnalysisTabs::linkChosen, this, [this](bool linked) { settings_.setLinksTabs(linked); });
    connect(&tabs_.presets(), &ui::Presets::removed, this,
            [this](const ui::Preset& gone) { offerUndo(tr("Deleted the preset %1.").arg(gone.name), gone); });
    connect(&tabs_.presets(), &ui::Presets::replaced, this, [this](const ui::Preset& before) {
        offerUndo(tr("Saved the preset %1 with the current layout.").arg(before.name), before);
    });
    connect(&tabs_.presets(), &ui::Presets::changed, this, [this] { settings_.setPresets(tabs_.presets().toJson()); });
}

void AnalysisSettings::offerUndo(const QString& sentence, const ui::Preset& before) {
    emit messageWanted({sentence, ui::MessageTone::Plain, {tr("Undo"), [this, sentence, before] {
                                                               tabs_.presets().restore(before);
                                                               emit messageGone(sentence);
                                                           }}});
}

void AnalysisSettings::load() {
    // Entries that could not be parsed stay stored until a preset is changed.
    tabs_.linkCurrent(settings_.linksTabs());
    problems_ = tabs_.presets().loadJson(settings_.presets());
    for (auto* graph : tabs_.graphs()) {
        ui::usePreset(*graph, tabs_.presets().preferred(graph->table()));
    }
    auto options = tabs_.options();
    options.processExitFreesHeap = settings_.processExitFreesHeap();
    if (const auto frames = settings_.allocatorFrames()) options.allocatorFrames = framesOf(*frames);
    tabs_.setOptions(options);
    exitFrees_->setChecked(options.processExitFreesHeap);
}

QList<QAction*> AnalysisSettings::actions() const {
    return {exitFrees_, allocatorFrames_, stackTags_->action(), suppressions_->action()};
}

QStringList AnalysisSettings::problems() const {
    return problems_ + stackTags_->problems() + suppressions_->problems();
}

bool AnalysisSettings::takeDefinitions(const QString& path) {
    const QFileInfo file(path);
    const auto suffix = file.suffix().toLower();
    const bool areTags = suffix == QLatin1String("stacktags");
    if (!areTags && suffix != QLatin1String("supp")) return false;
    const auto problems = (areTags ? stackTags_ : suppressions_)->add({file.absoluteFilePath()});
    if (problems.isEmpty()) {
        const auto added = areTags ? tr("Stack tags from %1 are now used. See Trace > Stack Tags for all files.")
                                   : tr("Suppressions from %1 are now used. See Trace > Suppressions for all files.");
        emit messageWanted(added.arg(file.fileName()));
        return true;
    }
    const auto sentence = problems.join(QLatin1Char(' '));
    emit messageWanted({sentence, ui::MessageTone::Warning});
    emit fileFailed(sentence);
    return true;
}

bool AnalysisSettings::ownExitFrees() const { return settings_.processExitFreesHeap(); }

void AnalysisSettings::setExitFrees(bool frees) {
    auto options = tabs_.options();
    options.processExitFreesHeap = frees;
    tabs_.setOptions(options);
    emit optionsChanged();
}

void AnalysisSettings::editAllocatorFrames() {
    if (!editor_) {
        editor_ = new ui::AllocatorFramesEditor(&window_);
        editor_->setAttribute(Qt::WA_DeleteOnClose);
        editor_->setText(settings_.allocatorFrames().value_or(builtInFrames()));
        connect(editor_, &ui::AllocatorFramesEditor::applied, this, &AnalysisSettings::setAllocatorFrames);
    }
    editor_->show();
    editor_->raise();
    editor_->activateWindow();
}

void AnalysisSettings::setAllocatorFrames(const QString& text) {
    // The built-in list is not stored because a later version may improve it.
    const bool isBuiltIn = text == builtInFrames();
    settings_.setAllocatorFrames(isBuiltIn ? std::nullopt : std::optional(text));
    auto options = tabs_.options();
    options.allocatorFrames = isBuiltIn ? analysis::AllocatorFrames::builtIn() : framesOf(text);
    tabs_.setOptions(options);
    emit optionsChanged();
}

} // namespace highwater::app

#include "moc_analysis_settings.cpp"
