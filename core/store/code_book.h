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

/// Which code runtimes generated where, and when. Pipeline thread only.
///
/// An event of the runtime begins or ends the code of one function. Code that replaces none counts from the last change
/// of meaning on, as its name may come after its first call. What is only listed, because it was there when the
/// recording began or ended, and what ends without having begun, was there all the time as far as nothing else is
/// known.
class CodeBook {
  public:
    explicit CodeBook(CodeColumns& columns) : columns_(columns) {}

    /// Whether addresses mean something else after the event: then stacks after it need an epoch of their own.
    [[nodiscard]] bool changesAddresses(const CodeEvent& event, ProcessIndex process) const;
    /// epoch: the process' present one.
    /// pdb: whose source lines a module's are (ProcessTable::apply).
    void apply(const CodeEvent& event, ProcessIndex process, std::uint32_t epoch, std::optional<ModuleIndex> pdb = {});

    /// Whose names may be missing, and what did not fit, as sentences.
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
    using CodeByStart = std::map<Address, Code>; ///< what stands now; they do not overlap
    struct OfProcess {
        CodeByStart code;
        bool hasRuntime = false;
        bool hasBegun = false;   ///< code of it began in the recording
        bool isComplete = false; ///< all that was there at the end was told
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
    std::map<std::pair<std::uint32_t, Address>, std::uint64_t> entryPoints_; ///< the method, by process and address
    tsl::robin_map<BodyKey, std::uint32_t, BodyHash> bodies_;
    std::vector<std::vector<std::uint32_t>> mapsOfBody_;              ///< numbers of CodeColumns::maps
    tsl::robin_map<std::string, std::uint32_t, SeededHash> texts_;    ///< of named addresses, and where they are
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> places_; ///< of texts, by process and number
    std::uint64_t dropped_ = 0;
    std::uint64_t droppedMaps_ = 0;
};

} // namespace highwater::store
