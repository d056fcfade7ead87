#include "core/analysis/generations/generations.h"

#include "core/analysis/table/grouped_table.h"
#include "tests/core/analysis/random_query.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr unsigned kGenerationSeeds = HIGHWATER_RANDOM_TRACES;

using StackText = std::pair<std::string, std::vector<std::string>>; ///< process, and frames without allocator frames
using Numbers = std::map<StackText, GenerationNumbers>;

std::string told(const GenerationNumbers& numbers) {
    return fmt::format("growth {} persistent {} of {} bytes", numbers.growth, numbers.persistentCount,
                       numbers.persistentBytes);
}

/// One query to one publication, recounted literally.
class GenerationsComparison {
  public:
    GenerationsComparison(RandomTrace& random, const Publication& publication) : publication_(publication) {
        query_.table = random.pick(2) == 0 ? Table::Heap : Table::VirtualAlloc;
        query_.interval = random.intervalOf(publication);
        query_.processExitFreesHeap = random.pick(3) == 0;
        query_.allocatorFrames = std::make_shared<AllocatorFrames>("D!*");
        query_.marks = std::make_shared<const std::vector<Mark>>(publication.model.marks);
        query_.most = random.pick(4) == 0 ? random.pick(3) : 1000;
        if (random.pick(3) != 0) return;
        text_ = randomQuery(random, query_.table, recount(query_.interval));
        query_.filter.query = QueryExpression::parse(query_.table, text_.text).value();
    }

    std::string run() {
        const auto answer = countGenerations(*publication_.trace, *labels_, query_);
        if (!answer.hasValue()) return answer.error().message;
        const auto& report = answer.value();
        auto edges = edgesOf();
        if (edges.empty()) return report.generations.empty() ? "" : "generations of nothing";
        if (report.generations.size() + 1 != edges.size()) return "other generations";
        for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
            const auto& generation = report.generations[i];
            if (generation.start != edges[i] || generation.end != edges[i + 1]) return "another time";
            if (auto difference = compare(generation, countedOf(edges[i], edges[i + 1])); !difference.empty())
                return fmt::format("generation {}: {}{}", i, difference, text_.text);
        }
        return compareTables(report);
    }

  private:
    Recount recount(TimeRange interval) const {
        return {publication_.model,          query_.table, interval, publication_.trace->horizon,
                query_.processExitFreesHeap, "D"};
    }
    TimeRange interval() const {
        return {query_.interval.start, std::min(query_.interval.end, publication_.trace->horizon)};
    }
    std::vector<TraceTime> edgesOf() const {
        if (interval().isEmpty()) return {};
        std::set<TraceTime> edges{interval().start, interval().end};
        for (const auto& mark : publication_.model.marks) {
            if (interval().contains(mark.time)) edges.insert(mark.time);
        }
        return {edges.begin(), edges.end()};
    }
    Numbers countedOf(TraceTime start, TraceTime end) const {
        const auto all = recount(interval());
        Numbers numbers;
        for (const auto& row : all.members()) {
            if (text_.holds && !text_.holds(all, row)) continue;
            StackText stack{all.keyText(row, Column::Process), {}};
            for (const auto& [_, frame] : all.path(row, {Column::StackBottomUp}))
                stack.second.push_back(frame);
            auto& of = numbers[stack];
            of.growth += all.outstanding(row, end) - all.outstanding(row, start);
            const bool isMade = row.begin && *row.begin >= start && *row.begin < end;
            if (!isMade || (row.end && *row.end < interval().end)) continue;
            ++of.persistentCount;
            of.persistentBytes += static_cast<ByteCount>(all.outstanding(row, interval().end));
        }
        std::erase_if(numbers, [](const auto& entry) { return entry.second == GenerationNumbers{}; });
        return numbers;
    }
    std::string compare(const Generation& generation, const Numbers& wanted) const {
        GenerationNumbers sum;
        GenerationNumbers shown = generation.others;
        for (const auto& [_, numbers] : wanted)
            sum += numbers;
        if (!(generation.numbers == sum)) return told(generation.numbers) + " instead of " + told(sum);
        if (generation.stackCount != wanted.size()) return "other stacks";
        if (generation.stacks.size() != std::min(query_.most, wanted.size())) return "another number of stacks";
        for (std::size_t i = 0; i < generation.stacks.size(); ++i) {
            const auto& stack = generation.stacks[i];
            const auto found = wanted.find({stack.process, stack.stack});
            if (found == wanted.end()) return "a stack of its own: " + fmt::format("{}", fmt::join(stack.stack, ";"));
            if (!(found->second == stack.numbers)) return told(stack.numbers) + " instead of " + told(found->second);
            if (i > 0 && generation.stacks[i - 1].numbers.persistentBytes < stack.numbers.persistentBytes)
                return "not in order";
            shown += stack.numbers;
        }
        return shown == sum ? "" : "the others are wrong";
    }
    /// The same by the table: the Impacting Size of everything, and each generation's kept rows by filter.
    std::string compareTables(const GenerationsReport& report) const {
        Query query;
        query.table = query_.table;
        query.interval = interval();
        query.filter = query_.filter;
        query.processExitFreesHeap = query_.processExitFreesHeap;
        query.allocatorFrames = query_.allocatorFrames;
        query.marks = query_.marks;
        const auto number = [&](Column column) {
            const auto table = GroupedTable::compute(publication_.trace, labels_, query);
            return std::get<std::int64_t>(table.value()->value(GroupedTable::kRoot, column));
        };
        if (number(Column::ImpactingSize) != report.total.growth) return "growths are not the Impacting Size";
        for (const auto& generation : report.generations) {
            const KeyPath path{{Column::Generation, generation.key},
                               {Column::Type, static_cast<std::uint64_t>(RowType::AIFO)}};
            query.filter.clauses = {{RowFilter::Clause::Mode::Keep, {path}}};
            if (number(Column::Count) != static_cast<std::int64_t>(generation.numbers.persistentCount))
                return "the filter keeps other rows";
            if (number(Column::ImpactingSize) != static_cast<std::int64_t>(generation.numbers.persistentBytes))
                return "the filter keeps other bytes";
        }
        return {};
    }

    const Publication& publication_;
    std::shared_ptr<FrameLabels> labels_ = std::make_shared<FrameLabels>();
    GenerationsQuery query_;
    RandomQuery text_;
};

} // namespace

/// Generations of random traces, with marks at instants of events, against a recount that follows the definitions.
class GenerationsTest : public QObject {
    Q_OBJECT
  private slots:
    void equalTheRecount() { compare(kGenerationSeeds, RandomTrace::Cuts::None); }
    void equalTheRecountOfWhatIsKept() { compare(kGenerationSeeds / 4, RandomTrace::Cuts::Some); }

    void areOfWhatWasAllocated() {
        RandomTrace trace(1);
        FrameLabels labels;
        GenerationsQuery query;
        query.table = Table::Frees;
        const auto answer = countGenerations(*trace.publications().back().trace, labels, query);
        QVERIFY(!answer.hasValue());
        QCOMPARE(answer.error().kind, ErrorKind::Usage);
    }
    void stopWhenTheyAreTold() {
        RandomTrace trace(1);
        FrameLabels labels;
        GenerationsQuery query;
        query.interval = {TraceTime{0}, TraceTime{1000}};
        std::stop_source source;
        source.request_stop();
        const auto answer = countGenerations(*trace.publications().back().trace, labels, query, source.get_token());
        QVERIFY(!answer.hasValue());
        QCOMPARE(answer.error().kind, ErrorKind::Cancelled);
    }

  private:
    static void compare(unsigned seeds, RandomTrace::Cuts cuts) {
        for (unsigned seed = 0; seed < seeds; ++seed) {
            RandomTrace trace(seed, cuts);
            for (std::size_t i = 0; i < trace.publications().size(); ++i) {
                const auto difference = GenerationsComparison(trace, trace.publications()[i]).run();
                QVERIFY2(difference.empty(), fmt::format("seed {}, publication {}: {}", seed, i, difference).c_str());
            }
        }
    }
};
HIGHWATER_TEST(GenerationsTest);
#include "generations_test.moc"
