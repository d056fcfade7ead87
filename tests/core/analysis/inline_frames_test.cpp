#include "tests/core/analysis/named_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <random>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

Query matching(Query query, const std::string& text) {
    query.filter.query = QueryExpression::parse(Table::Heap, text).value();
    return query;
}

/// The node at the end of a path; the root if there is none.
GroupedTable::NodeId nodeAt(GroupedTable& table, const KeyPath& path) {
    auto node = GroupedTable::kRoot;
    for (const auto& step : path) {
        const auto& children = table.children(node);
        const auto next = std::find_if(children.begin(), children.end(), [&](auto child) {
            return table.column(child) == step.column && table.key(child) == step.key;
        });
        if (next == children.end()) return GroupedTable::kRoot;
        node = *next;
    }
    return node;
}

/// work() with inlined push(), which has inlined grow().
NamedTrace releaseBuild() {
    NamedTrace t;
    t.block(10, "app+0x10;app+0x110;lib+0x5");
    t.nameCode("app", {{0, {{"main"}}}, {0x100, {{"work"}, {"push"}, {"grow"}}}, {0x120, {{"work"}}}});
    return t;
}

} // namespace

class InlineFramesTest : public QObject {
    Q_OBJECT
  private slots:
    void opensAFrameAsSeveralRows() {
        auto t = releaseBuild();
        QCOMPARE(t.print(heapQuery({Column::Stack})),
                 std::string("\napp!main: 1 10 10\n  app!work: 1 10 10\n    app!push [inlined]: 1 10 10\n"
                             "      app!grow [inlined]: 1 10 10\n        lib!+0x5: 1 10 10\n"));
    }

    void beginsBottomUpWithTheInnermost() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110");
        t.nameCode("app", {{0, {{"main"}}}, {0x100, {{"work"}, {"push"}, {"grow"}}}});
        QCOMPARE(t.print(heapQuery({Column::StackBottomUp})),
                 std::string("\napp!grow [inlined]: 1 10 10\n  app!push [inlined]: 1 10 10\n"
                             "    app!work: 1 10 10\n      app!main: 1 10 10\n"));
    }

    void forksWhereAFunctionIsInlinedForSomeCallsOnly() {
        auto t = releaseBuild();
        t.block(30, "app+0x10;app+0x130;lib+0x5");
        QCOMPARE(t.print(heapQuery({Column::Stack})),
                 std::string("\napp!main: 2 40 40\n  app!work: 2 40 40\n    lib!+0x5: 1 30 30\n"
                             "    app!push [inlined]: 1 10 10\n      app!grow [inlined]: 1 10 10\n"
                             "        lib!+0x5: 1 10 10\n"));
    }

    void mergesAnInlinedFunctionAcrossItsCopies() {
        NamedTrace t;
        t.block(10, "app+0x10");
        t.block(30, "app+0x110");
        t.nameCode("app", {{0, {{"main"}, {"push"}}}, {0x100, {{"work"}, {"push"}}}});
        QCOMPARE(t.print(heapQuery({Column::StackBottomUp})),
                 std::string("\napp!push [inlined]: 2 40 40\n  app!work: 1 30 30\n  app!main: 1 10 10\n"));
    }

    void skipsInlinedAllocatorFrames() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110;crt+0x8");
        t.nameCode("app", {{0, {{"main"}}}, {0x100, {{"work"}, {"std::allocate"}}}});
        t.name("crt", {{0, "malloc"}});
        auto query = heapQuery({Column::StackBottomUp});
        query.allocatorFrames = std::make_shared<AllocatorFrames>("crt!malloc\n*!std::allocate\n");
        QCOMPARE(t.print(query), std::string("\napp!work: 1 10 10\n  app!main: 1 10 10\n"));
        // A filter by the row keeps exactly the row's content.
        const auto keep = keeping(query, t.onlyPath(query, 1));
        QCOMPARE(t.print(keep), std::string("\napp!work: 1 10 10\n  app!main: 1 10 10\n"));
        t.forget("app");
        QCOMPARE(t.print(keep), std::string("\napp!+0x110: 1 10 10\n  app!+0x10: 1 10 10\n"));
    }

    void conditionsSeeTheNameWithAndWithoutTheMark() {
        auto t = releaseBuild();
        t.block(500, "other+0x10");
        const auto query = heapQuery({Column::Stack});
        const auto finds = [&](const std::string& text) {
            return t.print(matching(query, text)).starts_with("\napp!main");
        };
        QVERIFY(finds("Stack:=\"app!push\""));
        QVERIFY(finds("Stack:=\"app!push [inlined]\""));
        QVERIFY(finds("Stack:~>\"!grow\""));
        QVERIFY(finds("Stack:~=\"inlined\""));
        QVERIFY(!finds("Stack:<>\"app!push\""));
        QVERIFY(!finds("Stack:=\"app!pus\""));
    }

    void aPathFromBeforeTheNamesLeadsToTheInnermostRow() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110;lib+0x5");
        const auto query = heapQuery({Column::Stack});
        const auto leaf = t.onlyPath(query, 3);
        const auto frame = t.onlyPath(query, 2);
        t.nameCode("app", {{0, {{"main"}}}, {0x100, {{"work"}, {"push"}, {"grow"}}}});
        QCOMPARE(t.table(query)->renewed(frame), t.onlyPath(query, 4));
        QCOMPARE(t.table(query)->renewed(leaf), t.onlyPath(query, 5));
        QCOMPARE(t.print(keeping(query, frame)), t.print(query));
        QCOMPARE(t.print(keeping(query, leaf, RowFilter::Clause::Mode::Remove)), std::string("\n"));
    }

    void aPathThroughInlinedRowsOutlivesTheNames() {
        auto t = releaseBuild();
        t.block(30, "app+0x10;app+0x130;lib+0x5");
        const auto query = heapQuery({Column::Stack});
        auto grouped = t.table(query);
        const auto work = grouped->children(grouped->children(0).front()).front();
        const auto push = grouped->children(work).back();
        const auto path = grouped->path(push);
        const auto all = grouped->path(work);
        t.forget("app");
        const std::string one = "\napp!+0x10: 1 10 10\n  app!+0x110: 1 10 10\n    lib!+0x5: 1 10 10\n";
        QCOMPARE(t.print(keeping(query, path)), one);
        QCOMPARE(t.table(query)->renewed(path), t.onlyPath(keeping(query, path), 2));
        QVERIFY(t.print(keeping(query, all)).starts_with("\napp!+0x10: 2 40 40\n"));
    }

    void aPathWithoutInlinedRowsIsNotTheOneWithThem() {
        auto t = releaseBuild();
        t.block(30, "app+0x10;app+0x130;lib+0x5");
        const auto query = heapQuery({Column::Stack});
        auto grouped = t.table(query);
        const auto work = grouped->children(grouped->children(0).front()).front();
        const auto lib = grouped->children(work).front(); // main > work > lib, nothing inlined
        QCOMPARE(t.print(keeping(query, grouped->path(lib))),
                 std::string("\napp!main: 1 30 30\n  app!work: 1 30 30\n    lib!+0x5: 1 30 30\n"));
        QCOMPARE(grouped->renewed(grouped->path(lib)), grouped->path(lib));
        QCOMPARE(grouped->renewed(grouped->path(work)), grouped->path(work));
    }

    void aPathFromBeforeInlineInformationLeadsThroughIt() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110;lib+0x5");
        t.name("app", {{0, "main"}, {0x100, "work"}}); // public symbols contain no inlining
        const auto query = heapQuery({Column::Stack});
        const auto path = t.onlyPath(query, 3);
        t.nameCode("app", {{0, {{"main"}}}, {0x100, {{"work"}, {"push"}}}});
        QCOMPARE(t.table(query)->renewed(path), t.onlyPath(query, 4));
        QCOMPARE(t.print(keeping(query, path)), t.print(query));
    }

    void bottomUpPathsSurviveBothWays() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110");
        const auto query = heapQuery({Column::StackBottomUp});
        const auto before = t.onlyPath(query, 1);
        t.nameCode("app", {{0, {{"main"}}}, {0x100, {{"work"}, {"push"}, {"grow"}}}});
        QCOMPARE(t.table(query)->renewed(before), t.onlyPath(query, 3));
        const auto inner = t.onlyPath(query, 2); // grow < push
        QCOMPARE(t.print(keeping(query, inner)), t.print(query));
        t.forget("app");
        QCOMPARE(t.table(query)->renewed(inner), before);
        QCOMPARE(t.print(keeping(query, inner)), t.print(query));
    }

    void keysToTheRightOfAStackStandBelowTheInnermostRow() {
        NamedTrace t;
        t.block(10, "app+0x110");
        t.nameCode("app", {{0x100, {{"work"}, {"push"}}}});
        const auto query = heapQuery({Column::Stack, Column::Process});
        QCOMPARE(t.print(query), std::string("\napp!work: 1 10 10\n  app!push [inlined]: 1 10 10\n"
                                             "    a.exe (7): 1 10 10\n"));
        QCOMPARE(t.print(keeping(query, t.onlyPath(query, 3))), t.print(query));
    }

    void namesWhatWasInlinedWithoutAName() {
        NamedTrace t;
        t.block(10, "app+0x110");
        t.nameCode("app", {{0x100, {{"work"}, {""}, {"push"}}}});
        QCOMPARE(t.print(heapQuery({Column::Stack})),
                 std::string("\napp!work: 1 10 10\n  app!(unknown) [inlined]: 1 10 10\n"
                             "    app!push [inlined]: 1 10 10\n"));
    }

    void agreesWithANaiveExpansion();
};

namespace {

/// A random trace with random names for each address.
class RandomInlining {
  public:
    explicit RandomInlining(unsigned seed) : random_(seed) {
        for (int i = 0; i < 12; ++i) {
            std::string text;
            std::vector<std::pair<std::string, symbols::Rva>> frames;
            for (auto left = 1 + pick(4); left > 0; --left) {
                const std::string module = pick(2) == 0 ? "a" : "b";
                const symbols::Rva offset = (left == 1 ? 8 : 1) + pick(6); // a leaf is never a caller as well
                frames.emplace_back(module, offset);
                text += fmt::format("{}{}+0x{:x}", text.empty() ? "" : ";", module, offset);
            }
            const ByteCount size = ByteCount{1} << i; // sums identify the rows in them
            trace.freed(size, text, "c+0x1");
            stacks_.push_back({size, frames});
        }
    }

    void rename() {
        for (const auto* module : {"a", "b"}) {
            const auto& loaded = trace.trace->processes->modules();
            if (std::none_of(loaded.begin(), loaded.end(), [&](auto& m) { return m.name == module; })) continue;
            auto& parts = code_[module];
            parts.clear();
            for (symbols::Rva address = 0; address < kEnd; ++address) {
                auto& chain = parts[address];
                for (auto left = pick(4); left > 0; --left)
                    chain.push_back({std::string(1, static_cast<char>('f' + pick(3)))});
            }
            trace.nameCode(module, parts, kEnd);
        }
    }

    /// The sums of the rows of each group, by the texts of their paths.
    [[nodiscard]] std::map<std::vector<std::string>, ByteCount> groups(Column column) const {
        std::map<std::vector<std::string>, ByteCount> groups;
        for (const auto& [size, frames] : stacks_) {
            std::vector<std::string> rows;
            for (std::size_t i = 0; i < frames.size(); ++i) {
                const auto& [module, offset] = frames[i];
                const auto found = code_.find(module);
                const auto address = i + 1 == frames.size() ? offset : offset - 1;
                if (found == code_.end() || found->second.at(address).empty()) {
                    rows.push_back(fmt::format("{}!+0x{:x}", module, offset));
                    continue;
                }
                const auto& chain = found->second.at(address);
                for (std::size_t level = 0; level < chain.size(); ++level)
                    rows.push_back(module + "!" + chain[level].name + (level == 0 ? "" : " [inlined]"));
            }
            if (isBottomUp(column)) std::reverse(rows.begin(), rows.end());
            for (auto end = rows.begin() + 1;; ++end) {
                groups[{rows.begin(), end}] += size;
                if (end == rows.end()) break;
            }
        }
        return groups;
    }

    unsigned pick(unsigned end) { return static_cast<unsigned>(random_() % end); }

    NamedTrace trace;

  private:
    static constexpr symbols::Rva kEnd = 16;

    struct Stack {
        ByteCount size;
        std::vector<std::pair<std::string, symbols::Rva>> frames; ///< root first
    };
    std::minstd_rand random_;
    std::vector<Stack> stacks_;
    std::map<std::string, std::map<symbols::Rva, std::vector<NamedCode>>> code_;
};

struct FoundGroup {
    KeyPath path;
    ByteCount size = 0;
};

void collect(GroupedTable& table, GroupedTable::NodeId node, std::vector<std::string>& texts,
             std::map<std::vector<std::string>, FoundGroup>& found) {
    for (const auto child : table.children(node)) {
        texts.push_back(table.keyText(child));
        found[texts] = {table.path(child),
                        static_cast<ByteCount>(std::get<std::int64_t>(table.value(child, Column::Size)))};
        collect(table, child, texts, found);
        texts.pop_back();
    }
}

ByteCount sizeOf(GroupedTable& table, GroupedTable::NodeId node) {
    return static_cast<ByteCount>(std::get<std::int64_t>(table.value(node, Column::Size)));
}

} // namespace

void InlineFramesTest::agreesWithANaiveExpansion() {
    for (unsigned seed = 1; seed <= 300; ++seed) {
        RandomInlining random(seed);
        constexpr std::array kStacks{Column::Stack, Column::StackBottomUp, Column::AllocStack,
                                     Column::AllocStackBottomUp};
        const auto column = kStacks[random.pick(kStacks.size())];
        const auto query = isAllocStack(column) ? freesQuery({column}) : heapQuery({column});
        const bool isNameless = random.pick(2) == 0; // at first
        std::vector<FoundGroup> remembered;
        for (int change = 0; change < 3; ++change) {
            if (change > 0 || !isNameless) random.rename();
            auto table = random.trace.table(query);
            std::map<std::vector<std::string>, FoundGroup> found;
            std::vector<std::string> texts;
            collect(*table, GroupedTable::kRoot, texts, found);
            const auto expected = random.groups(column);
            QVERIFY2(found.size() == expected.size(), qPrintable(QString::number(seed)));
            for (const auto& [path, size] : expected)
                QVERIFY2(found.contains(path) && found[path].size == size, qPrintable(QString::number(seed)));
            for (const auto& old : remembered) {
                // A filter keeps its rows; functions may have got more code meanwhile.
                auto kept = random.trace.table(keeping(query, old.path));
                const auto size = sizeOf(*kept, GroupedTable::kRoot);
                QVERIFY2((size & old.size) == old.size, qPrintable(QString::number(seed)));
                // Addresses are always distinct, so the path of an address leads to its one row.
                if (!isNameless || change != 1) continue;
                const auto node = nodeAt(*table, table->renewed(old.path));
                QVERIFY2((sizeOf(*table, node) & old.size) == old.size, qPrintable(QString::number(seed)));
                QVERIFY(node != GroupedTable::kRoot);
            }
            for (const auto& [path, group] : found) {
                if (change == 0) {
                    auto kept = random.trace.table(keeping(query, group.path));
                    QCOMPARE(sizeOf(*kept, GroupedTable::kRoot), group.size);
                    QCOMPARE(table->renewed(group.path), group.path);
                }
                if (random.pick(4) == 0) remembered.push_back(group);
            }
        }
    }
}

HIGHWATER_TEST(InlineFramesTest);
#include "inline_frames_test.moc"
