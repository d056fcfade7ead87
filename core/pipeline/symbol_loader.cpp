#include "core/pipeline/symbol_loader.h"

#include <algorithm>

namespace highwater::pipeline {

using symbols::SymbolPath, symbols::SymbolPathEntry, symbols::SymbolSearch;
using State = ModuleLoad::State;

struct SymbolLoader::Job {
    std::shared_ptr<const store::PublishedTrace> trace;
    SymbolScope scope;
    bool isRetry = false;
    std::optional<store::ModuleIndex> located; ///< just this module, from `file`
    std::filesystem::path file;
};

struct SymbolLoader::Module {
    ModuleLoad load;
    std::shared_ptr<Progress> download = std::make_shared<Progress>();
    std::filesystem::path chosen; ///< by the user
};

namespace {

std::string fileNameOf(const std::string& path) {
    const auto slash = path.find_last_of("\\/");
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

symbols::SoughtImage soughtImage(const store::ProcessTable& processes, const store::Module& module) {
    symbols::SoughtImage image;
    image.name = module.name;
    image.pdbName = fileNameOf(module.identity.pdbName);
    image.identity.pdbGuid = module.identity.pdbGuid;
    image.identity.pdbAge = module.identity.pdbAge;
    // An image that does not say which build it is could be any.
    if (image.identity.isKnown()) image.path = processes.dosPath(module.path);
    return image;
}

State stateOf(SymbolSearch::State state) {
    switch (state) {
    case SymbolSearch::State::Found:
        return State::Found;
    case SymbolSearch::State::NotFound:
        return State::NotFound;
    case SymbolSearch::State::Mismatched:
        return State::Mismatched;
    case SymbolSearch::State::Cancelled:
        break;
    }
    return State::Cancelled;
}

bool isOpen(State state) { return state == State::Waiting || state == State::Loading; }

} // namespace

SymbolPath withTraceFolders(const SymbolPath& path, std::span<const std::filesystem::path> traces) {
    std::vector<SymbolPathEntry> entries;
    for (const auto& trace : traces) {
        const auto folder = symbols::traceSymbolFolder(trace);
        if (!folder) continue;
        const auto place = folder->path.string();
        const auto& known = path.entries();
        const bool isNamed = std::any_of(known.begin(), known.end(), [&](const auto& e) { return e.place == place; });
        if (!isNamed) entries.push_back({SymbolPathEntry::Kind::Folder, {}, place, true});
    }
    entries.insert(entries.end(), path.entries().begin(), path.entries().end());
    return SymbolPath(std::move(entries));
}

std::size_t SymbolLoadStatus::count(State state) const {
    return static_cast<std::size_t>(
        std::count_if(modules.begin(), modules.end(), [&](const auto& module) { return module.state == state; }));
}

std::size_t SymbolLoadStatus::doneCount() const {
    return modules.size() - count(State::Waiting) - count(State::Loading);
}

SymbolLoader::SymbolLoader(std::shared_ptr<symbols::SymbolTable> table, SymbolSources sources, unsigned workers)
    : table_(std::move(table)),
      sources_(std::move(sources)),
      workers_(std::max(1u, workers)),
      store_(sources_.path, sources_.options, fetcher_),
      cache_(sources_.nameCacheFolder),
      resolver_(store_, cache_),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

SymbolLoader::~SymbolLoader() {
    thread_.request_stop();
    cancel();
    changed_.notify_all();
}

void SymbolLoader::start(Job job) {
    {
        const std::lock_guard lock(mutex_);
        waiting_ = std::make_unique<Job>(std::move(job));
    }
    changed_.notify_all();
}

void SymbolLoader::load(std::shared_ptr<const store::PublishedTrace> trace, SymbolScope scope) {
    start({std::move(trace), std::move(scope), false, {}, {}});
}

void SymbolLoader::cancel() {
    const std::lock_guard lock(mutex_);
    waiting_.reset();
    round_.request_stop();
    changed_.notify_all();
}

void SymbolLoader::retry() {
    const std::lock_guard lock(mutex_);
    if (waiting_ || !latest_) return;
    fetcher_.forgetFailures();
    waiting_ = std::make_unique<Job>(*latest_);
    waiting_->isRetry = true;
    waiting_->located.reset();
    changed_.notify_all();
}

void SymbolLoader::locate(store::ModuleIndex module, std::filesystem::path file) {
    const std::lock_guard lock(mutex_);
    if (!latest_) return;
    const bool isWaiting = waiting_ != nullptr;
    modules_[module.value].chosen = file;
    if (isWaiting) return; // it is taken from there when its turn comes
    waiting_ = std::make_unique<Job>(*latest_);
    waiting_->isRetry = false;
    waiting_->located = module;
    waiting_->file = std::move(file);
    changed_.notify_all();
}

void SymbolLoader::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !isBusy_ && !waiting_; });
}

SymbolLoadStatus SymbolLoader::status() const {
    const std::lock_guard lock(mutex_);
    SymbolLoadStatus status;
    status.isBusy = isBusy_ || waiting_ != nullptr;
    for (const auto module : order_) {
        const auto& entry = modules_.at(module.value);
        status.modules.push_back(entry.load);
        if (entry.load.state != State::Loading) continue;
        status.modules.back().bytesDone = entry.download->done;
        status.modules.back().bytesTotal = entry.download->total;
    }
    return status;
}

void SymbolLoader::run(const std::stop_token& stop) {
    for (;;) {
        std::unique_lock lock(mutex_);
        isBusy_ = false;
        changed_.notify_all();
        changed_.wait(lock, [&] { return waiting_ != nullptr || stop.stop_requested(); });
        if (stop.stop_requested()) return;
        const auto job = *std::exchange(waiting_, nullptr);
        latest_ = std::make_unique<Job>(job);
        isBusy_ = true;
        round_ = std::stop_source();
        const auto round = round_.get_token();
        lock.unlock();
        loadAll(job, round);
    }
}

void SymbolLoader::loadAll(const Job& job, const std::stop_token& stop) {
    plan(job, symbolDemand(*job.trace, job.scope));
    {
        std::vector<std::jthread> workers;
        for (unsigned i = 0; i < workers_; ++i) {
            workers.emplace_back([&] {
                while (const auto demand = next())
                    loadModule(*job.trace->processes, *demand, stop);
            });
        }
    }
    const std::lock_guard lock(mutex_);
    for (auto& [index, module] : modules_) {
        if (isOpen(module.load.state)) module.load.state = State::Cancelled;
    }
}

void SymbolLoader::plan(const Job& job, std::vector<ModuleDemand> demands) {
    const std::lock_guard lock(mutex_);
    queue_.clear();
    nextOfQueue_ = 0;
    order_.clear();
    for (auto& demand : demands) {
        auto& module = modules_[demand.module.value];
        const bool isNew = module.load.frames == 0;
        const bool isLocated = job.located == demand.module;
        const bool wasNotFound = !isNew && module.load.state != State::Found;
        module.load.module = demand.module;
        module.load.frames = demand.frames;
        module.load.bytes = demand.bytes;
        order_.push_back(demand.module);
        if (job.located && !isLocated) continue;
        if (isLocated || (job.isRetry && wasNotFound)) table_->forget(demand.module);
        demand.addresses = table_->unanswered(demand.module, demand.addresses);
        if (demand.addresses.empty()) continue;
        module.load.state = State::Waiting;
        queue_.push_back(std::move(demand));
    }
}

std::optional<ModuleDemand> SymbolLoader::next() {
    const std::lock_guard lock(mutex_);
    if (nextOfQueue_ >= queue_.size() || round_.stop_requested()) return std::nullopt;
    auto demand = std::move(queue_[nextOfQueue_++]);
    auto& module = modules_[demand.module.value];
    module.load.state = State::Loading;
    module.download = std::make_shared<Progress>();
    return demand;
}

void SymbolLoader::loadModule(const store::ProcessTable& processes, const ModuleDemand& demand,
                              const std::stop_token& stop) {
    const auto image = soughtImage(processes, processes.module(demand.module));
    std::shared_ptr<Progress> download;
    std::filesystem::path chosen;
    {
        const std::lock_guard lock(mutex_);
        download = modules_[demand.module.value].download;
        chosen = modules_[demand.module.value].chosen;
    }
    symbols::ModuleAnswer answer;
    if (chosen.empty()) {
        answer = resolver_.resolve(image, demand.addresses, *download, stop);
    } else {
        auto found = store_.tryFile(image, chosen);
        answer.addresses = demand.addresses;
        answer.state = found.state;
        answer.path = found.path;
        answer.tried = std::move(found.tried);
        if (found.file) {
            answer.hasPrivateSymbols = found.file->hasPrivateSymbols();
            answer.names = found.file->resolve(demand.addresses, stop);
        } else {
            answer.names.firstFrame.resize(demand.addresses.size() + 1, 0);
        }
    }
    if (stop.stop_requested()) answer.state = SymbolSearch::State::Cancelled;
    // What has no name is an answer, too: it is not asked for again before somebody says so.
    if (answer.state != SymbolSearch::State::Cancelled) table_->add(demand.module, answer.addresses, answer.names);
    const std::lock_guard lock(mutex_);
    auto& load = modules_[demand.module.value].load;
    load.state = stateOf(answer.state);
    load.isFromCache = answer.isFromCache;
    load.hasPrivateSymbols = answer.hasPrivateSymbols;
    load.path = answer.path;
    load.tried = std::move(answer.tried);
}

} // namespace highwater::pipeline
