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

/// The sources of names. A value type.
struct SymbolSources {
    symbols::SymbolPath path;
    symbols::StoreOptions options; ///< also whether downloads are allowed
    std::filesystem::path nameCacheFolder;
    /// Whether images are read from their recorded paths. In any case only plain paths of local drives are read
    /// (symbols::trustedPath).
    enum class ImagePaths { IfRecordedHere, Always, Never } imagePaths = ImagePaths::IfRecordedHere;
    /// Files and folders that the user chose for single modules, by ModuleIndex.
    std::map<std::uint32_t, std::filesystem::path> located;
};

/// Whether the trace was recorded on this computer according to its id, so that its paths are still valid here.
[[nodiscard]] bool isRecordedHere(const store::ProcessTable& processes);

/// The `<trace>.NGENPDB` folders beside the traces, for StoreOptions::besideTrace.
[[nodiscard]] std::vector<std::filesystem::path> traceFolders(std::span<const std::filesystem::path> traces);

/// The path with the `<trace>.NGENPDB` folders beside the traces added at its end, because paths that the user
/// specified take precedence. Folders that the path already contains, enabled or not, are left unchanged.
[[nodiscard]] symbols::SymbolPath withTraceFolders(const symbols::SymbolPath& path,
                                                   std::span<const std::filesystem::path> traces);

/// Names the frames of a trace in the background: modules that own frames, heaviest first, several at once, requesting
/// only addresses without an answer in the table. Names are added to the table module by module. Those of frames on
/// screen (see prefer) come first and do not wait for downloads.
///
/// All functions may be called by any thread and do not block, except wait() and the destructor, which cancels and
/// waits.
class SymbolLoader {
  public:
    SymbolLoader(std::shared_ptr<symbols::SymbolTable> table, SymbolSources sources, unsigned workers = 4);
    ~SymbolLoader();
    SymbolLoader(const SymbolLoader&) = delete;
    SymbolLoader& operator=(const SymbolLoader&) = delete;

    /// Starts with this publication, or continues with it after the modules that are being read. Also for later
    /// publications of the same trace, for which only new addresses are requested. Modules outside `scope` keep their
    /// names.
    void load(std::shared_ptr<const store::PublishedTrace> trace, SymbolScope scope = {});
    /// These frames are on screen. Names available on this machine are read first and published immediately, even while
    /// modules are being read; modules that must be downloaded come next. Replaces the last onScreen. No effect before
    /// the first load().
    void prefer(std::shared_ptr<analysis::FrameLabels> labels, std::vector<analysis::LabelId> frames);
    /// Stops soon. Unfinished modules are Cancelled, and their names so far stay. After it returns, nothing is added to
    /// the table until the next load().
    void cancel();
    /// Cancels one module until it is requested again with retry().
    void cancel(store::ModuleIndex module);
    /// Requests all modules again that were not found, mismatched or cancelled, or this one in any case. Also asks
    /// servers that were down.
    void retry();
    void retry(store::ModuleIndex module);
    /// Takes the module's names from a file or folder that the user chose; rejected (Mismatched) if it belongs to
    /// another build.
    void locate(store::ModuleIndex module, std::filesystem::path file);
    /// Files located so far, for SymbolSources::located of a following loader.
    [[nodiscard]] std::map<std::uint32_t, std::filesystem::path> located() const;

    [[nodiscard]] SymbolLoadStatus status() const;
    /// Waits until nothing is left to do.
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
    symbols::SymbolStore store_, localStore_; ///< the second does not download
    symbols::NameCache cache_;
    symbols::ModuleResolver resolver_, localResolver_;
    SymbolDemand demand_;

    std::mutex addMutex_;      ///< one addition to the table at a time, none after cancel(); locked before mutex_
    mutable std::mutex mutex_; ///< guards all members below
    std::condition_variable changed_;
    std::unique_ptr<Job> waiting_; ///< the newest request
    std::unique_ptr<Job> latest_;  ///< its publication and scope are current
    bool isBusy_ = false;
    std::unique_ptr<OnScreenRequest> onScreen_;
    std::uint64_t lastOnScreen_ = 0, doneOnScreen_ = 0; ///< request numbers
    bool isOnScreenBusy_ = false;
    std::stop_source round_; ///< until the next cancel()
    std::deque<ModuleDemand> queue_;
    std::vector<store::ModuleIndex> order_;
    std::map<std::uint32_t, Module> modules_; ///< by ModuleIndex
    std::jthread thread_, onScreenThread_;    ///< last because they use the others
};

} // namespace highwater::pipeline
