#pragma once

#include "core/base/seeded_hash.h"
#include "core/event/code_events.h"
#include "core/store/published/code_columns.h"
#include "core/store/published/process_table.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::store {

/// Which code runtimes generated at which address and when. Pipeline thread only.
///
/// A runtime event begins or ends the code of one function. Code that does not replace other code counts from the last
/// change of meaning on because its name may be recorded after its first call. Code that is only listed because it
/// existed when the recording started or ended, and code that ends without a recorded start, counts for the whole trace
/// unless other code is known to be there.
class CodeBook {
  public:
    explicit CodeBook(CodeColumns& columns) : columns_(columns) {}

    /// Whether addresses have another meaning after the event. Stacks recorded after it then need a new epoch.
    [[nodiscard]] bool changesAddresses(const CodeEvent& event, ProcessIndex process) const;
    /// epoch: the current epoch of the process. pdb: the module whose source lines are used (ProcessTable::apply).
    void apply(const CodeEvent& event, ProcessIndex process, std::uint32_t epoch, std::optional<ModuleIndex> pdb = {});

    /// Sentences about processes whose function names may be missing, and about entries that did not fit.
    [[nodiscard]] std::vector<std::string> notes(const ProcessTable& processes) const;

  private:
    struct Code { // [start, last]
        Address last = 0;
        std::uint32_t size = 0;
        bool hasName = false;
    };
    struct BodyKey {
        std::uint32_t process = 0;
        std::uint8_t part = 0;
        std::uint64_t method = 0, version = 0;
        friend bool operator==(const BodyKey&, const BodyKey&) = default;
    };
    struct BodyHash {
        std::size_t operator()(const BodyKey& key) const noexcept {
            const auto where = (std::uint64_t{key.process} << 8) | key.part;
            return static_cast<std::size_t>(seededHash(seededHash(where, key.method), key.version));
        }
    };
    using CodeByStart = std::map<Address, Code>; ///< currently valid code, without overlaps
    struct OfProcess {
        CodeByStart code;
        bool hasRuntime = false;
        bool hasBegun = false;   ///< the recording contains the start of some of its code
        bool isComplete = false; ///< all code that existed at the end was listed
    };
    struct ModuleName {
        std::uint32_t number = 0;
        std::string name;
        std::optional<ModuleIndex> pdb;
    };

    [[nodiscard]] static CodeByStart::const_iterator firstOverlap(const CodeByStart& code, const CodeEvent& event);
    [[nodiscard]] static bool isSame(const CodeByStart& code, const CodeEvent& event);
    void begin(OfProcess& known, const CodeEvent& event, CodeEntry entry);
    void list(OfProcess& known, const CodeEvent& event, CodeEntry entry);
    void end(OfProcess& known, const CodeEvent& event, CodeEntry entry);
    void name(const CodeEvent& event, CodeEntry entry, std::optional<ModuleIndex> pdb);
    void enter(const CodeEvent& event, CodeEntry entry);
    bool append(CodeEntry entry, std::string_view name, std::string_view arguments);
    void appendFunction(CodeEntry entry, const CodeEvent& event);
    void map(const CodeEvent& event, ProcessIndex process);
    void nameAddress(const CodeEvent& event, ProcessIndex process, std::uint32_t epoch);
    void keepText(const CodeEvent& event, ProcessIndex process);
    [[nodiscard]] std::optional<std::uint32_t> keepOnce(const std::string& text);
    [[nodiscard]] std::optional<std::uint32_t> placeOf(ProcessIndex process, std::uint32_t text) const;
    [[nodiscard]] std::optional<std::uint32_t> keep(std::string_view name, std::string_view arguments);
    [[nodiscard]] std::uint32_t bodyOf(const CodeEvent& event, ProcessIndex process);
    ModuleName& moduleOf(ProcessIndex process, std::uint64_t id);

    CodeColumns& columns_;
    tsl::robin_map<std::uint32_t, OfProcess, SeededHash> processes_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, ModuleName> modules_;
    std::map<std::pair<std::uint32_t, Address>, std::uint64_t> entryPoints_; ///< method by process and address
    tsl::robin_map<BodyKey, std::uint32_t, BodyHash> bodies_;
    std::vector<std::vector<std::uint32_t>> mapsOfBody_;              ///< numbers of CodeColumns::maps
    tsl::robin_map<std::string, std::uint32_t, SeededHash> texts_; ///< texts of named addresses, with their positions
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> places_; ///< positions of texts by process and number
    std::uint64_t dropped_ = 0;
    std::uint64_t droppedMaps_ = 0;
};

} // namespace highwater::store
