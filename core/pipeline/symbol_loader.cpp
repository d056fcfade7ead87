#include "core/pipeline/symbol_loader.h"

#include "core/base/text.h"
#include "core/base/thread_priority.h"
#include "core/base/within_memory.h"
#include "core/source/records/machine_id.h"
#include "core/symbols/resolver/module_log.h"

#include <algorithm>

namespace highwater::pipeline {

using symbols::SymbolPath, symbols::SymbolPathEntry, symbols::SymbolSearch;
using State = ModuleLoad::State;

/// Only the modules in the sets are requested again.
struct SymbolLoader::Job {
    std::shared_ptr<const store::PublishedTrace> trace;
    SymbolScope scope;
    bool isForAll = true;            ///< otherwise only for modules that are requested again
    bool retriesAll = false;         ///< all that were not found
    std::set<std::uint32_t> retried; ///< found or not
};

struct SymbolLoader::OnScreenRequest {
    std::uint64_t number;
    std::shared_ptr<analysis::FrameLabels> labels;
    std::vector<analysis::LabelId> frames;
};

struct SymbolLoader::Module {
    /// Progress of a module's names.
    enum class Stage {
        Open,        ///< not requested, or in progress; frames on screen may have answers
        Provisional, ///< frames on screen have answers without private symbols, which a download may improve
        Whole,       ///< all requests are answered; late answers for the screen are not better
        GivenUp,     ///< by the user, until it is requested again
    };

    ModuleLoad load;
    Stage stage = Stage::Open;
    std::shared_ptr<Progress> download = std::make_shared<Progress>();
    std::stop_source stop;            ///< for the file being read
    std::filesystem::path chosen;     ///< by the user
    bool isLocal = false;             ///< a debug file with private symbols is on this machine, so no server is asked
    bool isLogged = false;            ///< source of the names on screen
    std::set<symbols::Rva> requested; ///< were already looked for on this machine
};

/// One module to be read by one thread.
struct SymbolLoader::Request {
    ModuleDemand demand;
    std::shared_ptr<Progress> download;
    std::filesystem::path chosen;
    std::stop_token stop;
    bool isLocal = false;
};

namespace {

symbols::SoughtImage soughtImage(const store::ProcessTable& processes, const store::Module& module) {
    symbols::SoughtImage image;
    image.name = module.name;
    image.isIl = module.isIl;
    const auto buildId = symbols::bytesOfHex(buildIdOfPdb(module.identity.pdbName));
    if (buildId && !buildId->empty()) {
        image.identity.buildId = *buildId;
    } else {
        image.pdbName = fileName(module.identity.pdbName);
        image.identity.pdbGuid = module.identity.pdbGuid;
        image.identity.pdbAge = module.identity.pdbAge;
    }
    // An image without a known build id could be any build.
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

symbols::StoreOptions onlyCached(symbols::StoreOptions options) {
    options.reach = symbols::StoreOptions::Reach::OnlyCached;
    return options;
}

bool isOpen(State state) { return state == State::Waiting || state == State::Loading; }

} // namespace

bool isRecordedHere(const store::ProcessTable& processes) {
    return processes.machine() != Guid{} && processes.machine() == source::machineId();
}

std::vector<std::filesystem::path> traceFolders(std::span<const std::filesystem::path> traces) {
    std::vector<std::filesystem::path> folders;
    for (const auto& trace : traces) {
        if (auto folder = symbols::traceSymbolPath(trace)) folders.push_back(std::move(*folder));
    }
    return folders;
}

SymbolPath withTraceFolders(const SymbolPath& path, std::span<const std::filesystem::path> traces) {
    auto entries = path.entries();
    for (const auto& folder : traceFolders(traces)) {
        const auto place = folder.string();
        const auto& known = path.entries();
        const bool isNamed = std::any_of(known.begin(), known.end(), [&](const auto& e) { return e.place == place; });
        if (!isNamed) entries.push_back({SymbolPathEntry::Kind::Folder, {}, place, true});
    }
    return SymbolPath(std::move(entries));
}

SymbolLoader::SymbolLoader(std::shared_ptr<symbols::SymbolTable> table, SymbolSources sources, unsigned workers)
    : table_(std::move(table)),
      sources_(std::move(sources)),
      workers_(std::max(1u, workers)),
      store_(sources_.path, sources_.options, fetcher_),
      localStore_(sources_.path, onlyCached(sources_.options), fetcher_),
      cache_(sources_.nameCacheFolder),
      resolver_(store_, cache_),
      localResolver_(localStore_, cache_) {
    for (auto& [module, file] : sources_.located)
        modules_[module].chosen = file;
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    onScreenThread_ = std::jthread([this](const std::stop_token& stop) { runOnScreenRequests(stop); });
}

SymbolLoader::~SymbolLoader() {
    {
        const std::lock_guard lock(mutex_); // otherwise the threads could miss it before they wait
        thread_.request_stop();
        onScreenThread_.request_stop();
    }
    cancel();
    changed_.notify_all();
}

/// Requests made while another job waits are merged with it. Under the lock.
void SymbolLoader::enqueue(const Job& job) {
    if (!waiting_) {
        waiting_ = std::make_unique<Job>(job);
    } else {
        waiting_->isForAll = waiting_->isForAll || job.isForAll;
        waiting_->retriesAll = waiting_->retriesAll || job.retriesAll;
        waiting_->retried.insert(job.retried.begin(), job.retried.end());
        if (job.isForAll && !job.retriesAll) {
            waiting_->trace = job.trace;
            waiting_->scope = job.scope;
        }
    }
    if (round_.stop_requested()) round_ = std::stop_source();
    changed_.notify_all();
}

void SymbolLoader::load(std::shared_ptr<const store::PublishedTrace> trace, SymbolScope scope) {
    const std::lock_guard lock(mutex_);
    enqueue({std::move(trace), std::move(scope), true, false, {}});
}

void SymbolLoader::prefer(std::shared_ptr<analysis::FrameLabels> labels, std::vector<analysis::LabelId> frames) {
    const std::lock_guard lock(mutex_);
    onScreen_ =
        std::make_unique<OnScreenRequest>(OnScreenRequest{++lastOnScreen_, std::move(labels), std::move(frames)});
    changed_.notify_all();
}

void SymbolLoader::cancel() {
    {
        const std::lock_guard lock(mutex_);
        waiting_.reset();
        onScreen_.reset();
        round_.request_stop();
        for (auto& [index, module] : modules_)
            module.stop.request_stop();
        changed_.notify_all();
    }
    const std::lock_guard added(addMutex_); // an addition in progress has finished
}

void SymbolLoader::cancel(store::ModuleIndex index) {
    const std::lock_guard lock(mutex_);
    const auto module = modules_.find(index.value);
    if (module == modules_.end()) return;
    module->second.stop.request_stop();
    module->second.stage = Module::Stage::GivenUp;
    if (module->second.load.state == State::Waiting) module->second.load.state = State::Cancelled;
    std::erase_if(queue_, [&](const auto& demand) { return demand.module == index; });
}

void SymbolLoader::retry() {
    const std::lock_guard lock(mutex_);
    if (!latest_) return;
    fetcher_.forgetFailures();
    enqueue({latest_->trace, latest_->scope, true, true, {}});
}

void SymbolLoader::retry(store::ModuleIndex module) {
    const std::lock_guard lock(mutex_);
    if (!latest_) return;
    fetcher_.forgetFailures();
    enqueue({latest_->trace, latest_->scope, false, false, {module.value}});
}

void SymbolLoader::locate(store::ModuleIndex module, std::filesystem::path file) {
    const std::lock_guard lock(mutex_);
    modules_[module.value].chosen = std::move(file);
    if (latest_) enqueue({latest_->trace, latest_->scope, false, false, {module.value}});
}

std::map<std::uint32_t, std::filesystem::path> SymbolLoader::located() const {
    const std::lock_guard lock(mutex_);
    std::map<std::uint32_t, std::filesystem::path> files;
    for (const auto& [index, module] : modules_)
        if (!module.chosen.empty()) files.emplace(index, module.chosen);
    return files;
}

/// Under the lock. A request without a trace waits for one.
bool SymbolLoader::isIdle() const { return !isBusy_ && !waiting_ && !isOnScreenBusy_ && !(onScreen_ && latest_); }

void SymbolLoader::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return isIdle(); });
}

SymbolLoadStatus SymbolLoader::status() const {
    const std::lock_guard lock(mutex_);
    SymbolLoadStatus status;
    status.isBusy = !isIdle();
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
        const auto round = round_.get_token();
        changed_.notify_all();
        lock.unlock();
        awaitOnScreenRequest(round);
        // A module without names because of low memory ends as cancelled, and may be requested again.
        (void)withinMemory([&]() -> Result<void> {
            loadAll(job, round);
            return {};
        });
        endRound();
    }
}

/// Frames on screen are read before the machine is busy with everything else. They do not wait for a server, so this
/// takes little time. Later requests do not delay anything.
void SymbolLoader::awaitOnScreenRequest(const std::stop_token& round) {
    std::unique_lock lock(mutex_);
    const auto newest = lastOnScreen_;
    changed_.wait(
        lock, [&] { return round.stop_requested() || doneOnScreen_ >= newest || (!onScreen_ && !isOnScreenBusy_); });
}

void SymbolLoader::runOnScreenRequests(const std::stop_token& stop) {
    for (;;) {
        std::unique_lock lock(mutex_);
        isOnScreenBusy_ = false;
        changed_.notify_all();
        changed_.wait(lock, [&] { return (onScreen_ && latest_) || stop.stop_requested(); });
        if (stop.stop_requested()) return;
        const auto onScreen = *std::exchange(onScreen_, nullptr);
        const auto trace = latest_->trace;
        const auto scope = latest_->scope;
        isOnScreenBusy_ = true;
        lock.unlock();
        // If memory is too low for them, frames on screen wait for the names of all.
        (void)withinMemory([&]() -> Result<void> {
            for (auto& demand : symbolDemandOfLabels(*trace, scope, *onScreen.labels, onScreen.frames)) {
                if (const auto request = requested(std::move(demand))) loadRequested(*trace->processes, *request);
            }
            return {};
        });
        lock.lock();
        doneOnScreen_ = onScreen.number;
    }
}

void SymbolLoader::loadAll(const Job& job, const std::stop_token& round) {
    if (!round.stop_requested()) plan(job, demand_.ofAll(*job.trace, job.scope));
    FirstException failure;
    const auto load = [&] {
        lowerThreadPriority(); // names are not urgent; frames on screen have their own thread
        while (!round.stop_requested()) {
            std::optional<Request> request;
            failure.guard([&] { request = next(); });
            if (!request) return;
            failure.guard([&] { loadWhole(*job.trace->processes, *request); });
        }
    };
    {
        std::vector<std::jthread> workers;
        try {
            for (unsigned i = 0; i < workers_; ++i)
                workers.emplace_back(load);
        } catch (const std::system_error&) { // the existing threads do all the work
            if (workers.empty()) throw;
        }
    }
    failure.rethrow();
}

/// Cancels unanswered requests.
void SymbolLoader::endRound() {
    const std::lock_guard lock(mutex_);
    queue_.clear();
    for (auto& [index, module] : modules_) {
        if (isOpen(module.load.state)) module.load.state = State::Cancelled;
    }
}

void SymbolLoader::plan(const Job& job, std::vector<ModuleDemand> demands) {
    const std::lock_guard lock(mutex_);
    queue_.clear();
    order_.clear();
    for (auto& demand : demands) {
        auto& module = modules_[demand.module.value];
        const bool isNew = module.load.frames == 0;
        const bool wasNotFound = !isNew && module.load.state != State::Found;
        const bool isRetried = job.retried.contains(demand.module.value) || (job.retriesAll && wasNotFound);
        module.load.module = demand.module;
        module.load.frames = demand.frames;
        module.load.bytes = demand.bytes;
        order_.push_back(demand.module);
        if (!isRetried && (!job.isForAll || module.stage == Module::Stage::GivenUp)) continue;
        if (isRetried) {
            table_->forget(demand.module);
            module.isLocal = false;
            module.stage = Module::Stage::Open;
            module.requested.clear();
        }
        const bool hasOpen = !table_->unanswered(demand.module, demand.addresses).empty();
        if (!hasOpen && module.stage == Module::Stage::Whole) continue;
        module.load.state = State::Waiting;
        if (module.stage == Module::Stage::Whole) module.stage = Module::Stage::Open;
        queue_.push_back(std::move(demand));
    }
}

std::optional<SymbolLoader::Request> SymbolLoader::next() {
    const std::lock_guard lock(mutex_);
    while (!queue_.empty() && !round_.stop_requested()) {
        Request request{std::move(queue_.front()), {}, {}, {}, false};
        queue_.pop_front();
        auto& module = modules_[request.demand.module.value];
        if (module.stage != Module::Stage::Provisional) {
            auto& addresses = request.demand.addresses;
            addresses = table_->unanswered(request.demand.module, addresses);
            if (addresses.empty()) { // the screen already had all of the module
                module.load.state = State::Found;
                module.stage = Module::Stage::Whole;
                continue;
            }
        }
        module.load.state = State::Loading;
        module.stop = std::stop_source();
        module.download = std::make_shared<Progress>();
        request.stop = module.stop.get_token();
        request.download = module.download;
        request.chosen = module.chosen;
        request.isLocal = module.isLocal;
        return request;
    }
    return std::nullopt;
}

/// The part of a request that is unknown and was not looked for.
std::optional<SymbolLoader::Request> SymbolLoader::requested(ModuleDemand demand) {
    const std::lock_guard lock(mutex_);
    if (round_.stop_requested()) return std::nullopt;
    auto& module = modules_[demand.module.value];
    std::erase_if(demand.addresses, [&](auto address) { return module.requested.contains(address); });
    demand.addresses = table_->unanswered(demand.module, demand.addresses);
    if (module.stage == Module::Stage::Whole || demand.addresses.empty()) return std::nullopt;
    module.requested.insert(demand.addresses.begin(), demand.addresses.end());
    return Request{std::move(demand), std::make_shared<Progress>(), module.chosen, round_.get_token(), true};
}

bool SymbolLoader::trustsPathsOf(const store::ProcessTable& processes) const {
    if (sources_.imagePaths == SymbolSources::ImagePaths::IfRecordedHere) return isRecordedHere(processes);
    return sources_.imagePaths == SymbolSources::ImagePaths::Always;
}

symbols::ModuleAnswer SymbolLoader::answerTo(const store::ProcessTable& processes, const Request& request,
                                             Pass pass) const {
    auto image = soughtImage(processes, processes.module(request.demand.module));
    image.isPathTrusted = trustsPathsOf(processes);
    const auto& addresses = request.demand.addresses;
    SymbolSearch chosen;
    if (!request.chosen.empty()) chosen = store_.tryFile(image, request.chosen);
    symbols::ModuleAnswer answer;
    if (chosen.file) {
        answer.addresses = addresses;
        answer.state = chosen.state;
        answer.path = chosen.path;
        answer.tried = std::move(chosen.tried);
        answer.hasPrivateSymbols = chosen.file->hasPrivateSymbols();
        answer.names = chosen.file->resolve(addresses, request.stop);
        return answer;
    }
    const bool isLocal = pass == Pass::OnScreen || request.isLocal;
    const auto& resolver = isLocal ? localResolver_ : resolver_;
    answer = resolver.resolve(image, addresses, *request.download, request.stop);
    // A wrong file does not discard results found elsewhere.
    if (!request.chosen.empty() && answer.state == SymbolSearch::State::NotFound) answer.state = chosen.state;
    answer.tried.insert(answer.tried.begin(), chosen.tried.begin(), chosen.tried.end());
    return answer;
}

bool SymbolLoader::publish(const Request& request, const symbols::ModuleAnswer& answer, Pass pass) {
    const std::lock_guard one(addMutex_);
    {
        const std::lock_guard lock(mutex_);
        auto& module = modules_[request.demand.module.value];
        if (request.stop.stop_requested()) return false;
        if (pass == Pass::OnScreen && module.stage == Module::Stage::Whole) return false;
        if (pass == Pass::Whole) module.stage = Module::Stage::Whole;
    }
    table_->add(request.demand.module, answer.addresses, answer.names);
    return true;
}

void SymbolLoader::loadWhole(const store::ProcessTable& processes, const Request& request) {
    auto answer = answerTo(processes, request, Pass::Whole);
    symbols::logModule(processes.module(request.demand.module).name, answer);
    // A missing name is also an answer. It is only requested again on demand.
    const bool isCancelled = answer.state == SymbolSearch::State::Cancelled;
    const bool isPublished = !isCancelled && publish(request, answer, Pass::Whole);
    const std::lock_guard lock(mutex_);
    auto& module = modules_[request.demand.module.value];
    auto& load = module.load;
    load.state = isPublished ? stateOf(answer.state) : State::Cancelled;
    load.isFromCache = answer.isFromCache;
    load.hasPrivateSymbols = answer.hasPrivateSymbols;
    load.path = answer.path;
    load.tried = std::move(answer.tried);
}

/// Uses only files on this machine. A missing file is not an answer, because a server may have it.
void SymbolLoader::loadRequested(const store::ProcessTable& processes, const Request& request) {
    const auto answer = answerTo(processes, request, Pass::OnScreen);
    const bool isFound = answer.state == SymbolSearch::State::Found;
    if (!isFound || !publish(request, answer, Pass::OnScreen)) return moveToFront(request.demand.module);
    // Symbols stored with the trace are not a reason to skip the server.
    const bool isGood = answer.hasPrivateSymbols && answer.origin != SymbolSearch::Origin::BesideTrace;
    {
        const std::lock_guard lock(mutex_);
        auto& module = modules_[request.demand.module.value];
        // The next request is usually for the same file.
        if (!std::exchange(module.isLogged, true))
            symbols::logModule(processes.module(request.demand.module).name, answer);
        module.isLocal = isGood;
        if (module.stage == Module::Stage::Whole) return;
        if (module.stage != Module::Stage::GivenUp)
            module.stage = isGood ? Module::Stage::Open : Module::Stage::Provisional;
        module.load.isFromCache = answer.isFromCache;
        module.load.hasPrivateSymbols = answer.hasPrivateSymbols;
        module.load.path = answer.path;
        module.load.tried = answer.tried;
    }
    if (!isGood) moveToFront(request.demand.module);
}

void SymbolLoader::moveToFront(store::ModuleIndex module) {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(queue_.begin(), queue_.end(), [&](auto& demand) { return demand.module == module; });
    if (at == queue_.end()) return;
    std::rotate(queue_.begin(), at, at + 1);
}

} // namespace highwater::pipeline
