#include "core/formats/pprof/pprof_writer.h"

#include "core/base/text.h"
#include "core/formats/calls/call_catalog.h"
#include "core/formats/pprof/gzip_writer.h"

#include <fmt/format.h>
#include <protozero/pbf_writer.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string_view>

namespace highwater::formats {
namespace {

using analysis::Table;

// Field numbers in profile.proto.
namespace field {
namespace profile {
constexpr std::uint32_t kSampleType = 1, kSample = 2, kMapping = 3, kLocation = 4, kFunction = 5, kStringTable = 6,
                        kTimeNanos = 9, kDurationNanos = 10, kComment = 13, kDefaultSampleType = 14;
}
namespace valueType {
constexpr std::uint32_t kType = 1, kUnit = 2;
}
namespace sample {
constexpr std::uint32_t kLocationId = 1, kValue = 2, kLabel = 3;
}
namespace label {
constexpr std::uint32_t kKey = 1, kText = 2;
}
namespace mapping {
constexpr std::uint32_t kId = 1, kStart = 2, kLimit = 3, kFileName = 5, kBuildId = 6, kHasFunctions = 7,
                        kHasFileNames = 8, kHasLineNumbers = 9, kHasInlineFrames = 10;
}
namespace location {
constexpr std::uint32_t kId = 1, kMappingId = 2, kAddress = 3, kLine = 4, kIsFolded = 5;
}
namespace line {
constexpr std::uint32_t kFunctionId = 1, kLine = 2;
}
namespace function {
constexpr std::uint32_t kId = 1, kName = 2, kSystemName = 3, kFileName = 4;
}
} // namespace field

/// Texts of a profile, without duplicates. The first is empty.
class Texts {
  public:
    Texts() { (void)idOf(""); }
    std::int64_t idOf(const std::string& text) {
        const auto [known, isNew] = ids_.try_emplace(text, static_cast<std::int64_t>(texts_.size()));
        if (isNew) texts_.push_back(text);
        return known->second;
    }
    [[nodiscard]] const std::vector<std::string>& all() const { return texts_; }

  private:
    tsl::robin_map<std::string, std::int64_t, SeededHash> ids_;
    std::vector<std::string> texts_;
};

/// Text of a trace for a message field, which must be UTF-8.
std::string utf8Only(const std::string& text) { return printable(text); }

class ProfileWriter {
  public:
    ProfileWriter(const store::PublishedTrace& trace, analysis::FrameLabels& labels, const PprofQuery& query,
                  std::ostream& out)
        : trace_(trace), query_(query), gzip_(out), calls_(trace, labels) {}

    void writeHead(const PprofFacts& facts) {
        if (hasCounts()) addType("alloc_objects", "count");
        addType("alloc_space", "bytes");
        if (hasKept()) {
            if (hasCounts()) addType("inuse_objects", "count");
            addType("inuse_space", "bytes");
        }
        profile_.add_int64(field::profile::kDefaultSampleType, texts_.idOf(hasKept() ? "inuse_space" : "alloc_space"));
        if (facts.unixNanos) profile_.add_int64(field::profile::kTimeNanos, *facts.unixNanos);
        if (!trace_.lacks.times)
            profile_.add_int64(field::profile::kDurationNanos, query_.interval.end.ns - query_.interval.start.ns);
        for (const auto& comment : facts.comments)
            profile_.add_int64(field::profile::kComment, texts_.idOf(utf8Only(comment)));
        flush();
    }
    void write(const PprofSample& sample) {
        locations_.clear();
        for (const auto call : withoutAllocators(calls_.callsOf(sample.stack)))
            locations_.push_back(std::uint64_t{call} + 1);
        auto& bytes = bytesOfProcess_[trace_.columns->heaps[sample.heap.value].process.value];
        bytes += static_cast<std::uint64_t>(sample.allocatedBytes) + static_cast<std::uint64_t>(sample.keptBytes);
        {
            protozero::pbf_writer message(profile_, field::profile::kSample);
            message.add_packed_uint64(field::sample::kLocationId, locations_.begin(), locations_.end());
            values_.clear();
            if (hasCounts()) values_.push_back(sample.allocatedRows);
            values_.push_back(sample.allocatedBytes);
            if (hasKept() && hasCounts()) values_.push_back(sample.keptRows);
            if (hasKept()) values_.push_back(sample.keptBytes);
            message.add_packed_int64(field::sample::kValue, values_.begin(), values_.end());
            addLabels(sample, message);
        }
        flush();
    }
    /// Writes everything that samples refer to.
    void writeRest() {
        writeMappings();
        std::uint64_t id = 0;
        for (const auto& call : calls_.calls())
            writeLocation(call, ++id);
        id = 0;
        for (const auto& function : calls_.functions())
            writeFunction(function, ++id);
        for (const auto& text : texts_.all()) { // last, because all others add texts
            profile_.add_string(field::profile::kStringTable, text);
            flush();
        }
        gzip_.write(buffer_);
        gzip_.finish();
    }

  private:
    static constexpr std::size_t kBufferSize = 64 * 1024;

    /// Whether it is known which rows were freed.
    [[nodiscard]] bool hasKept() const { return query_.table != Table::Managed; }
    /// Whether the number of objects is known.
    [[nodiscard]] bool hasCounts() const { return !trace_.lacks.counts; }
    void flush() {
        if (buffer_.size() < kBufferSize) return;
        gzip_.write(buffer_);
        buffer_.clear();
    }
    void addType(const std::string& type, const std::string& unit) {
        protozero::pbf_writer message(profile_, field::profile::kSampleType);
        message.add_int64(field::valueType::kType, texts_.idOf(type));
        message.add_int64(field::valueType::kUnit, texts_.idOf(unit));
    }
    void addLabel(protozero::pbf_writer& sample, const std::string& key, const std::string& text) {
        protozero::pbf_writer message(sample, field::sample::kLabel);
        message.add_int64(field::label::kKey, texts_.idOf(key));
        message.add_int64(field::label::kText, texts_.idOf(utf8Only(text)));
    }
    /// All labels are texts, because pprof shows numbers as amounts in ranges.
    void addLabels(const PprofSample& sample, protozero::pbf_writer& message) {
        const auto& heap = trace_.columns->heaps[sample.heap.value];
        const auto& processes = *trace_.processes;
        addLabel(message, "process", processes.key(heap.process));
        addLabel(message, "pid", fmt::format("{}", processes[heap.process].pid));
        if (sample.thread.isKnown()) addLabel(message, "thread", fmt::format("{}", sample.thread.value));
        if (sample.threadName.value != 0)
            addLabel(message, "thread_name", std::string(trace_.threadNames->text(sample.threadName)));
        if (query_.table == Table::Managed) {
            const auto type = trace_.columns->names->managedTypes.name(heap.managedType);
            addLabel(message, "type", type.empty() ? "(unknown)" : type); // as in tables
        }
        if (query_.table == Table::Heap && heap.handle != 0)
            addLabel(message, "heap", fmt::format("0x{:x}", heap.handle));
    }
    /// Removes the innermost calls that consist only of allocator frames. Keeps at least one call.
    [[nodiscard]] std::span<const std::uint32_t> withoutAllocators(std::span<const std::uint32_t> stack) {
        if (query_.allocatorFrames == nullptr) return stack;
        while (stack.size() > 1 && isAllocatorCall(stack.front()))
            stack = stack.subspan(1);
        return stack;
    }
    [[nodiscard]] bool isAllocatorCall(std::uint32_t call) {
        const auto lines = calls_.linesOf(calls_.calls()[call]);
        return std::all_of(lines.begin(), lines.end(), [&](const auto& line) {
            if (isAllocator_.size() <= line.function) isAllocator_.resize(line.function + std::size_t{1}, kNotAsked);
            auto& known = isAllocator_[line.function];
            if (known == kNotAsked)
                known = query_.allocatorFrames->matches(calls_.functions()[line.function].name) ? kYes : kNo;
            return known == kYes;
        });
    }
    /// The process with the most bytes; nullptr: there are no samples.
    [[nodiscard]] const store::ProcessInstance* mainProcess() const {
        const auto largest = std::max_element(bytesOfProcess_.begin(), bytesOfProcess_.end(),
                                              [](const auto& a, const auto& b) { return a.second < b.second; });
        return largest == bytesOfProcess_.end() ? nullptr : &(*trace_.processes)[ProcessIndex{largest->first}];
    }
    /// The program of that process, which must be the first mapping for pprof. CallCatalog::kNone: it has no calls.
    [[nodiscard]] std::size_t mainImage() const {
        const auto* process = mainProcess();
        if (process == nullptr) return CallCatalog::kNone;
        const auto& name = process->name;
        const auto& images = calls_.images();
        const auto found = std::find_if(images.begin(), images.end(), [&](const auto& image) {
            return equalsIgnoringCase(trace_.processes->module(image.module).name, name);
        });
        return found == images.end() ? CallCatalog::kNone : static_cast<std::size_t>(found - images.begin());
    }
    void writeMappings() {
        std::vector<std::array<bool, 3>> known(calls_.images().size()); // files, lines, inlined
        for (const auto& call : calls_.calls()) {
            if (call.image == CallCatalog::kNone) continue;
            auto& of = known[call.image];
            for (const auto& line : calls_.linesOf(call)) {
                of[0] = of[0] || calls_.functions()[line.function].file != CallCatalog::kNone;
                of[1] = of[1] || line.line != 0;
                of[2] = of[2] || line.isInlined;
            }
        }
        const auto first = mainImage();
        if (first < known.size()) writeMapping(calls_.images()[first], first + 1, known[first]);
        if (first >= known.size() && trace_.lacks.objects) writeProgram(known.size() + 1);
        for (std::size_t i = 0; i < known.size(); ++i)
            if (i != first) writeMapping(calls_.images()[i], i + 1, known[i]);
    }
    /// For files that do not identify the program's calls: writes a first mapping with only its name.
    void writeProgram(std::uint64_t id) {
        const auto* process = mainProcess();
        if (process == nullptr) return;
        {
            protozero::pbf_writer message(profile_, field::profile::kMapping);
            message.add_uint64(field::mapping::kId, id);
            message.add_int64(field::mapping::kFileName, texts_.idOf(utf8Only(process->name)));
            message.add_bool(field::mapping::kHasFunctions, true);
        }
        flush();
    }
    void writeMapping(const CallCatalog::Image& image, std::uint64_t id, const std::array<bool, 3>& known) {
        const auto& module = trace_.processes->module(image.module);
        {
            protozero::pbf_writer message(profile_, field::profile::kMapping);
            message.add_uint64(field::mapping::kId, id);
            message.add_uint64(field::mapping::kStart, image.base);
            message.add_uint64(field::mapping::kLimit, image.base + image.size);
            message.add_int64(field::mapping::kFileName, texts_.idOf(utf8Only(trace_.processes->dosPath(module.path))));
            if (const auto buildId = buildIdText(module.identity); !buildId.empty())
                message.add_int64(field::mapping::kBuildId, texts_.idOf(buildId));
            message.add_bool(field::mapping::kHasFunctions, true); // otherwise pprof would search for names itself
            message.add_bool(field::mapping::kHasFileNames, known[0]);
            message.add_bool(field::mapping::kHasLineNumbers, known[1]);
            message.add_bool(field::mapping::kHasInlineFrames, known[2]);
        }
        flush();
    }
    void writeLocation(const CallCatalog::Call& call, std::uint64_t id) {
        const auto lines = calls_.linesOf(call);
        {
            protozero::pbf_writer message(profile_, field::profile::kLocation);
            message.add_uint64(field::location::kId, id);
            if (call.image != CallCatalog::kNone)
                message.add_uint64(field::location::kMappingId, std::uint64_t{call.image} + 1);
            message.add_uint64(field::location::kAddress, call.address);
            for (const auto& line : lines) {
                protozero::pbf_writer of(message, field::location::kLine);
                of.add_uint64(field::line::kFunctionId, std::uint64_t{line.function} + 1);
                if (line.line != 0) of.add_int64(field::line::kLine, line.line);
            }
            if (calls_.functions()[lines.back().function].isFolded) message.add_bool(field::location::kIsFolded, true);
        }
        flush();
    }
    void writeFunction(const CallCatalog::Function& function, std::uint64_t id) {
        {
            protozero::pbf_writer message(profile_, field::profile::kFunction);
            message.add_uint64(field::function::kId, id);
            message.add_int64(field::function::kName, texts_.idOf(utf8Only(function.name)));
            if (!function.linkageName.empty())
                message.add_int64(field::function::kSystemName, texts_.idOf(utf8Only(function.linkageName)));
            if (function.file != CallCatalog::kNone)
                message.add_int64(field::function::kFileName, texts_.idOf(utf8Only(calls_.files()[function.file])));
        }
        flush();
    }

    const store::PublishedTrace& trace_;
    const PprofQuery& query_;
    GzipWriter gzip_;
    CallCatalog calls_;
    Texts texts_;
    std::string buffer_; ///< messages that are not compressed yet
    protozero::pbf_writer profile_{buffer_};
    std::vector<std::uint64_t> locations_;
    std::vector<std::int64_t> values_; ///< values of a sample
    std::map<std::uint32_t, std::uint64_t> bytesOfProcess_;
    enum Known : std::uint8_t { kNotAsked, kNo, kYes };
    std::vector<Known> isAllocator_; ///< by function
};

} // namespace

Result<std::size_t> writePprof(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                               const PprofQuery& query, const PprofFacts& facts, std::ostream& out,
                               const std::stop_token& stop) {
    const auto samples = TRY(pprofSamples(trace, labels, query, stop));
    ProfileWriter writer(trace, labels, query, out);
    writer.writeHead(facts);
    for (const auto& sample : samples) {
        if (stop.stop_requested() || !out) break;
        writer.write(sample);
    }
    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "The export was cancelled."};
    writer.writeRest();
    return samples.size();
}

} // namespace highwater::formats
