#pragma once

#include "core/base/progress.h"
#include "core/pipeline/symbol_demand.h"
#include "core/symbols/answers/symbol_table.h"
#include "core/symbols/resolver/module_load.h"
#include "core/symbols/resolver/module_resolver.h"

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

namespace highwater::pipeline {

using symbols::ModuleLoad, symbols::SymbolLoadStatus;

/// Where names come from. A value.
struct SymbolSources {
    symbols::SymbolPath path;
    symbols::StoreOptions options; ///< also whether anything may be downloaded
    std::filesystem::path nameCacheFolder;
    /// Whether images are looked at where the trace says that they are. Whatever it says, only plain paths of local
    /// drives are (symbols::trustedPath).
    enum class ImagePaths { IfRecordedHere, Always, Never } imagePaths = ImagePaths::IfRecordedHere;
    /// Files and folders that the user chose for single modules, by ModuleIndex.
    std::map<std::uint32_t, std::filesystem::path> located;
};

/// Whether the trace says that it was recorded on this computer, so that its paths mean what they meant then.
[[nodiscard]] bool isRecordedHere(const store::ProcessTable& processes);

/// The `<trace>.NGENPDB` folders that lie beside the traces, for StoreOptions::besideTrace.
[[nodiscard]] std::vector<std::filesystem::path> traceFolders(std::span<const std::filesystem::path> traces);

/// The path with the `<trace>.NGENPDB` folders that lie beside the traces, after everything else: they came with the
/// traces, and what the user named wins. Those that the path names already, ticked or not, are left as they are.
[[nodiscard]] symbols::SymbolPath withTraceFolders(const symbols::SymbolPath& path,
                                                   std::span<const std::filesystem::path> traces);

/// Names the frames of a trace in the background: modules that own frames, heaviest first, several at once, asking only
/// for addresses that have no answer in the table yet. Names go into the table module by module; those of frames on
/// screen (see prefer) go before all others and wait for no download.
///
/// All functions may be called by any thread and do not block, except wait() and the destructor, which cancels and
/// waits.
class SymbolLoader {
  public:
    SymbolLoader(std::shared_ptr<symbols::SymbolTable> table, SymbolSources sources, unsigned workers = 4);
    ~SymbolLoader();
    SymbolLoader(const SymbolLoader&) = delete;
    SymbolLoader& operator=(const SymbolLoader&) = delete;

    /// Begins with this publication, or goes on with it after the modules that are being read. Also for later
    /// publications of the same trace: only what is new is asked for. Modules outside of `scope` keep their names.
    void load(std::shared_ptr<const store::PublishedTrace> trace, SymbolScope scope = {});
    /// These frames are on screen: what this machine has of their names is read first and published at once, also
    /// while modules are being read; modules that must be downloaded come next. Replaces the last onScreen. Without
    /// effect before the first load().
    void prefer(std::shared_ptr<analysis::FrameLabels> labels, std::vector<analysis::LabelId> frames);
    /// Stops soon; modules that were not finished are Cancelled, their names so far stay. Nothing is added to the table
    /// after it returned, until the next load().
    void cancel();
    /// Just this module, until it is asked for again with retry().
    void cancel(store::ModuleIndex module);
    /// Asks again for all modules that were not found, mismatched or cancelled, or for this one in any case; servers
    /// that were down, too.
    void retry();
    void retry(store::ModuleIndex module);
    /// Takes the module's names from a file or folder that the user chose; refused (Mismatched) if it is of another
    /// build.
    void locate(store::ModuleIndex module, std::filesystem::path file);
    /// What was located so far, for SymbolSources::located of a loader that follows this one.
    [[nodiscard]] std::map<std::uint32_t, std::filesystem::path> located() const;

    [[nodiscard]] SymbolLoadStatus status() const;
    /// Until nothing is left to do.
    void wait();

  private:
    struct Job;
    struct OnScreenRequest;
    struct Module;
    struct Request;
    enum class Pass { OnScreen, Whole };

    void run(const std::stop_token& stop);
    void runOnScreenRequests(const std::stop_token& stop);
    void awaitOnScreenRequest(const std::stop_token& round);
    void loadAll(const Job& job, const std::stop_token& round);
    void endRound();
    void plan(const Job& job, std::vector<ModuleDemand> demands);
    std::optional<Request> next();
    std::optional<Request> requested(ModuleDemand demand);
    void loadWhole(const store::ProcessTable& processes, const Request& request);
    void loadRequested(const store::ProcessTable& processes, const Request& request);
    [[nodiscard]] bool trustsPathsOf(const store::ProcessTable& processes) const;
    [[nodiscard]] symbols::ModuleAnswer answerTo(const store::ProcessTable& processes, const Request& request,
                                                 Pass pass) const;
    bool publish(const Request& request, const symbols::ModuleAnswer& answer, Pass pass);
    void moveToFront(store::ModuleIndex module);
    void enqueue(const Job& job);
    [[nodiscard]] bool isIdle() const;

    std::shared_ptr<symbols::SymbolTable> table_;
    SymbolSources sources_;
    unsigned workers_;
    symbols::SymbolFetcher fetcher_;
    symbols::SymbolStore store_, localStore_; ///< the second downloads nothing
    symbols::NameCache cache_;
    symbols::ModuleResolver resolver_, localResolver_;
    SymbolDemand demand_;

    std::mutex addMutex_;      ///< one addition to the table at a time, none after cancel(); taken before mutex_
    mutable std::mutex mutex_; ///< guards all below
    std::condition_variable changed_;
    std::unique_ptr<Job> waiting_; ///< the newest request
    std::unique_ptr<Job> latest_;  ///< whose publication and scope hold
    bool isBusy_ = false;
    std::unique_ptr<OnScreenRequest> onScreen_;
    std::uint64_t lastOnScreen_ = 0, doneOnScreen_ = 0; ///< numbers
    bool isOnScreenBusy_ = false;
    std::stop_source round_; ///< until the next cancel()
    std::deque<ModuleDemand> queue_;
    std::vector<store::ModuleIndex> order_;
    std::map<std::uint32_t, Module> modules_; ///< by ModuleIndex
    std::jthread thread_, onScreenThread_;    ///< last: they use the others
};

} // namespace highwater::pipeline
