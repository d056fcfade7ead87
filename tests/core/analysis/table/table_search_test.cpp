#include "core/analysis/table/table_search.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/core/analysis/random_query.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr unsigned kSearchSeeds = 1000;

using Direction = TableSearch::Direction;

std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return text;
}

QueryExpression parsed(Table table, const std::string& text) {
    const auto query = QueryExpression::parse(table, text);
    if (!query.hasValue()) qFatal("%s: %s", text.c_str(), query.error().sentence.c_str());
    return query.value();
}

/// A group as the recount sees it: its rows, and the origin of its name.
struct NamedGroup {
    KeyPath keys;
    TextPath path;
    std::vector<RecountRow> rows;
};

enum class Scope { Own, Inherited, All };
/// Nothing: the group has no answer.
using Answer = std::function<std::optional<bool>(const Recount&, const NamedGroup&, Scope)>;

struct Question {
    std::string text;
    Answer answer;
};

/// Random queries on the groups of a table, answered by the rows of the groups alone.
class Questions {
  public:
    Questions(RandomTrace& random, const Query& query, const std::vector<NamedGroup>& groups)
        : random_(random), query_(query), groups_(groups) {}

    Question any(unsigned depth) {
        switch (depth == 0 ? 0 : random_.pick(6)) {
        case 1:
        case 2:
            return connected(depth, true);
        case 3:
            return connected(depth, false);
        case 4: {
            auto inner = any(depth - 1);
            return {"NOT (" + inner.text + ")",
                    [a = inner.answer](auto& recount, auto& group, Scope scope) -> std::optional<bool> {
                        const auto answer = a(recount, group, scope);
                        return answer ? std::optional(!*answer) : answer;
                    }};
        }
        default:
            return condition();
        }
    }

  private:
    Question connected(unsigned depth, bool isAnd) {
        auto a = any(depth - 1);
        auto b = any(depth - 1);
        return {"(" + a.text + ")" + (isAnd ? " AND " : " OR ") + "(" + b.text + ")",
                [isAnd, x = a.answer, y = b.answer](auto& recount, auto& group, Scope scope) -> std::optional<bool> {
                    const auto one = x(recount, group, scope);
                    const auto other = y(recount, group, scope);
                    if (one == !isAnd || other == !isAnd) return !isAnd;
                    if (!one || !other) return std::nullopt;
                    return isAnd;
                }};
    }

    Question condition() {
        switch (random_.pick(6)) {
        case 0:
            return anyText();
        case 1:
            return seriesName();
        case 2:
        case 3:
            return aggregate();
        default:
            return ofColumn();
        }
    }

    const NamedGroup* someGroup() {
        return groups_.empty() ? nullptr : &groups_[random_.pick(static_cast<unsigned>(groups_.size()))];
    }

    std::string someText(bool mayBeWhole) {
        static const std::string kTexts[] = {"one", "A", "B!+0x1", "no stack", "AI", "Transient", "e", "1", "nowhere"};
        const auto* group = someGroup();
        if (group == nullptr || random_.pick(2) == 0) return kTexts[random_.pick(std::size(kTexts))];
        auto text = group->path[random_.pick(static_cast<unsigned>(group->path.size()))].second;
        if (!mayBeWhole || random_.pick(2) == 0) text = text.substr(random_.pick(static_cast<unsigned>(text.size())));
        return text;
    }

    Question anyText() {
        const auto text = someText(true);
        return {QueryExpression::quoted(text),
                [part = lowered(text)](auto&, const NamedGroup& group, Scope scope) -> std::optional<bool> {
                    if (scope == Scope::Inherited) return std::nullopt;
                    return lowered(group.path.back().second).find(part) != std::string::npos;
                }};
    }

    Question seriesName() {
        const auto columns = columnsOf(query_.table);
        const auto column = random_.pick(3) != 0 && !query_.keys.empty()
                                ? query_.keys[random_.pick(static_cast<unsigned>(query_.keys.size()))]
                                : columns[random_.pick(static_cast<unsigned>(columns.size()))];
        if (isAggregate(column)) return anyText();
        const auto name = columnName(query_.table, column);
        return {
            fmt::format("[Series Name]:=\"{}\"", name),
            [table = query_.table, name = std::string(name)](auto&, auto& group, Scope scope) -> std::optional<bool> {
                if (scope == Scope::Inherited) return std::nullopt;
                return columnName(table, group.path.back().first) == name;
            }};
    }

    Question aggregate() {
        static constexpr Column kColumns[] = {Column::Count,     Column::Size,  Column::ImpactingSize,
                                              Column::Allocated, Column::Freed, Column::PeakSize};
        static const char* const kOperators[] = {":=", ":<>", ":<", ":<=", ":>", ":>="};
        const auto column = kColumns[random_.pick(std::size(kColumns))];
        const auto op = random_.pick(6);
        std::int64_t value = static_cast<std::int64_t>(random_.pick(60)) - 5;
        const auto table = query_.table;
        if (const auto* group = someGroup(); group != nullptr && !group->rows.empty() && random_.pick(3) == 0)
            value = static_cast<std::int64_t>(group->rows[0].size) * random_.pick(3);
        return {fmt::format("[{}]{}{}", columnName(query_.table, column), kOperators[op], value),
                [=](auto& recount, auto& group, Scope scope) -> std::optional<bool> {
                    if (scope == Scope::Inherited) return std::nullopt;
                    const auto sum = recount.sums(group.rows).of(column, table);
                    if (!sum) return op == 1;
                    const bool answers[] = {*sum == value, *sum != value, *sum<value, *sum <= value, *sum> value,
                                            *sum >= value};
                    return answers[op];
                }};
    }

    /// The text of a text column as a value; (outstanding) and the like are none.
    static std::string valueText(Column column, const std::string& key) {
        return !isStack(column) && readsAsNoValue(key) ? std::string() : lowered(key);
    }

    Question ofColumn() {
        const auto columns = recountedColumnsOf(query_.table);
        const auto column = random_.pick(2) == 0 && !query_.keys.empty()
                                ? query_.keys[random_.pick(static_cast<unsigned>(query_.keys.size()))]
                                : columns[random_.pick(static_cast<unsigned>(columns.size()))];
        if (isAggregate(column)) return aggregate();
        const auto name = fmt::format("[{}]", columnName(query_.table, column));
        const bool negated = random_.pick(2) == 0;
        if (valueKind(column) != ValueKind::Text || random_.pick(6) == 0) {
            return {name + (negated ? ":<>[]" : ":=[]"),
                    told(
                        column,
                        [=](const std::string& key) {
                            return (isStack(column) ? key == "(no stack)" : readsAsNoValue(key)) != negated;
                        },
                        negated)};
        }
        const auto text = someText(true);
        const auto part = lowered(text);
        return {fmt::format("{}{}{}", name, negated ? ":~!" : ":~=", QueryExpression::quoted(text)),
                told(
                    column,
                    [=](const std::string& key) {
                        return (valueText(column, key).find(part) != std::string::npos) != negated;
                    },
                    negated)};
    }

    /// The source of the column's value: the group's key, the keys of enclosing groups, or all rows if they agree.
    Answer told(Column asked, std::function<bool(const std::string&)> holds, bool negated) const {
        const auto isKey = [keys = query_.keys](Column column) {
            return std::find(keys.begin(), keys.end(), column) != keys.end();
        };
        auto column = asked;
        const std::map<Column, Column> otherEnd{{Column::Stack, Column::StackBottomUp},
                                                {Column::StackBottomUp, Column::Stack},
                                                {Column::AllocStack, Column::AllocStackBottomUp},
                                                {Column::AllocStackBottomUp, Column::AllocStack}};
        const auto other = otherEnd.find(asked);
        if (other != otherEnd.end() && !isKey(asked) && isKey(other->second)) column = other->second;
        return [=](auto& recount, const NamedGroup& group, Scope scope) -> std::optional<bool> {
            if (group.path.back().first == column) {
                if (scope == Scope::Inherited) return std::nullopt;
                return holds(group.path.back().second);
            }
            if (isKey(column)) {
                std::vector<bool> answers;
                for (const auto& [above, key] : group.path)
                    if (above == column) answers.push_back(holds(key));
                if (answers.empty() || scope == Scope::Own) return std::nullopt;
                const auto decisive = std::find(answers.begin(), answers.end(), !negated);
                return decisive == answers.end() ? negated : !negated;
            }
            if (scope == Scope::Inherited || isStack(column)) return std::nullopt;
            std::optional<std::string> shared;
            for (const auto& row : group.rows) {
                auto key = recount.keyText(row, column);
                if (isOfSingleRows(column) && key.front() == '(') key = "()"; // no value, for whatever reason
                if (shared && *shared != key) return std::nullopt;
                shared = key;
            }
            return holds(*shared);
        };
    }

    RandomTrace& random_;
    const Query& query_;
    const std::vector<NamedGroup>& groups_;
};

/// One search compared with a walk over everything; the first difference as text, "" if there is none.
class SearchComparison {
  public:
    SearchComparison(RandomTrace& random, const Publication& publication) : random_(random), publication_(publication) {
        query_.table = static_cast<Table>(random.pick(3));
        query_.interval = random.interval();
        query_.allocatorFrames = std::make_shared<AllocatorFrames>("D!*");
        query_.marks = std::make_shared<const std::vector<Mark>>(publication.model.marks);
        auto columns = recountedColumnsOf(query_.table);
        std::erase(columns, Column::SourceLine); // has its own tests: these traces have no names
        while (query_.keys.size() < 3 && (query_.keys.empty() || random.pick(5) != 0)) {
            const auto column =
                random.pick(3) == 0 ? Column::Stack : columns[random.pick(static_cast<unsigned>(columns.size()))];
            const bool isNew = std::find(query_.keys.begin(), query_.keys.end(), column) == query_.keys.end();
            if (!isAggregate(column) && isNew) query_.keys.push_back(column);
        }
        addLabels();
        if (random.pick(3) == 0)
            query_.sort.push_back({columns[random.pick(static_cast<unsigned>(columns.size()))], random.pick(2) == 0});
    }

    std::string run() {
        if (auto text = walkEverything(); !text.empty()) return text;
        const auto question = Questions(random_, query_, groups_).any(random_.pick(4));
        const auto expected = found(question.answer);
        matches += expected.size();
        const auto difference = compare(question, expected);
        return difference.empty() ? difference : question.text + ": " + difference;
    }

    std::size_t matches = 0;

  private:
    Recount recount() const {
        Recount recount(publication_.model, query_.table, query_.interval, publication_.trace->horizon,
                        query_.processExitFreesHeap, "D");
        recount.setLabels(labelsOfRows_);
        return recount;
    }
    void addLabels() {
        Annotations annotations;
        std::vector<Recount::Label> labels;
        for (const std::string label : {"one", "other"}) {
            const auto query = randomQuery(random_, query_.table, recount(), Asking::NoLabels);
            annotations.push_back(makeAnnotation(query_.table, label, query.text).value());
            labels.push_back({label, query.holds});
        }
        query_.annotations = std::make_shared<const Annotations>(std::move(annotations));
        labelsOfRows_ = std::make_shared<const std::vector<Recount::Label>>(std::move(labels));
    }

    std::string walkEverything() {
        for (const auto& row : recount().members()) {
            TextPath prefix;
            for (const auto& step : recount().path(row, query_.keys)) {
                prefix.push_back(step);
                rows_[prefix].push_back(row);
            }
        }
        auto table = GroupedTable::compute(publication_.trace, labels_, query_);
        if (!table.hasValue()) return table.error().message;
        walk(*table.value(), GroupedTable::kRoot, {});
        return {};
    }

    void walk(GroupedTable& table, GroupedTable::NodeId node, const TextPath& path) {
        for (const auto child : table.children(node)) {
            auto below = path;
            below.emplace_back(table.column(child), table.keyText(child));
            groups_.push_back({table.path(child), below, rows_.at(below)});
            walk(table, child, below);
        }
    }

    std::vector<KeyPath> found(const Answer& answer) const {
        std::vector<KeyPath> paths;
        for (const auto& group : groups_) {
            if (answer(recount(), group, Scope::All) != true) continue;
            const bool isInherited = answer(recount(), group, Scope::Inherited) == true;
            if (!isInherited || answer(recount(), group, Scope::Own) == true) paths.push_back(group.keys);
        }
        return paths;
    }

    std::string compare(const Question& question, const std::vector<KeyPath>& expected) {
        auto made = TableSearch::make(publication_.trace, labels_, query_, parsed(query_.table, question.text));
        if (!made.hasValue()) return made.error().message;
        auto& search = *made.value();
        if (random_.pick(2) == 0) { // from anywhere, before anything else was opened
            if (auto text = compareFromAnywhere(search, expected); !text.empty()) return text;
        }
        const auto hits = search.count();
        if (!hits.hasValue() || hits.value().count != expected.size() || hits.value().isMore)
            return fmt::format("{} instead of {}", hits.hasValue() ? hits.value().count : 0, expected.size());
        KeyPath at;
        for (const auto& path : expected) {
            const auto next = search.next(at, Direction::Forward);
            if (!next.hasValue() || next.value() != path) return "another one forward";
            at = path;
        }
        if (search.next(at, Direction::Forward).value() && !expected.empty()) return "one too many forward";
        if (auto text = compareFilter(search, expected); !text.empty()) return text;
        return compareFromAnywhere(search, expected);
    }

    /// Used as a filter, the groups keep the rows of all matches, each once.
    std::string compareFilter(TableSearch& search, const std::vector<KeyPath>& expected) {
        std::size_t rows = 0;
        std::size_t outermost = 0;
        for (const auto& group : groups_) {
            const auto has = [&](const KeyPath& path) {
                return std::find(expected.begin(), expected.end(), path) != expected.end();
            };
            auto path = group.keys;
            if (!has(path)) continue;
            for (path.pop_back(); !path.empty() && !has(path);)
                path.pop_back();
            if (!path.empty()) continue;
            ++outermost;
            rows += group.rows.size();
        }
        const auto groups = search.groups(outermost);
        if (!groups.hasValue() || !groups.value() || groups.value()->size() != outermost) return "other groups";
        if (outermost == 0) return {};
        if (search.groups(outermost - 1).value()) return "more groups than asked for";
        auto filtered = query_;
        filtered.filter.clauses.push_back({RowFilter::Clause::Mode::Keep, *groups.value()});
        const auto table = GroupedTable::compute(publication_.trace, labels_, filtered);
        if (!table.hasValue()) return table.error().message;
        const auto kept = std::get<std::int64_t>(table.value()->value(GroupedTable::kRoot, Column::Count));
        return kept == static_cast<std::int64_t>(rows) ? "" : fmt::format("filter: {} rows instead of {}", kept, rows);
    }

    std::string compareFromAnywhere(TableSearch& search, const std::vector<KeyPath>& expected) {
        if (groups_.empty()) return {};
        const auto from = random_.pick(static_cast<unsigned>(groups_.size()));
        std::optional<KeyPath> before, after;
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            if (std::find(expected.begin(), expected.end(), groups_[i].keys) == expected.end()) continue;
            if (i < from) before = groups_[i].keys;
            if (i > from && !after) after = groups_[i].keys;
        }
        if (search.next(groups_[from].keys, Direction::Backward).value() != before) return "another one before";
        if (search.next(groups_[from].keys, Direction::Forward).value() != after) return "another one behind";
        const auto last = expected.empty() ? std::nullopt : std::optional(expected.back());
        if (search.next({}, Direction::Backward).value() != last) return "another one from the end";
        return {};
    }

    Recount::Labels labelsOfRows_ = std::make_shared<const std::vector<Recount::Label>>();
    RandomTrace& random_;
    const Publication& publication_;
    Query query_;
    std::shared_ptr<FrameLabels> labels_ = std::make_shared<FrameLabels>();
    std::map<TextPath, std::vector<RecountRow>> rows_;
    std::vector<NamedGroup> groups_;
};

/// Two processes: app.exe with main -> parse 100 and 20 bytes, main -> draw 50; other.exe with main -> parse 7.
class Example {
  public:
    Example() {
        ColumnsBuilder builder;
        const auto app = builder.process("app.exe", 1, TraceTime{0});
        const auto other = builder.process("other.exe", 2, TraceTime{0});
        add(builder, app, "main;parse", 100);
        add(builder, app, "main;parse", 20);
        add(builder, app, "main;draw", 50);
        ModelRelease release;
        release.time = TraceTime{20};
        builder.end(1, release);
        add(builder, other, "main;parse", 7);
        trace = builder.publish(TraceTime{100});
        query.table = Table::Heap;
        query.interval = trace->wholeRange();
        query.keys = {Column::Process, Column::Stack};
    }

    std::unique_ptr<TableSearch> search(const std::string& text) const {
        auto made = TableSearch::make(trace, labels, query, parsed(Table::Heap, text));
        if (!made.hasValue()) qFatal("%s", made.error().message.c_str());
        return std::move(made).value();
    }

    /// The matches in order: "app.exe (1)/main app.exe (1)/main/parse".
    std::string found(const std::string& text) const {
        const auto searching = search(text);
        std::string result;
        for (auto at = searching->next({}, Direction::Forward).value(); at;
             at = searching->next(*at, Direction::Forward).value())
            result += (result.empty() ? "" : " ") + named(*at);
        return result;
    }

    std::string named(const KeyPath& path) const {
        auto table = GroupedTable::compute(trace, labels, query).value();
        std::string text;
        auto node = GroupedTable::kRoot;
        for (const auto& step : path) {
            const auto& children = table->children(node);
            node = *std::find_if(children.begin(), children.end(),
                                 [&](auto child) { return table->key(child) == step.key; });
            auto name = table->keyText(node);
            if (name.ends_with("!+0x1")) name.resize(name.size() - 5);
            if (name.ends_with(")")) name.resize(name.find(".exe"));
            text += (text.empty() ? "" : "/") + name;
        }
        return text;
    }

    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<FrameLabels> labels = std::make_shared<FrameLabels>();
    Query query;

  private:
    static void add(ColumnsBuilder& builder, std::uint32_t process, const std::string& stack, ByteCount size) {
        ModelRow row;
        row.process = process;
        row.heap = 0x1000;
        row.stack = stack;
        row.size = size;
        row.begin = TraceTime{10};
        (void)builder.alloc(row);
    }
};

} // namespace

class TableSearchTest : public QObject {
    Q_OBJECT
  private slots:
    void findsGroupsByTheirOwnKeysAndValues_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* query, const char* found) { QTest::newRow(query) << query << found; };
        row("parse", "app/main/parse other/main/parse");
        row("MAIN", "app/main other/main");
        row("app.exe", "app");
        row("[Process]:~=app", "app");
        row("[Process]:~=app AND [Stack]:~=main", "app/main");
        row("[Process]:~=app AND Size:>0", "app app/main app/main/parse app/main/draw");
        row("[Process]:~=app AND NOT [Stack]:~=main", "app/main/parse app/main/draw");
        row("NOT [Process]:~=app", "other");
        row("[Process]:~=app OR parse", "app app/main/parse other/main/parse");
        row("Size:>=120", "app app/main app/main/parse");
        row("Size:=7", "other other/main other/main/parse");
        row("[Impacting Size]:=100", "app/main/parse");
        row("[Peak Size]:=50", "app/main/draw");
        row("[Peak Size]:=50 OR [Peak Size]:=120", "app/main/parse app/main/draw");
        row("[Allocation Size]:=50", "app/main/draw");
        row("Type:=AIFO AND [Stack]:~=draw", "app/main/draw");
        row("[FreeTime]:=[]", "app/main/draw other other/main other/main/parse");
        row("[Series Name]:=Process", "app other");
        row("[Series Name]:=Stack AND [Process]:~=other", "other/main other/main/parse");
        row("[Stack (bottom-up)]:~=draw", "app/main/draw");
        row("nothing", "");
    }
    void findsGroupsByTheirOwnKeysAndValues() {
        QFETCH(QString, query);
        QFETCH(QString, found);
        QCOMPARE(QString::fromStdString(Example().found(query.toStdString())), found);
    }

    void goesBothWaysFromAnyRow() {
        const Example example;
        const auto search = example.search("parse OR app.exe");
        const auto first = search->next({}, Direction::Forward).value();
        const auto second = search->next(*first, Direction::Forward).value();
        const auto third = search->next(*second, Direction::Forward).value();
        QCOMPARE(example.named(*first), std::string("app"));
        QCOMPARE(example.named(*second), std::string("app/main/parse"));
        QCOMPARE(example.named(*third), std::string("other/main/parse"));
        QVERIFY(!search->next(*third, Direction::Forward).value());
        QVERIFY(search->next({}, Direction::Backward).value() == third);
        QVERIFY(search->next(*third, Direction::Backward).value() == second);
        QVERIFY(search->next(*second, Direction::Backward).value() == first);
        QVERIFY(!search->next(*first, Direction::Backward).value());
    }

    void goesOnFromWhatIsLeftOfAPath() {
        const Example example;
        const auto search = example.search("parse");
        auto gone = *search->next({}, Direction::Forward).value();
        gone.back().key = 999'999;
        QCOMPARE(example.named(*search->next(gone, Direction::Forward).value()), std::string("app/main/parse"));
        QVERIFY(!search->next(gone, Direction::Backward).value());
        gone.front().key = 999'999;
        QCOMPARE(example.named(*search->next(gone, Direction::Backward).value()), std::string("other/main/parse"));
    }

    void keepsToTheOrderAndTheFilterOfTheTable() {
        Example example;
        example.query.sort = {SortKey{Column::Size, false}};
        QCOMPARE(example.found("parse"), std::string("other/main/parse app/main/parse"));
        example.query.filter.query = parsed(Table::Heap, "[Process]:~=app");
        QCOMPARE(example.found("parse"), std::string("app/main/parse"));
        example.query.filter.query = parsed(Table::Heap, "[Process]:=nobody");
        QCOMPARE(example.found("parse"), std::string());
    }

    void countsUpToALimit() {
        for (const auto rows : {TableSearch::kMostCounted, TableSearch::kMostCounted + 1}) {
            ColumnsBuilder builder;
            builder.process("a.exe", 1, TraceTime{0});
            for (std::uint64_t i = 0; i < rows; ++i) {
                ModelRow row;
                row.heap = 0x1000;
                row.address = 0x10000 + i;
                row.size = 1;
                (void)builder.alloc(row);
            }
            const auto trace = builder.publish(TraceTime{100});
            Query query;
            query.table = Table::Heap;
            query.interval = trace->wholeRange();
            query.keys = {Column::Address};
            auto search = TableSearch::make(trace, std::make_shared<FrameLabels>(), query,
                                            parsed(Table::Heap, "[Series Name]:=Address"));
            const auto hits = search.value()->count();
            QCOMPARE(hits.value().count, TableSearch::kMostCounted);
            QCOMPARE(hits.value().isMore, rows > TableSearch::kMostCounted);
        }
    }

    void refusesQueriesOfAnotherTable() {
        const Example example;
        const auto made =
            TableSearch::make(example.trace, example.labels, example.query, parsed(Table::VirtualAlloc, "Size:>1"));
        QVERIFY(!made.hasValue());
        QCOMPARE(made.error().kind, ErrorKind::Usage);
    }

    void stopsWhenAskedAndGoesOnAfterwards() {
        const Example example;
        std::stop_source stop;
        stop.request_stop();
        const auto made = TableSearch::make(example.trace, example.labels, example.query, parsed(Table::Heap, "parse"),
                                            stop.get_token());
        QVERIFY(!made.hasValue());
        QCOMPARE(made.error().kind, ErrorKind::Cancelled);
        const auto search = example.search("[Peak Size]:>1 AND parse");
        QCOMPARE(search->count(stop.get_token()).error().kind, ErrorKind::Cancelled);
        QCOMPARE(search->next({}, Direction::Forward, stop.get_token()).error().kind, ErrorKind::Cancelled);
        QCOMPARE(search->next({}, Direction::Backward, stop.get_token()).error().kind, ErrorKind::Cancelled);
        QCOMPARE(search->count().value().count, std::uint64_t{2});
    }

    void findsWhatAWalkOverEverythingFinds() {
        std::size_t matches = 0;
        for (unsigned seed = 0; seed < kSearchSeeds; ++seed) {
            RandomTrace random(seed);
            for (const auto& publication : random.publications()) {
                SearchComparison comparison(random, publication);
                const auto difference = comparison.run();
                QVERIFY2(difference.empty(), fmt::format("seed {}: {}", seed, difference).c_str());
                matches += comparison.matches;
            }
        }
        QVERIFY2(matches > kSearchSeeds, std::to_string(matches).c_str());
    }
};
HIGHWATER_TEST(TableSearchTest);
#include "table_search_test.moc"
