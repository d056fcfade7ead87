#include "app/recording/trace_opener.h"

#include "app/settings/application_settings.h"
#include "core/pipeline/index/trace_index_cache.h"
#include "core/source/profiles/profile_files.h"
#include "core/symbols/places/symbol_path.h"
#include "ui/format/qt_text.h"
#include "ui/view/access/trace_guard.h"

#include <filesystem>

namespace highwater::app {

using ui::toPath;

namespace {

constexpr int kFirstPollMs = 30; ///< before the first publication
constexpr int kPollMs = 250;

} // namespace

QString traceFileFilter() {
    return TraceOpener::tr("Traces (*.etl *.zip *.diagsession %1);;All files (*)")
        .arg(QString::fromStdString(source::profilePatterns()));
}

TraceOpener::TraceOpener(QObject* parent) : QObject(parent) {
    connect(&timer_, &QTimer::timeout, this, &TraceOpener::poll);
}

TraceOpener::~TraceOpener() {
    ui::registerOpenTraces(this, {});
    retire();
}

void TraceOpener::keepIndexes(const ApplicationSettings& settings) {
    indexes_.reset();
    auto folder = toPath(settings.indexFolder());
    if (folder.empty()) {
        const auto cache = symbols::userCacheFolder(symbols::systemEnvironment());
        if (!cache) return;
        folder = *cache / pipeline::kTraceIndexFolder;
    }
    if (settings.indexLimit() == 0) return;
    indexes_ = std::make_shared<pipeline::TraceIndexCache>(
        pipeline::TraceIndexCache::Options{.folder = folder, .limitBytes = settings.indexLimit()});
}

void TraceOpener::open(const QStringList& paths, std::shared_ptr<const symbols::NameSource> names) {
    retire();
    paths_ = paths;
    ui::registerOpenTraces(this, shownPaths_ + paths);
    shown_.reset();
    reported_.reset();
    labels_ = std::make_shared<analysis::FrameLabels>(std::move(names));
    std::vector<std::filesystem::path> files;
    for (const auto& path : paths) {
        files.push_back(toPath(path));
    }
    loader_ = std::make_unique<pipeline::TraceLoader>(std::move(files), indexes_);
    timer_.start(kFirstPollMs);
}

void TraceOpener::cancel() {
    if (loader_) loader_->cancel();
}

void TraceOpener::close() {
    timer_.stop();
    retire();
    shown_.reset();
    paths_.clear();
    shownPaths_.clear();
    ui::registerOpenTraces(this, {});
}

/// Its threads may be in the middle of a batch, so another thread waits for their end.
void TraceOpener::retire() {
    if (!loader_) return;
    loader_->cancel();
    retired_.add([loader = std::shared_ptr<pipeline::TraceLoader>(std::move(loader_))] { loader->wait(); });
}

void TraceOpener::poll() {
    // Check before fetching the newest prefix, so that the prefix fetched after "done" is the last one.
    const auto state = loader_->state();
    const bool isDone = loader_->isDone();
    emit progressed(loader_->progress().done.load(), loader_->progress().total.load());
    publishNewest(isDone);
    if (!isDone) return;
    timer_.stop();
    ui::registerOpenTraces(this, shownPaths_); // a failed trace is not open
    const auto error = loader_->error();
    emit ended(state, error ? QString::fromStdString(error->message) : QString());
}

void TraceOpener::publishNewest(bool isLast) {
    auto trace = loader_->latest();
    if (!trace || trace == shown_) return;
    if (!isLast && trace->wholeRange().isEmpty()) return; // nothing to show yet
    if (!shown_) timer_.start(kPollMs);
    shown_ = trace;
    shownPaths_ = paths_;
    ui::registerOpenTraces(this, shownPaths_);
    if (auto notes = loader_->notes(); notes != reported_) {
        reported_ = notes;
        emit noted(std::move(notes));
    }
    emit published(std::move(trace), labels_);
}

} // namespace highwater::app

#include "moc_trace_opener.cpp"
