#pragma once

#include "core/base/progress.h"
#include "core/pipeline/symbol_demand.h"
#include "core/symbols/module_resolver.h"
#include "core/symbols/symbol_table.h"

#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace highwater::pipeline {

/// Where names come from. A value.
struct SymbolSources {
    symbols::SymbolPath path;
    symbols::StoreOptions options; ///< also whether anything may be downloaded
    std::filesystem::path nameCacheFolder;
};

/// The path with the `<trace>.NGENPDB` folders that lie beside the traces, before everything else. Those that the path
/// names already, ticked or not, are left as they are.
[[nodiscard]] symbols::SymbolPath withTraceFolders(const symbols::SymbolPath& path,
                                                   std::span<const std::filesystem::path> traces);

/// What became of one module.
struct ModuleLoad {
    enum class State { Waiting, Loading, Found, NotFound, Mismatched, Cancelled };
    store::ModuleIndex module;
    State state = State::Waiting;
    std::uint64_t frames = 0;
    ByteCount bytes = 0; ///< see ModuleDemand
    bool isFromCache = false;
    bool hasPrivateSymbols = false;
    std::filesystem::path path; ///< of the debug file, if one was opened
    std::vector<symbols::TriedPlace> tried;
    std::uint64_t bytesDone = 0, bytesTotal = 0; ///< of the download while Loading; total 0: not known, or none
};

struct SymbolLoadStatus {
    std::vector<ModuleLoad> modules; ///< heaviest first
    bool isBusy = false;

    [[nodiscard]] std::size_t count(ModuleLoad::State state) const;
    /// Neither waiting nor loading.
    [[nodiscard]] std::size_t doneCount() const;
};

/// Names the frames of a trace in the background: modules that own frames, heaviest first, several at once, asking only
/// for addresses that have no answer in the table yet. Names go into the table module by module.
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
    /// Stops soon; modules that were not finished are Cancelled, their names so far stay.
    void cancel();
    /// Asks again for all modules that were not found, mismatched or cancelled; servers that were down, too.
    void retry();
    /// Takes the module's names from a file or folder that the user chose; refused (Mismatched) if it is of another
    /// build.
    void locate(store::ModuleIndex module, std::filesystem::path file);

    [[nodiscard]] SymbolLoadStatus status() const;
    /// Until nothing is left to do.
    void wait();

  private:
    struct Job;
    struct Module;

    void run(const std::stop_token& stop);
    void loadAll(const Job& job, const std::stop_token& stop);
    void plan(const Job& job, std::vector<ModuleDemand> demands);
    std::optional<ModuleDemand> next();
    void loadModule(const store::ProcessTable& processes, const ModuleDemand& demand, const std::stop_token& stop);
    void start(Job job);

    std::shared_ptr<symbols::SymbolTable> table_;
    SymbolSources sources_;
    unsigned workers_;
    symbols::SymbolFetcher fetcher_;
    symbols::SymbolStore store_;
    symbols::NameCache cache_;
    symbols::ModuleResolver resolver_;

    mutable std::mutex mutex_; ///< guards all below
    std::condition_variable changed_;
    std::unique_ptr<Job> waiting_; ///< the newest request
    std::unique_ptr<Job> latest_;  ///< for retry
    bool isBusy_ = false;
    std::stop_source round_; ///< of what is being read
    std::vector<ModuleDemand> queue_;
    std::size_t nextOfQueue_ = 0;
    std::vector<store::ModuleIndex> order_;
    std::map<std::uint32_t, Module> modules_; ///< by ModuleIndex
    std::jthread thread_;                     ///< last: it uses the others
};

} // namespace highwater::pipeline
