#include "app/symbols/symbol_session.h"

#include "core/pipeline/trace_archives.h"
#include "ui/format/qt_text.h"

#include <algorithm>
#include <utility>

namespace highwater::app {

using ui::toPath;

namespace {

constexpr int kSymbolsFirstPollMs = 50; ///< before the first name
constexpr int kSymbolsPollMs = 200;
constexpr int kReportMs = 1000; ///< minimum time between two updates of all labels
constexpr int kReloadMs = 2000; ///< between two scans of a growing trace's publications

std::vector<std::string> toStrings(const QStringList& names) {
    std::vector<std::string> texts;
    for (const auto& name : names)
        texts.push_back(name.toStdString());
    return texts;
}

} // namespace

SymbolSession::SymbolSession(symbols::Environment environment, QObject* parent)
    : QObject(parent), environment_(std::move(environment)), table_(std::make_shared<symbols::SymbolTable>()) {
    connect(&timer_, &QTimer::timeout, this, &SymbolSession::poll);
}

SymbolSession::~SymbolSession() { retire(); }

QString SymbolSession::usualCacheFolder() const {
    return QString::fromStdString(symbols::defaultCacheFolder(environment_).string());
}

std::shared_ptr<const symbols::NameSource> SymbolSession::begin(const QStringList& traces) {
    Names names{traces};
    auto table = names.table;
    if (trace_)
        requested_ = std::move(names);
    else
        startOver(std::move(names));
    return table;
}

void SymbolSession::close() { startOver({}); }

void SymbolSession::startOver(Names names) {
    requested_.reset();
    retire();
    located_.clear(); // module numbers are specific to a trace
    choices_.usesImagePaths.reset();
    traces_ = std::move(names.traces);
    trace_.reset();
    labels_.reset();
    isWanted_ = isCancelled_ = hasEnded_ = false;
    named_ = 0;
    table_ = std::move(names.table);
    reportedRevision_ = table_->view()->revision();
    emit statusChanged();
}

void SymbolSession::setTrace(std::shared_ptr<const store::PublishedTrace> trace,
                             std::shared_ptr<analysis::FrameLabels> labels) {
    if (requested_ && labels_ != labels) startOver(*std::exchange(requested_, std::nullopt));
    trace_ = std::move(trace);
    if (labels_ != labels) {
        labels->setNameStyle(style_);
        labels->setStackTags(stackTags_);
    }
    labels_ = std::move(labels);
    if (isWanted_) pollSoon();
}

void SymbolSession::noteEnd() {
    hasEnded_ = true;
    if (isWanted_) pollSoon();
}

void SymbolSession::setEnabled(bool enabled) {
    if (std::exchange(isEnabled_, enabled) == enabled) return;
    if (enabled) return;
    isWanted_ = false;
    retire();
    table_->forgetAll();
    notifyNamesChanged(true);
    emit statusChanged();
}

void SymbolSession::loadLazily() {
    if (isEnabled_ && !isWanted_ && !isCancelled_) loadNow();
    preferVisible();
}

void SymbolSession::loadNow() {
    isWanted_ = isEnabled_;
    isCancelled_ = false;
    pollSoon();
}

void SymbolSession::setNameStyle(symbols::NameStyle style) {
    if (std::exchange(style_, style) == style || !labels_) return;
    labels_->setNameStyle(style);
    emit namesChanged();
}

void SymbolSession::setStackTags(std::shared_ptr<const analysis::StackTags> tags) {
    if (std::exchange(stackTags_, std::move(tags)) == stackTags_ || !labels_) return;
    labels_->setStackTags(stackTags_);
    emit namesChanged();
}

void SymbolSession::setChoices(const ui::SymbolChoices& choices) {
    if (std::exchange(choices_, choices) == choices) return;
    isCancelled_ = false;
    if (!loader_) return;
    retire();
    // Names that are valid under the new settings come from the cache at once.
    table_->forgetAll();
    named_ = 0;
    pollSoon();
}

pipeline::SymbolSources SymbolSession::sources() const {
    pipeline::SymbolSources sources;
    std::vector<std::filesystem::path> traces;
    for (const auto& trace : traces_)
        traces.push_back(toPath(trace));
    sources.path = choices_.usesTraceFolders ? pipeline::withTraceFolders(choices_.path, traces) : choices_.path;
    const auto cache = toPath(choices_.cacheFolder.isEmpty() ? usualCacheFolder() : choices_.cacheFolder);
    sources.options.cacheFolder = cache;
    sources.options.environment = environment_;
    if (choices_.onlyCached) sources.options.reach = symbols::StoreOptions::Reach::OnlyCached;
    sources.options.besideTrace = pipeline::traceFolders(traces);
    if (choices_.usesTraceFolders) sources.options.archives = pipeline::traceArchives(traces);
    sources.nameCacheFolder = cache / "names";
    using ImagePaths = pipeline::SymbolSources::ImagePaths;
    const auto usual = traces.size() > 1 ? ImagePaths::Never : ImagePaths::IfRecordedHere;
    const auto chosen = choices_.usesImagePaths.value_or(false) ? ImagePaths::Always : ImagePaths::Never;
    sources.imagePaths = choices_.usesImagePaths ? chosen : usual;
    sources.located = located_;
    return sources;
}

pipeline::SymbolScope SymbolSession::scope() const {
    pipeline::SymbolScope scope;
    scope.processNames = toStrings(choices_.processes);
    scope.moduleNames = toStrings(choices_.modules);
    return scope;
}

void SymbolSession::load() {
    if (!loader_) {
        loader_ = std::make_unique<pipeline::SymbolLoader>(table_, sources());
        sinceReport_.invalidate();
    }
    loaded_ = trace_;
    sinceLoad_.start();
    timer_.start(kSymbolsFirstPollMs);
    preferVisible();
    loader_->load(trace_, scope());
}

/// Its threads may be in the middle of a file, so another thread waits for their end. It adds no more names.
void SymbolSession::retire() {
    timer_.stop();
    loaded_.reset();
    preferred_.clear();
    if (!loader_) return;
    located_ = loader_->located();
    loader_->cancel();
    retired_.add([loader = std::shared_ptr<pipeline::SymbolLoader>(std::move(loader_))]() mutable { loader.reset(); });
}

void SymbolSession::pollSoon() {
    if (!isWanted_ || !trace_) return;
    if (!timer_.isActive()) timer_.start();
    poll();
}

void SymbolSession::poll() {
    const bool isStale = loaded_ != trace_;
    const bool isDue = !sinceLoad_.isValid() || sinceLoad_.elapsed() >= kReloadMs || !loader_ || hasEnded_;
    if (isWanted_ && !isCancelled_ && isStale && isDue) load();
    if (!loader_) return timer_.stop();
    preferVisible(); // first, because its requests are also work
    const bool isBusy = loader_->status().isBusy;
    if (!isBusy && loaded_) named_ = loaded_->number + 1;
    const bool isDone = !isBusy && (loaded_ == trace_ || isCancelled_);
    notifyNamesChanged(isDone);
    const bool hasBegun = sinceReport_.isValid() || sinceLoad_.elapsed() > kReloadMs;
    timer_.setInterval(hasBegun ? kSymbolsPollMs : kSymbolsFirstPollMs);
    emit statusChanged();
    if (isDone && hasEnded_) timer_.stop();
}

void SymbolSession::preferVisible() {
    if (!loader_ || !visibleFrames_ || !labels_) return;
    auto frames = visibleFrames_();
    if (frames.empty() || frames == preferred_) return;
    preferred_ = frames;
    loader_->prefer(labels_, std::move(frames));
}

/// Shows the first names at once and later ones at a limited rate, because each update repeats all queries.
void SymbolSession::notifyNamesChanged(bool isLast) {
    const auto revision = table_->view()->revision();
    if (revision == reportedRevision_) return;
    if (!isLast && sinceReport_.isValid() && sinceReport_.elapsed() < kReportMs) return;
    reportedRevision_ = revision;
    sinceReport_.start();
    emit namesChanged();
}

void SymbolSession::cancel(const std::vector<store::ModuleIndex>& modules) {
    if (!loader_) return;
    isCancelled_ = modules.empty();
    if (modules.empty()) loader_->cancel();
    for (const auto module : modules)
        loader_->cancel(module);
    timer_.start();
}

void SymbolSession::retry(const std::vector<store::ModuleIndex>& modules) {
    isCancelled_ = false;
    named_ = 0;
    if (!loader_) return loadNow();
    if (modules.empty()) loader_->retry();
    for (const auto module : modules)
        loader_->retry(module);
    timer_.start();
}

void SymbolSession::locate(store::ModuleIndex module, const QString& file) {
    if (!loader_) return;
    loader_->locate(module, toPath(file));
    timer_.start();
}

bool SymbolSession::areNamesComing() const {
    if (!isWanted_ || isCancelled_ || !trace_) return false;
    return !loader_ || loaded_ != trace_ || loader_->status().isBusy || table_->view()->revision() != reportedRevision_;
}

symbols::SymbolLoadStatus SymbolSession::status() const {
    return loader_ ? loader_->status() : symbols::SymbolLoadStatus();
}

/// If one of several files was recorded here, the others may not have been.
bool SymbolSession::isRecordedHere() const {
    return trace_ && traces_.size() <= 1 && pipeline::isRecordedHere(*trace_->processes);
}

std::shared_ptr<const store::ProcessTable> SymbolSession::processes() const {
    return trace_ ? trace_->processes : nullptr;
}

} // namespace highwater::app

#include "moc_symbol_session.cpp"
