#include "ui/view/table/table_work.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/file_name.h"
#include "ui/format/qt_text.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/query_planner.h"
#include "ui/state/table/annotation_rules.h"
#include "ui/state/table/filter_step.h"
#include "ui/view/access/trace_guard.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/table/grouped_table_view.h"

#include <QDir>
#include <QFileDialog>

#include <algorithm>
#include <utility>

namespace highwater::ui {

namespace {

constexpr int kPatienceMs = 300;

} // namespace

TableWork::TableWork(QueryRunner& runner, QueryPlanner& planner, GroupedTableModel& model, GroupedTableView& view,
                     MessageStrip& strip, QObject* parent)
    : QObject(parent), runner_(runner), planner_(planner), model_(model), view_(view), strip_(strip) {
    patience_.setSingleShot(true);
    patience_.setInterval(kPatienceMs);
    connect(&patience_, &QTimer::timeout, this,
            [this] { say(tr("Expanding rows…"), tr("Cancel"), [this] { cancel(); }); });
    connect(&view_, &GroupedTableView::expandWanted, this, &TableWork::expand);
    connect(&view_.actions(), &TableActions::exportWanted, this, &TableWork::chooseFile);
    connect(&view_.actions(), &TableActions::formatWanted, this, &TableWork::chooseFormatFile);
    connectAnswers();
    connectExports();
}

void TableWork::connectAnswers() {
    connect(&runner_, &QueryRunner::tooMany, this, &TableWork::ask);
    connect(&runner_, &QueryRunner::opened, this, [this](const OpenRequest& request, const auto& /*row*/) {
        if (expansion_ && request.expansion.mode == OpenMode::Levels && request.answer == model_.answer()) finish();
    });
    connect(&model_, &QAbstractItemModel::modelReset, this, [this] {
        if (!expansion_) return;
        // A new answer cancels work on the old one.
        const auto index = model_.indexOf(expansionPath_);
        if (!expansionPath_.empty() && !index.isValid()) return cancel();
        expansion_->node = model_.nodeOf(index);
        open(limit_);
    });
}

void TableWork::connectExports() {
    connect(&exporter_, &TableExporter::progressed, this, [this](std::size_t rows) {
        say(countText(rows, "Exporting: 1 row…", "Exporting: %1 rows…"), tr("Cancel"), [this] { cancel(); });
    });
    connect(&exporter_, &TableExporter::finished, this, [this](const QString& file, std::size_t rows) {
        if (rows == 0)
            return say(tr("Nothing was exported because no row matches or all measured values are 0. %1 has no rows.")
                           .arg(QDir::toNativeSeparators(file)));
        const auto done =
            countText(rows, "Saved 1 row as %2.", "Saved %1 rows as %2.").arg(QDir::toNativeSeparators(file));
        say(note_.isEmpty() ? done : done + QLatin1Char(' ') + note_);
    });
    connect(&exporter_, &TableExporter::failed, this,
            [this](const QString& sentence) { strip_.showMessage(sentence, MessageStrip::Tone::Warning); });
    connect(&exporter_, &TableExporter::stopped, this,
            [this] { say(tr("The export was cancelled; no file was written.")); });
    connect(&planner_.shown(), &TraceOnScreen::changed, this, [this](auto changes) {
        if (changes.testFlag(TraceOnScreen::Naming) && !planner_.shown().areNamesComing()) writeWaiting();
    });
}

void TableWork::say(const QString& sentence, const QString& link, std::function<void()> onLink) {
    strip_.showMessage(sentence, MessageStrip::Tone::Plain, {link, std::move(onLink)});
}

void TableWork::expand(const ExpandRequest& expansion) {
    if (!model_.answer()) return;
    expansion_ = expansion;
    expansionPath_ = model_.pathOf(model_.indexOfNode(expansion.node));
    open(kRowsToAskFor);
}

void TableWork::open(std::size_t limit) {
    limit_ = limit;
    patience_.start();
    runner_.open({.answer = model_.answer(), .expansion = *expansion_, .limit = limit, .countUpTo = kMaxRows});
}

void TableWork::ask(const OpenRequest& request, std::size_t rows) {
    if (!expansion_ || request.answer != model_.answer()) return;
    finish();
    if (rows > kMaxRows)
        return say(tr("This would expand more than %1 rows. Expand a smaller part.")
                       .arg(formatCount(static_cast<std::int64_t>(kMaxRows))));
    say(countText(rows, "This expands 1 row.", "This expands %1 rows."), tr("Expand All Rows"),
        [this, expansion = request.expansion, path = expansionPath_] {
            strip_.hide();
            expansion_ = expansion;
            expansion_->node = model_.nodeOf(model_.indexOf(path));
            open(kMaxRows);
        });
}

void TableWork::finish() {
    patience_.stop();
    expansion_.reset();
    strip_.hide();
}

std::vector<analysis::KeyPath> TableWork::expansionPaths() const {
    if (!expansion_ || expansionPath_.empty()) return {};
    return {expansionPath_};
}

void TableWork::forgetTrace() {
    waiting_.reset();
    if (!exporter_.isBusy()) strip_.hide();
}

void TableWork::renameExpansion(const std::vector<analysis::KeyPath>& paths) {
    if (expansion_ && !expansionPath_.empty() && !paths.empty()) expansionPath_ = paths.front();
}

void TableWork::cancel() {
    if (expansion_) runner_.cancelOpens();
    finish();
    waiting_.reset();
    exporter_.cancel();
}

void TableWork::askForFile(const QString& title, const QString& kind, const QString& suffix,
                           std::function<void(const QString& file)> write) {
    auto* dialog = new QFileDialog(view_.window(), title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("exportDialog"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setNameFilter(QStringLiteral("%1 (*.%2)").arg(kind, suffix));
    dialog->setDefaultSuffix(suffix);
    const auto part = toQString(analysis::tableTitle(planner_.tableQuery().table));
    dialog->selectFile(proposedFileName(planner_.shown().name(), part, suffix));
    connect(dialog, &QFileDialog::fileSelected, this, [this, write = std::move(write)](const QString& file) {
        if (const auto why = traceOverwriteRefusal(file); !why.isEmpty()) return say(why);
        write(file);
    });
    dialog->setModal(false);
    dialog->show();
}

void TableWork::chooseFile(exports::TableRows rows, exports::TableFormat format) {
    const auto& spec = exports::specOf(format);
    askForFile(tr("Export"), toQString(spec.fileKind), toQString(spec.suffix),
               [this, rows, format](const QString& file) { exportTo(file, rows, format); });
}

void TableWork::chooseFormatFile(formats::TraceFormat format) {
    const auto& spec = formats::specOf(format);
    askForFile(tr("Export"), toQString(spec.fileKind), toQString(spec.suffix),
               [this, format](const QString& file) { exportFormat(file, format); });
}

bool TableWork::canExport() {
    if (!model_.answer() || !planner_.trace()) return false;
    if (!exporter_.isBusy() && !waiting_) return true;
    say(tr("Another export is in progress."), tr("Cancel"), [this] { cancel(); });
    return false;
}

void TableWork::exportTo(const QString& file, exports::TableRows rows, exports::TableFormat format) {
    if (!canExport()) return;
    if (rows == exports::TableRows::Leaves) return exportWithNames({file, format}, haveLeavesNames());
    say(tr("Exporting…"), tr("Cancel"), [this] { cancel(); });
    note_.clear();
    auto shown = view_.shownRows();
    shown.trace = planner_.trace();
    exporter_.exportShown(std::move(shown), format, file);
}

void TableWork::exportFormat(const QString& file, formats::TraceFormat format) {
    if (!canExport()) return;
    // A report contains the rows of the table; other formats contain all stacks.
    exportWithNames({file, {}, format}, format != formats::TraceFormat::Report || haveLeavesNames());
}

void TableWork::exportWithNames(WaitingExport wanted, bool hasNames) {
    waiting_ = std::move(wanted);
    if (hasNames) emit namesWanted();
    if (!hasNames || !planner_.shown().areNamesComing()) return writeWaiting();
    say(waiting_->other
            ? tr("Function names are still being loaded. The table will be exported when they are available.")
            : tr("Function names are still being loaded. The leaves will be exported when they are available."),
        tr("Export Now"), [this] { writeWaiting(); });
}

bool TableWork::haveLeavesNames() const {
    const auto& query = model_.answer()->query();
    const bool areLabelsOfNames = query.annotations && dependOnNames(*query.annotations);
    const auto hasNames = [areLabelsOfNames](analysis::Column column) {
        return analysis::showsNames(column) || (areLabelsOfNames && column == analysis::Column::Annotation);
    };
    return std::any_of(query.keys.begin(), query.keys.end(), hasNames) ||
           std::any_of(query.columns.begin(), query.columns.end(),
                       [hasNames](const auto& column) { return hasNames(column.column); });
}

formats::TraceExport TableWork::shownExport() const {
    formats::TraceExport what;
    what.trace = planner_.trace();
    what.labels = planner_.labels();
    what.query = model_.answer()->query();
    if (const auto name = planner_.shown().name(); !name.isEmpty()) what.traces = {name.toStdString()};
    const auto& base = planner_.shown().timeBase();
    what.properties.startFileTime = base.startFileTime;
    what.properties.biasMinutes = base.biasMinutes;
    bool areQueries = true;
    QStringList queries;
    for (const auto& step : planner_.graph().filterSteps()) {
        what.filters.push_back(step.text.toStdString());
        areQueries = areQueries && step.query && !step.hasName;
        queries << QStringLiteral("(%1)").arg(step.text);
    }
    if (areQueries) what.filterQuery = queries.join(QStringLiteral(" AND ")).toStdString();
    return what;
}

void TableWork::writeWaiting() {
    const auto wanted = std::exchange(waiting_, std::nullopt);
    if (!wanted || !model_.answer() || !planner_.trace()) return;
    say(tr("Exporting…"), tr("Cancel"), [this] { cancel(); });
    note_ = wanted->other ? toQString(formats::noteOn(*wanted->other, *planner_.trace())) : QString();
    if (wanted->other) return exporter_.exportFormat(shownExport(), *wanted->other, wanted->file);
    exporter_.exportLeaves({planner_.trace(), planner_.labels(), model_.answer()->query(), {}}, wanted->format,
                           wanted->file);
}

} // namespace highwater::ui

#include "moc_table_work.cpp"
