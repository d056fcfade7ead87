#include "core/symbols/answers/symbol_table.h"

#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QTest>

#include <map>
#include <random>
#include <thread>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

constexpr store::ModuleIndex kModule{3};

/// Answers with one function each, named by the address and a suffix; odd addresses have an inlined call, multiples of
/// 7 no name.
ResolvedAddresses answers(std::span<const Rva> addresses, const std::string& suffix) {
    ResolvedAddresses names;
    for (const auto address : addresses) {
        if (address % 7 != 0) {
            if (address % 2 == 1) {
                names.functions.push_back({"inlined" + suffix, NameOrigin::Private, 0});
                names.files.push_back("inlined.h");
                names.frames.push_back({static_cast<std::uint32_t>(names.functions.size() - 1),
                                        static_cast<std::uint32_t>(names.files.size() - 1), 7, 0, true});
            }
            names.functions.push_back({"f" + std::to_string(address) + suffix, NameOrigin::Public, 2});
            names.frames.push_back({static_cast<std::uint32_t>(names.functions.size() - 1), kNoFile, 0, 5, false});
        }
        names.firstFrame.push_back(static_cast<std::uint32_t>(names.frames.size()));
    }
    return names;
}

std::string text(const ModuleNames& names, Rva address) {
    const auto frames = names.framesAt(address);
    if (!frames) return "not asked";
    std::string all;
    for (const auto& frame : *frames)
        all += names.function(frame).linkageName + (frame.isInlined ? " < " : "");
    return all;
}

std::string expected(Rva address, const std::string& suffix) {
    if (address % 7 == 0) return "";
    return (address % 2 == 1 ? "inlined" + suffix + " < " : "") + "f" + std::to_string(address) + suffix;
}

} // namespace

class SymbolTableTest : public QObject {
    Q_OBJECT
  private slots:
    void mergesAnswersInAnyOrder() {
        std::mt19937 random(5);
        std::map<Rva, std::string> model;
        SymbolTable table;
        for (int round = 0; round < 50; ++round) {
            std::vector<Rva> some;
            for (int i = 0; i < 40; ++i)
                some.push_back(random() % 300);
            const auto suffix = "#" + std::to_string(round);
            const auto open = table.unanswered(kModule, some);
            for (const auto address : some)
                QCOMPARE(std::binary_search(open.begin(), open.end(), address), !model.contains(address));
            table.add(kModule, some, answers(some, suffix));
            for (const auto address : some)
                model[address] = expected(address, suffix);
            const auto view = table.view();
            for (Rva address = 0; address < 300; ++address) {
                const auto known = model.find(address);
                QCOMPARE(text(*view->module(kModule), address), known == model.end() ? "not asked" : known->second);
            }
        }
    }
    void leavesOldViewsAsTheyWere() {
        SymbolTable table;
        const auto empty = table.view();
        const std::vector<Rva> address{10};
        table.add(kModule, address, answers(address, "a"));
        const auto first = table.view();
        table.add(kModule, address, answers(address, "b"));
        table.forget(kModule);
        QVERIFY(empty->module(kModule) == nullptr);
        QCOMPARE(text(*first->module(kModule), 10), std::string("f10a"));
        QCOMPARE(first->module(kModule)->functionAt(10)->linkageName, std::string("f10a"));
        QVERIFY(table.view()->module(kModule) == nullptr);
        QVERIFY(empty->revision() < first->revision() && first->revision() < table.view()->revision());
    }
    /// A profile contains tens of thousands of modules, one after the other.
    void workGrowsWithTheModules() {
        const auto ratio = workRatio(2'000, [](std::size_t count) {
            SymbolTable table;
            const std::vector<Rva> address{10};
            const auto names = answers(address, "");
            for (std::uint32_t i = 0; i < count; ++i)
                table.add(store::ModuleIndex{i}, address, names);
            QCOMPARE(table.view()->revision(), std::uint64_t{count});
        });
        QVERIFY2(ratio < kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
    void isReadWhileItIsFilled() {
        SymbolTable table;
        std::atomic<bool> stop{false};
        std::jthread reader([&] {
            std::uint64_t last = 0;
            while (!stop) {
                const auto view = table.view();
                QVERIFY(view->revision() >= last);
                last = view->revision();
                if (const auto* names = view->module(kModule); names != nullptr) {
                    for (const auto address : names->addresses())
                        QCOMPARE(text(*names, address), expected(address, ""));
                }
            }
        });
        std::vector<std::jthread> writers;
        for (Rva writer = 0; writer < 3; ++writer) {
            writers.emplace_back([&table, writer] {
                for (Rva i = 0; i < 60; ++i) {
                    const std::vector<Rva> address{i * 3 + writer};
                    table.add(kModule, address, answers(address, ""));
                }
            });
        }
        writers.clear();
        stop = true;
        reader.join();
        QCOMPARE(table.view()->module(kModule)->addresses().size(), std::size_t{180});
        QCOMPARE(table.view()->revision(), std::uint64_t{180});
    }
};
HIGHWATER_TEST(SymbolTableTest);
#include "symbol_table_test.moc"
