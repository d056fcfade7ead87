#include "core/analysis/addresses/address_history.h"

#include "tests/core/analysis/random_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

AddressHistory historyOf(const store::PublishedTrace& trace, const AddressQuery& query) {
    FrameLabels labels;
    auto history = findAddress(trace, labels, query);
    if (!history.hasValue()) qFatal("%s", history.error().message.c_str());
    return std::move(history).value();
}

std::string timeText(TraceTime time) {
    return time == kBeforeTrace ? "old" : time == kNever ? "never" : fmt::format("{}", time.ns);
}

/// All values of a use in one line.
std::string useText(const AddressUse& use) {
    return fmt::format("{} {} {:x} {:x}+{} {}..{} kind {} parts {} t{} [{}] t{} [{}]{}", static_cast<int>(use.table),
                       use.process, use.heap, use.address, use.size, timeText(use.begin), timeText(use.end),
                       static_cast<int>(use.endKind), use.releasedInParts, use.thread.value, fmt::join(use.stack, ";"),
                       use.endThread.value, fmt::join(use.endStack, ";"), use.isUnmatchedFree ? " unmatched" : "");
}

std::vector<std::string> framesOf(const std::string& stack) {
    if (stack.empty()) return {"(no stack)"};
    if (stack[0] == '?') return {"(stack not resolved)"};
    std::vector<std::string> frames;
    std::string frame;
    for (const char c : stack + ";") {
        if (c != ';') {
            frame += c;
            continue;
        }
        frames.insert(frames.begin(), frame + "!+0x1"); // innermost first
        frame.clear();
    }
    return frames;
}

/// Row by row, as docs/numbers.md defines it.
class AddressRecount {
  public:
    AddressRecount(const Model& model, const AddressQuery& query) : model_(model), query_(query) {}

    [[nodiscard]] std::vector<std::string> uses() const {
        std::vector<std::pair<std::tuple<TraceTime, int, bool, std::size_t>, std::string>> found;
        for (std::size_t i = 0; i < model_.rows.size(); ++i) {
            const auto& row = model_.rows[i];
            if (isIn(row.address, row.size) && isOf(row.process))
                found.push_back({{row.begin, static_cast<int>(row.table), false, i}, useText(useOf(row))});
        }
        for (std::size_t i = 0; i < model_.unmatched.size(); ++i) {
            const auto& free = model_.unmatched[i];
            if (isIn(free.address, free.release.bytes) && isOf(free.process))
                found.push_back({{free.release.time, static_cast<int>(free.table), true, i}, useText(useOf(free))});
        }
        std::sort(found.begin(), found.end());
        std::vector<std::string> texts;
        for (const auto& [_, text] : found)
            texts.push_back(text);
        return texts;
    }

  private:
    [[nodiscard]] bool isIn(Address first, ByteCount size) const {
        if (query_.address == first) return true;
        return query_.address > first && query_.address - first < size;
    }
    [[nodiscard]] bool isOf(std::uint32_t process) const {
        return !query_.pid || model_.processes[process].pid == *query_.pid;
    }
    [[nodiscard]] std::string nameOf(std::uint32_t process) const {
        return fmt::format("{} ({})", model_.processes[process].name, model_.processes[process].pid);
    }
    [[nodiscard]] AddressUse useOf(const ModelRow& row) const {
        AddressUse use{.table = row.table, .process = nameOf(row.process), .heap = row.heap};
        use.address = row.address;
        use.size = row.size;
        use.begin = row.begin;
        use.thread = ThreadId{row.thread};
        use.stack = framesOf(row.stack);
        for (const auto& release : row.releases) {
            if (!release.isFinal && release.time < row.end.value_or(kNever)) use.releasedInParts += release.bytes;
        }
        if (!row.end) return use;
        const auto& last = row.releases.back();
        use.end = *row.end;
        use.endKind = last.kind;
        use.endThread = ThreadId{last.thread};
        use.endStack = endFramesOf(row.table, last);
        return use;
    }
    [[nodiscard]] AddressUse useOf(const ModelUnmatched& free) const {
        AddressUse use{.table = free.table, .isUnmatchedFree = true, .process = nameOf(free.process)};
        use.heap = free.heap;
        use.address = free.address;
        use.size = free.release.bytes;
        use.end = free.release.time;
        use.endKind = free.release.kind;
        use.endThread = ThreadId{free.release.thread};
        use.endStack = endFramesOf(free.table, free.release);
        return use;
    }

    /// If this row has none, whether any release of this kind has one.
    [[nodiscard]] std::vector<std::string> endFramesOf(store::TableKind table, const ModelRelease& release) const {
        bool hasAny = !release.stack.empty();
        const auto look = [&](store::TableKind of, const ModelRelease& other) {
            if (of == table && other.kind == release.kind && !other.stack.empty()) hasAny = true;
        };
        for (const auto& row : model_.rows)
            for (const auto& other : row.releases)
                look(row.table, other);
        for (const auto& free : model_.unmatched)
            look(free.table, free.release);
        if (hasAny) return framesOf(release.stack);
        return {"(stacks on free were not recorded)"};
    }

    const Model& model_;
    const AddressQuery& query_;
};

} // namespace

/// The owners of an address over time.
class AddressHistoryTest : public QObject {
    Q_OBJECT
  private slots:
    void readsAddressesAsPeopleHaveThem() {
        QVERIFY(parseAddress("0x7ff612340000") == Address{0x7ff612340000});
        QVERIFY(parseAddress(" 7FF6`12340000 ") == Address{0x7ff612340000});
        QVERIFY(parseAddress("0XffFFffFFffFFffFF") == ~Address{0});
        for (const auto* wrong : {"", "0x", "x", "0x1g", "-1", "0x1ffffffffffffffff", "a.etl"})
            QVERIFY2(!parseAddress(wrong), wrong);
    }
    void equalsTheRecountOverRandomTraces() {
        std::size_t found = 0;
        for (unsigned seed = 1; seed <= HIGHWATER_RANDOM_TRACES / 8; ++seed) {
            RandomTrace random(seed);
            for (const auto& publication : random.publications()) {
                const auto query = randomQuery(random);
                auto wanted = AddressRecount(publication.model, query).uses();
                const auto history = historyOf(*publication.trace, query);
                QCOMPARE(history.count, std::uint64_t{wanted.size()});
                found += wanted.size();
                wanted.erase(wanted.begin(),
                             wanted.end() - static_cast<std::ptrdiff_t>(std::min(query.most, wanted.size())));
                std::vector<std::string> uses;
                for (const auto& use : history.uses)
                    uses.push_back(useText(use));
                QVERIFY2(
                    uses == wanted,
                    fmt::format("seed {}:\n{}\n---\n{}", seed, fmt::join(uses, "\n"), fmt::join(wanted, "\n")).c_str());
            }
        }
        QVERIFY(found > HIGHWATER_RANDOM_TRACES / 4);
    }
    void endsBlocksWithTheirProcessIfAsked() {
        ColumnsBuilder builder;
        builder.process("a.exe", 7, TraceTime{0});
        ModelRow row;
        row.heap = 0x10000;
        row.address = 0x5000;
        row.size = 8;
        row.begin = TraceTime{1};
        builder.alloc(row);
        builder.endProcess(0, TraceTime{3});
        const auto trace = builder.publish(TraceTime{10});
        QVERIFY(historyOf(*trace, {.address = 0x5007}).uses[0].end == kNever);
        const auto ended = historyOf(*trace, {.address = 0x5007, .processExitFreesHeap = true}).uses[0];
        QVERIFY(ended.end == TraceTime{3});
        QVERIFY(ended.endKind == store::EndKind::ProcessExit);
        QVERIFY(ended.endStack.empty());
        QCOMPARE(historyOf(*trace, {.address = 0x5008}).count, std::uint64_t{0});
    }
    void saysWhereStacksOnFreeWereOff() {
        ColumnsBuilder builder;
        builder.process("a.exe", 7, TraceTime{0});
        ModelUnmatched free;
        free.table = store::TableKind::Heap;
        free.address = 0x5000;
        free.release.time = TraceTime{1};
        free.release.kind = store::EndKind::Free;
        builder.unmatched(free);
        const auto off = historyOf(*builder.publish(TraceTime{2}), {.address = 0x5000}).uses;
        QCOMPARE(off.at(0).endStack, std::vector<std::string>{"(stacks on free were not recorded)"});
        free.release.time = TraceTime{3};
        free.release.stack = "a;b";
        builder.unmatched(free);
        const auto on = historyOf(*builder.publish(TraceTime{4}), {.address = 0x5000}).uses;
        QCOMPARE(on.at(0).endStack, std::vector<std::string>{"(no stack)"});
        QCOMPARE(on.at(1).endStack.size(), std::size_t{2});
    }
    void stopsWhenAsked() {
        RandomTrace random(1);
        std::stop_source stop;
        stop.request_stop();
        FrameLabels labels;
        const auto history =
            findAddress(*random.publications().back().trace, labels, {.address = 0x5000}, stop.get_token());
        QVERIFY(!history.hasValue() && history.error().kind == ErrorKind::Cancelled);
    }

  private:
    static AddressQuery randomQuery(RandomTrace& random) {
        AddressQuery query;
        query.address = (random.pick(4) == 0 ? 0xFFFF'8000'0000'0000u : 0x5000u) + 0x800 * random.pick(7);
        if (random.pick(2) == 0) query.address += random.pick(4);
        if (random.pick(3) == 0) query.pid = 100 * (1 + random.pick(3));
        if (random.pick(3) == 0) query.most = random.pick(4);
        return query;
    }
};
HIGHWATER_TEST(AddressHistoryTest);
#include "address_history_test.moc"
