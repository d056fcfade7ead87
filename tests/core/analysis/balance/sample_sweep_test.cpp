#include "core/analysis/balance/sample_sweep.h"
#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <ranges>
#include <set>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// A mapping made by the test, and the layers that its pages must have.
struct Made {
    Mapping mapping;
    MemoryLayer rest = MemoryLayer::Unknown; ///< layer of pages without blocks and rows
    bool isPrivate = true;                   ///< anonymous and accessible
    Address arena = 0;                       ///< where the arena in it begins; its end: it has none
    std::set<PageNumber> resident;           ///< as the bits say
};
struct MadeSample {
    TraceTime time;
    std::vector<Made> mappings;
    SharedResidentSample sample;
};

/// Blocks, pages and samples of one process in a small part of the address space, where they meet often.
class RandomMemory {
  public:
    explicit RandomMemory(unsigned seed) : random_(seed) {
        isFork = pick(8) == 0;
        script.process(isFork ? Occasion::Forked : Occasion::Start);
        const auto events = 1 + pick(60);
        for (unsigned i = 0; i < events; ++i)
            step();
        takeSample();
        trace = script.publish();
    }

    EventScript script;
    std::vector<MadeSample> samples;
    std::shared_ptr<const store::PublishedTrace> trace;
    bool isFork = false;

  private:
    unsigned pick(std::uint64_t count) { return static_cast<unsigned>(random_() % count); }

    /// In or near one of the mappings.
    Address place() {
        constexpr std::array<Address, 7> kPlaces{
            0x10000, 0x30000, 0x50000, 0x200000, kArenaStart, kArenaStart - 4 * kPage, 0xa0000};
        const auto base = kPlaces[pick(kPlaces.size())] + pick(5) * kPage;
        switch (pick(4)) {
        case 0:
            return base;
        case 1:
            return base + 16;
        case 2:
            return base + pick(256) * 16;
        default:
            return base + pick(4096);
        }
    }
    ByteCount size() {
        constexpr std::array<ByteCount, 10> kSizes{0, 8, 24, 25, 100, 2000, 4096, 9000, 40'000, 140'000};
        if (pick(200) == 0) return std::uint64_t{1} << 63;
        return pick(3) == 0 ? pick(5000) : kSizes[pick(kSizes.size())];
    }
    void step() {
        if (pick(8) == 0) script.now += static_cast<std::int64_t>(pick(3) * 125'000'000); // a heap is new for 250 ms
        switch (pick(12)) {
        case 0:
            return takeSample();
        case 1:
            script.reserveAndCommit(place() / kPage * kPage, (1 + pick(4)) * kPage);
            return;
        case 2:
            script.decommit(place() / kPage * kPage, (1 + pick(3)) * kPage);
            return;
        case 3:
        case 4:
        case 5:
            if (addresses_.empty()) return;
            script.free(addresses_[pick(addresses_.size())]);
            return;
        case 6:
            if (pick(20) == 0) script.inProcess(101).alloc(place(), size()).inProcess(EventScript::kPid);
            return;
        default:
            addresses_.push_back(pick(100) == 0 ? ~Address{0} - pick(9000) : place());
            script.alloc(addresses_.back(), size());
        }
    }

    Made made(Address begin, PageNumber pages, MemoryLayer rest) {
        Made made;
        made.mapping.begin = begin;
        made.mapping.end = made.arena = begin + pages * kPage;
        made.rest = rest;
        made.mapping.flags = kAnonymous;
        if (pick(8) != 0) {
            made.mapping.flags |= mapping_flag::kPages;
            PageNumber reached = 0;
            for (PageNumber page = 0; page < pages;) {
                const auto length = std::min<PageNumber>(1 + pick(6), pages - page);
                if (pick(3) != 0) {
                    for (PageNumber i = 0; i < length; ++i)
                        made.resident.insert(begin / kPage + page + i);
                    made.mapping.pages.append(page - reached, length);
                    reached = page + length;
                }
                page += length;
            }
        }
        const auto near = made.resident.size() + pick(3);
        const auto right = std::min<PageNumber>(pages, near - std::min<PageNumber>(near, pick(3)));
        made.mapping.resident = (pick(6) == 0 ? pages : right) * kPage;
        if (pick(10) == 0) made.mapping.resident -= std::min<ByteCount>(made.mapping.resident, pick(3000));
        const bool isWhole = made.mapping.resident == pages * kPage;
        if ((made.mapping.flags & mapping_flag::kPages) == 0 && isWhole) {
            for (PageNumber page = 0; page < pages; ++page)
                made.resident.insert(begin / kPage + page);
        }
        made.mapping.proportional = made.mapping.resident / (1 + pick(3));
        made.mapping.swapped = std::min<ByteCount>(pick(2) * kPage, pages * kPage);
        return made;
    }
    /// A mapping of one kind, whose pages do not matter.
    Made plain(Address begin, PageNumber pages, std::uint32_t flags, MemoryLayer layer) {
        auto made = this->made(begin, pages, layer);
        made.mapping.flags = flags | (made.mapping.flags & mapping_flag::kPages);
        made.isPrivate = false;
        return made;
    }

    void takeSample() {
        MadeSample taken;
        auto sample = std::make_shared<ResidentSample>();
        sample->names = {"", "[heap]", "/lib/a.so", "/dev/shm/b", "/data"};
        const auto add = [&](Made made, std::uint32_t name = 0) {
            made.mapping.name = name;
            taken.mappings.push_back(std::move(made));
        };
        add(made(0x10000, 1 + pick(8), MemoryLayer::Returnable), 1);
        if (pick(2) == 0) { // a stack above its guard
            add(plain(0x2f000, 1, 0, MemoryLayer::Unknown));
            taken.mappings.back().mapping.resident = 0;
            add(made(0x30000, 1 + pick(8), MemoryLayer::Stacks));
        } else {
            add(made(0x30000, 1 + pick(8), MemoryLayer::Unknown));
        }
        if (pick(2) == 0) { // a module and its .bss
            add(plain(0x4f000, 1, kFileCode, MemoryLayer::Images), 2);
            add(made(0x50000, 1 + pick(8), MemoryLayer::Images));
        } else {
            add(plain(0x4f000, 1, kFileData, MemoryLayer::Files), 4);
            add(made(0x50000, 1 + pick(8), MemoryLayer::Unknown));
        }
        if (pick(2) == 0) add(plain(0xa0000, 1 + pick(4), kSharedData | mapping_flag::kFile, MemoryLayer::Shared), 3);
        if (pick(2) == 0) add(plain(0xb0000, 1 + pick(4), kAnonymous | mapping_flag::kExecute, MemoryLayer::Code));
        add(made(0x200000, 36 + pick(8), MemoryLayer::Unknown));
        addArena(add);
        taken.time = sample->time = TraceTime{++script.now};
        sample->pid = EventScript::kPid;
        for (const auto& made : taken.mappings)
            sample->mappings.push_back(made.mapping);
        if (!isValid(*sample)) qFatal("the test made a sample that is not valid");
        taken.sample = sample;
        script.store.onResidentSample(sample);
        samples.push_back(std::move(taken));
    }
    /// An arena, with the inaccessible rest of its 64 MB behind it, perhaps merged with the mapping in front of it.
    template <typename Add>
    void addArena(Add add) {
        const auto before = pick(2) * pick(5), used = 1 + pick(8);
        auto arena = made(kArenaStart - before * kPage, before + used, MemoryLayer::Unknown);
        const auto restBegin = arena.mapping.end;
        const bool isArena = pick(4) != 0;
        if (isArena) arena.arena = kArenaStart;
        add(std::move(arena));
        Made rest; // not made(): it has thousands of pages, and none is resident
        rest.isPrivate = false;
        rest.mapping.begin = restBegin;
        rest.mapping.end = rest.arena = isArena ? kArenaStart + kArenaBytes : restBegin + 3 * kPage;
        rest.mapping.proportional = pick(3) * kPage;
        rest.mapping.swapped = pick(2) * kPage;
        add(std::move(rest));
    }

    std::mt19937_64 random_;
    std::vector<Address> addresses_; ///< addresses of blocks, freed or not
};

/// The definition in docs/numbers.md, byte by byte.
class Recount {
  public:
    Recount(const RandomMemory& memory, const MadeSample& sample) : memory_(memory), sample_(sample) {
        for (RowId row = 0; row < heap().rows; ++row) {
            if (isOfProcess(heap(), row) && isThere(heap(), row)) paint(row);
        }
    }

    [[nodiscard]] LayerBytes layers() const {
        LayerBytes layers;
        for (const auto& made : sample_.mappings)
            layers += layersOf(made);
        return layers;
    }

  private:
    enum Byte : std::uint8_t { kFree, kNeeded, kLive };
    using Bytes = std::array<std::uint8_t, kResidentPageBytes>;

    [[nodiscard]] const store::TableView& heap() const { return memory_.trace->heap; }
    [[nodiscard]] const store::TableView& commits() const { return memory_.trace->virtualAlloc; }
    [[nodiscard]] bool isOfProcess(const store::TableView& view, RowId row) const {
        return (*memory_.trace->processes)[memory_.trace->heapOf(view.site(row)).process].pid == EventScript::kPid;
    }
    [[nodiscard]] bool isThere(const store::TableView& view, RowId row) const {
        return view.begin(row) < sample_.time && view.end(row) >= sample_.time;
    }
    void paint(Address begin, Address end, Byte byte) {
        for (const auto& made : sample_.mappings) {
            if (!made.isPrivate) continue;
            const auto last = std::min(end, made.mapping.end);
            for (auto at = std::max(begin, made.mapping.begin); at < last;) {
                auto& painted = bytes_[at / kPage];
                const auto next = std::min(last, (at / kPage + 1) * kPage);
                for (; at < next; ++at)
                    painted[at % kPage] = std::max<std::uint8_t>(painted[at % kPage], byte);
            }
        }
    }
    __extension__ using Wide = unsigned __int128;
    [[nodiscard]] bool isOwn(RowId row) const {
        return heap().size(row) >= 128 * 1024 && heap().columns->rows.address(row) % kPage == 16;
    }
    [[nodiscard]] std::pair<Address, Wide> chunkOf(RowId row) const {
        const Address address = heap().columns->rows.address(row);
        const Wide chunk = std::max<Wide>(32, (static_cast<Wide>(heap().size(row)) + 8 + 15) / 16 * 16);
        const Address from = address - std::min<Address>(address, isOwn(row) ? 16 : 8);
        return {from,
                isOwn(row) ? from + (chunk + 8 + kPage - 1) / kPage * kPage : static_cast<Wide>(address) - 8 + chunk};
    }
    void paint(RowId row) {
        const Address address = heap().columns->rows.address(row);
        const auto end = static_cast<Wide>(address) + heap().size(row);
        const auto [from, to] = chunkOf(row);
        const auto cut = [](Wide at) { return static_cast<Address>(std::min<Wide>(at, ~Address{0})); };
        paint(address, cut(end), kLive);
        paint(from, cut(to), kNeeded);
    }
    /// 2: wholly, if known; 1: a part of it was released.
    [[nodiscard]] int isCommitted(PageNumber page) const {
        int committed = 0;
        for (RowId row = 0; row < commits().rows; ++row) {
            if (!isThere(commits(), row)) continue;
            const auto first = commits().columns->rows.address(row) / kPage;
            if (page < first || page >= first + commits().size(row) / kPage) continue;
            committed = std::max(committed, isReleasedInPart(row) ? 1 : 2);
        }
        return committed;
    }
    [[nodiscard]] bool isReleasedInPart(RowId row) const {
        for (std::uint64_t i = 0; i < commits().partials; ++i) {
            const auto& partial = commits().columns->rows.partials()[i];
            if (partial.row == row && partial.time < sample_.time) return true;
        }
        return false;
    }
    [[nodiscard]] bool hasHeap(Address begin, Address end) const {
        for (RowId row = 0; row < heap().rows; ++row) {
            const auto address = heap().columns->rows.address(row);
            if (isOfProcess(heap(), row) && !isOwn(row) && heap().begin(row).ns < sample_.time.ns + 250'000'000 &&
                address >= begin && address < end)
                return true;
        }
        return false;
    }
    [[nodiscard]] bool isMappedWholly(const Mapping& mapping) const {
        for (auto page = mapping.begin / kPage; page < mapping.end / kPage; ++page) {
            if (isCommitted(page) != 2) return false;
        }
        return true;
    }

    [[nodiscard]] LayerBytes layersOf(const Made& made) const {
        LayerBytes layers;
        const auto& mapping = made.mapping;
        const auto restOf = [&](Address begin, Address end) {
            return hasHeap(begin, end) ? MemoryLayer::Returnable : made.rest;
        };
        const bool areKnown =
            (mapping.flags & mapping_flag::kPages) != 0 || mapping.resident == mapping.end - mapping.begin;
        if (!made.isPrivate) {
            layers[made.rest] = mapping.resident;
        } else if (!areKnown) {
            const auto rest = restOf(mapping.begin, mapping.end);
            const auto layer = rest == MemoryLayer::Returnable ? MemoryLayer::Unknown : rest;
            layers[isMappedWholly(mapping) ? MemoryLayer::Mapped : layer] = mapping.resident;
        } else {
            const auto low = restOf(mapping.begin, made.arena), high = restOf(made.arena, mapping.end);
            for (const auto page : made.resident)
                addPage(page, page * kPage < made.arena ? low : high, layers);
            const bool isOne = made.arena == mapping.end && low != MemoryLayer::Returnable;
            fit(mapping.resident, isOne ? low : MemoryLayer::Unknown, layers);
        }
        if (memory_.isFork || memory_.trace->heap.rows == 0) {
            for (const auto layer : {MemoryLayer::HeldFree, MemoryLayer::Returnable})
                layers[MemoryLayer::Unknown] += std::exchange(layers[layer], 0);
        }
        return layers;
    }
    void addPage(PageNumber page, MemoryLayer rest, LayerBytes& layers) const {
        const auto committed = isCommitted(page);
        const auto painted = bytes_.find(page);
        if (committed == 2) {
            layers[MemoryLayer::Mapped] += kPage;
        } else if (painted != bytes_.end()) {
            layers[MemoryLayer::Live] += static_cast<ByteCount>(std::ranges::count(painted->second, kLive));
            layers[MemoryLayer::Rounding] += static_cast<ByteCount>(std::ranges::count(painted->second, kNeeded));
            layers[MemoryLayer::HeldFree] += static_cast<ByteCount>(std::ranges::count(painted->second, kFree));
        } else {
            const auto layer = committed == 1 ? MemoryLayer::Mapped : rest;
            layers[layer == MemoryLayer::Unknown ? layerOfLate(page) : layer] += kPage;
        }
    }
    /// The program may get or return memory while the sample is read.
    [[nodiscard]] MemoryLayer layerOfLate(PageNumber page) const {
        const auto isLate = [&](const store::TableView& view, RowId row) {
            const auto begin = view.begin(row), end = view.end(row);
            const bool isLater = begin >= sample_.time && begin.ns < sample_.time.ns + 250'000'000;
            const bool isEarlier = end < sample_.time && end.ns + 250'000'000 > sample_.time.ns;
            return isOfProcess(view, row) && (isLater || isEarlier);
        };
        for (RowId row = 0; row < heap().rows; ++row) {
            const auto [from, to] = chunkOf(row);
            if (isLate(heap(), row) && isOwn(row) && page >= from / kPage && page * kPage < to)
                return MemoryLayer::Live;
        }
        for (RowId row = 0; row < commits().rows; ++row) {
            const auto first = commits().columns->rows.address(row) / kPage;
            if (isLate(commits(), row) && page >= first && page < first + commits().size(row) / kPage)
                return MemoryLayer::Mapped;
        }
        return MemoryLayer::Unknown;
    }
    static void fit(ByteCount resident, MemoryLayer missing, LayerBytes& layers) {
        if (layers.sum() < resident) layers[missing] += resident - layers.sum();
        using enum MemoryLayer;
        for (const auto layer : {Returnable, HeldFree, Live, Rounding, Mapped, Stacks, Images, Unknown})
            layers[layer] -= std::min(layers[layer], layers.sum() - resident);
    }

    const RandomMemory& memory_;
    const MadeSample& sample_;
    std::map<PageNumber, Bytes> bytes_;
};

std::vector<BalanceCourse> coursesOf(const store::PublishedTrace& trace, TimeRange interval) {
    auto courses = balanceCourses(trace, {interval});
    if (!courses.hasValue()) qFatal("%s", courses.error().message.c_str());
    return std::move(courses).value();
}
Balance balanceOf(const store::PublishedTrace& trace, TraceTime instant) {
    auto balances = balanceAt(trace, {upTo(instant)});
    if (!balances.hasValue() || balances.value().size() != 1) qFatal("there is no balance");
    return std::move(balances).value().front();
}

} // namespace

class SampleSweepTest : public QObject {
    Q_OBJECT

  private slots:
    /// Each sample against the definition, and the whole course against single answers.
    void equalsTheRecountOverRandomMemory() {
        LayerBytes seen;
        for (unsigned seed = 1; seed <= HIGHWATER_RANDOM_TRACES * 3 / 4; ++seed) {
            const RandomMemory memory(seed);
            const auto courses = coursesOf(*memory.trace, memory.trace->wholeRange());
            QCOMPARE(courses.size(), std::size_t{1});
            QCOMPARE(courses.front().points.size(), memory.samples.size());
            for (std::size_t i = 0; i < memory.samples.size(); ++i) {
                const auto& sample = memory.samples[i];
                const auto expected = Recount(memory, sample).layers();
                const auto where = fmt::format("seed {}, sample {}", seed, i);
                const auto& point = courses.front().points[i];
                QVERIFY2(point.time == sample.time && point.resident == sample.sample->resident(), where.c_str());
                QVERIFY2(point.layers == expected,
                         fmt::format("{}\n{}\n{}", where, textOf(point.layers), textOf(expected)).c_str());
                QVERIFY2(point.layers.sum() == point.resident, where.c_str());
                QVERIFY2(balanceOf(*memory.trace, sample.time).point == point, where.c_str());
                seen += expected;
            }
        }
        for (const auto layer : allMemoryLayers())
            QVERIFY2(seen[layer] > 0 || layer == MemoryLayer::Highwater, std::string(layerId(layer)).c_str());
    }
    void partsOfRandomMemoryAddUp() {
        for (unsigned seed = 1; seed <= HIGHWATER_RANDOM_TRACES / 16; ++seed) {
            const RandomMemory memory(seed);
            const auto balance = balanceOf(*memory.trace, kNever);
            LayerBytes layers;
            ByteCount proportional = 0, swapped = 0, reserved = 0;
            for (const auto& part : balance.parts) {
                layers[part.layer] += part.resident;
                proportional += part.proportional;
                swapped += part.swapped;
                reserved += part.reserved;
            }
            QCOMPARE(textOf(layers), textOf(balance.point.layers));
            for (const auto& made : memory.samples.back().mappings) {
                proportional -= made.mapping.proportional;
                reserved -= made.mapping.end - made.mapping.begin;
            }
            QCOMPARE(proportional, ByteCount{0});
            QCOMPARE(reserved, ByteCount{0});
            QCOMPARE(swapped, balance.point.swapped);
        }
    }
    /// Of the course, against the parts of each sample.
    void peaksOfRandomMemoryAreTheHighestSums() {
        for (unsigned seed = 1; seed <= HIGHWATER_RANDOM_TRACES / 16; ++seed) {
            const RandomMemory memory(seed);
            const auto course = coursesOf(*memory.trace, memory.trace->wholeRange()).front();
            std::map<std::string, ByteCount> highest; // of each name
            for (const auto& sample : memory.samples) {
                std::map<std::string, ByteCount> sums;
                for (const auto& part : balanceOf(*memory.trace, sample.time).parts)
                    sums[part.name] += part.resident;
                for (const auto& [name, bytes] : sums)
                    highest[name] = std::max(highest[name], bytes);
            }
            for (const auto& [name, bytes] : highest)
                QVERIFY2(course.peaks->of(PartsBy::Mapping, name) == bytes, fmt::format("{}: {}", seed, name).c_str());
            for (const auto layer : allMemoryLayers()) {
                const auto bytes = [&](const BalancePoint& point) { return point.layers[layer]; };
                QCOMPARE(course.peaks->of(layer), std::ranges::max(course.points | std::views::transform(bytes)));
            }
        }
    }
    /// A course that begins in the middle starts from the rows at its first sample.
    void partOfACourseIsTheSame() {
        for (unsigned seed = 1; seed <= HIGHWATER_RANDOM_TRACES / 16; ++seed) {
            const RandomMemory memory(seed);
            const auto whole = memory.trace->wholeRange();
            const auto all = coursesOf(*memory.trace, whole).front().points;
            const auto from = all.size() / 2;
            const auto part = coursesOf(*memory.trace, {all[from].time, whole.end}).front().points;
            QVERIFY(std::ranges::equal(part, std::span(all).subspan(from)));
        }
    }
    void processesAreFollowedTogether() {
        EventScript script;
        const auto sampleOf = [&](std::uint32_t pid) {
            SampleBuilder sample(++script.now, pid);
            script.store.onResidentSample(sample.map(0x10000, 4 * kPage, kDivided, "[heap]").done());
        };
        script.process(Occasion::Start).inProcess(200).process(Occasion::Start);
        script.alloc(0x10010, 100).inProcess(EventScript::kPid).alloc(0x11010, 24);
        sampleOf(100);
        script.free(0x11010).alloc(0x12010, 56);
        sampleOf(200);
        script.inProcess(200).free(0x10010);
        sampleOf(100);
        sampleOf(200);
        const auto trace = script.publish();
        std::string text;
        for (const auto& course : coursesOf(*trace, trace->wholeRange())) {
            text += course.name + ":";
            for (const auto& point : course.points)
                text += fmt::format(" {}", point.layers[MemoryLayer::Live]);
            text += "; ";
        }
        QCOMPARE(text, std::string("a.exe (100): 24 56; a.exe (200): 100 0; "));
    }
    /// A program that grows maps memory while its mappings are being listed.
    void memoryThatBeginsWhileASampleIsReadIsExplained() {
        constexpr std::int64_t kEnd = 250'000'000;
        const auto layersWith = [](std::int64_t block, std::int64_t row) {
            EventScript script;
            script.process(Occasion::Start);
            const auto sampled = ++script.now;
            script.store.onResidentSample(
                SampleBuilder(sampled).map(0x200000, 40 * kPage, kDivided).map(0x300000, 2 * kPage, kDivided).done());
            script.now = sampled + block - 1;
            script.alloc(0x200010, 140'000); // with its header, 35 pages
            script.now = sampled + row - 1;
            script.reserveAndCommit(0x300000, kPage);
            return textOf(coursesOf(*script.publish(), {kBeforeTrace, kNever}).front().points.at(0).layers);
        };
        QCOMPARE(layersWith(1, 2), std::string("live 143360, mapped 4096, unknown 24576"));
        QCOMPARE(layersWith(kEnd - 1, kEnd), std::string("live 143360, unknown 28672"));
        QCOMPARE(layersWith(kEnd, kEnd + 1), std::string("unknown 172032"));
    }
    void memoryThatEndsWhileASampleIsReadIsExplained() {
        constexpr std::int64_t kEnd = 250'000'000;
        const auto layersAfter = [](std::int64_t block, std::int64_t row) {
            EventScript script;
            script.process(Occasion::Start);
            script.alloc(0x200010, 140'000).reserveAndCommit(0x300000, kPage);
            script.free(0x200010);
            const auto freed = script.now;
            script.now = freed + block - row - 1;
            script.decommit(0x300000, kPage);
            script.now = freed + block;
            script.store.onResidentSample(SampleBuilder(script.now)
                                              .map(0x200000, 40 * kPage, kDivided)
                                              .map(0x300000, 2 * kPage, kDivided)
                                              .done());
            return textOf(coursesOf(*script.publish(), {kBeforeTrace, kNever}).front().points.at(0).layers);
        };
        QCOMPARE(layersAfter(2, 1), std::string("live 143360, mapped 4096, unknown 24576"));
        QCOMPARE(layersAfter(kEnd, kEnd - 1), std::string("mapped 4096, unknown 167936"));
        QCOMPARE(layersAfter(kEnd + 1, kEnd), std::string("unknown 172032"));
    }
    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        const RandomMemory memory(1);
        const auto balances = balanceAt(*memory.trace, {memory.trace->wholeRange()}, stop.get_token());
        QVERIFY(!balances.hasValue() && balances.error().kind == ErrorKind::Cancelled);
        const auto courses = balanceCourses(*memory.trace, {memory.trace->wholeRange()}, stop.get_token());
        QVERIFY(!courses.hasValue() && courses.error().kind == ErrorKind::Cancelled);
    }
};

HIGHWATER_TEST(SampleSweepTest);
#include "sample_sweep_test.moc"
