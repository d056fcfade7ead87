#include "app/cli/traces/symbol_messages.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::cli;
using namespace highwater::tests;
using symbols::ModuleLoad, symbols::TriedPlace;

namespace {

constexpr const char* kNotThere = "not found";

/// Modules of a trace, and the results of the search for their symbols.
class Search {
  public:
    Search() {
        ProcessEvent process;
        process.pid = 7;
        process.name = "a.exe";
        std::optional<ProcessIndex> ended;
        processes_.apply(process, ended);
    }
    Search& module(const std::string& name, ModuleLoad::State state, std::vector<TriedPlace> tried = {},
                   bool hasIdentity = true) {
        base_ += 0x100000;
        ImageEvent image;
        image.pid = 7;
        image.base = base_;
        image.size = 0x1000;
        image.path = "C:\\Windows\\" + name;
        processes_.apply(image);
        if (hasIdentity) {
            ImageIdentityEvent identity;
            identity.pid = 7;
            identity.base = base_;
            identity.identity.pdbName = name.substr(0, name.find('.')) + ".pdb";
            identity.identity.pdbAge = 1;
            processes_.apply(identity);
        }
        ModuleLoad load;
        load.module = store::ModuleIndex{static_cast<std::uint32_t>(processes_.modules().size() - 1)};
        load.state = state;
        load.tried = std::move(tried);
        status_.modules.push_back(std::move(load));
        return *this;
    }
    /// Lines without the program's name.
    [[nodiscard]] std::string said(const std::string& path = "/syms", bool showsAll = false) const {
        std::ostringstream answers, messages;
        sayWhatWasFound(status_, processes_, symbols::SymbolPath::parse(path), {answers, messages, showsAll});
        auto text = messages.str();
        constexpr std::string_view kName = "highwater-cli: ";
        for (auto at = text.find(kName); at != std::string::npos; at = text.find(kName, at))
            text.erase(at, kName.size());
        return text;
    }

  private:
    store::ProcessTable processes_;
    symbols::SymbolLoadStatus status_;
    Address base_ = 0;
};

/// Places that were tried for it: a store and a plain folder.
std::vector<TriedPlace> absent(const std::string& stem) {
    const auto pdb = stem + ".pdb";
    return {{"/syms/" + pdb + "/1B721/" + pdb, kNotThere, TriedPlace::Kind::NotThere},
            {"/syms/" + pdb, kNotThere, TriedPlace::Kind::NotThere}};
}

std::size_t linesOf(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

class SymbolMessagesTest : public QObject {
    Q_OBJECT
  private slots:
    void modulesWithTheSameReasonsStandTogether() {
        const auto said = Search()
                              .module("ntdll.dll", ModuleLoad::State::NotFound, absent("ntdll"))
                              .module("app.exe", ModuleLoad::State::Found)
                              .module("kernel32.dll", ModuleLoad::State::NotFound, absent("kernel32"))
                              .said();
        QCOMPARE(said,
                 std::string("Symbols were found for 1 of 3 modules.\nNo symbols: ntdll.dll, kernel32.dll.\n  /syms: "
                             "not found\nNo symbol server was queried because the symbol path contains none.\n"));
    }
    void reasonsAreOmittedIfEverythingWasFound() {
        QCOMPARE(Search().module("app.exe", ModuleLoad::State::Found).said(),
                 std::string("Symbols were found for 1 of 1 module.\n"));
    }
    /// A stripped program has names only for its exports.
    void modulesWithExportedNamesAloneAreNamed() {
        const auto exports = [](const std::string& name) {
            return std::vector<TriedPlace>{{"/bin/" + name, kNotThere, TriedPlace::Kind::NotThere},
                                           {"/bin/" + name, "found; public names only", TriedPlace::Kind::Found}};
        };
        const std::vector<TriedPlace> whole{{"/bin/app", "found", TriedPlace::Kind::Found}};
        const auto said = Search()
                              .module("leak", ModuleLoad::State::Found, exports("leak"))
                              .module("app", ModuleLoad::State::Found, whole)
                              .module("libc.so.6", ModuleLoad::State::Found, exports("libc.so.6"))
                              .said();
        QCOMPARE(said, std::string("Symbols were found for 3 of 3 modules.\nOnly public names (such as exports) "
                                   "were found for leak, libc.so.6. Other functions in these modules have no "
                                   "names.\n"));
        const auto one = Search().module("leak", ModuleLoad::State::Found, exports("leak")).said();
        QVERIFY(one.ends_with("were found for leak. Other functions in this module have no names.\n"));
    }
    void aFileOfAnotherBuildIsNamed() {
        auto tried = absent("app");
        tried.push_back({"/other/app.pdb", "belongs to another build: GUID 1", TriedPlace::Kind::Refused});
        const auto said = Search().module("app.exe", ModuleLoad::State::Mismatched, tried).said();
        QVERIFY2(has(said, "app.exe: the symbols belong to another build and are not used.\n"
                           "  /syms: not found\n"
                           "  /other/app.pdb: belongs to another build: GUID 1\n"),
                 said.c_str());
    }
    void serversAreNamedOnceForAllModules() {
        const auto asked = [](const std::string& stem, const char* outcome) {
            return std::vector<TriedPlace>{
                {"https://example.org/s/" + stem + ".pdb/1B721/" + stem + ".pdb", outcome, TriedPlace::Kind::Refused}};
        };
        const auto said =
            Search()
                .module("a.dll", ModuleLoad::State::NotFound,
                        asked("a", "the server does not answer: no route after 120 ms: refused"))
                .module("b.dll", ModuleLoad::State::NotFound,
                        asked("b", "the server does not answer: no route after 0 ms: refused (queried before)"))
                .said("srv*https://example.org/s");
        QVERIFY2(
            has(said,
                "No symbols: a.dll, b.dll.\n  https://example.org/s: the server does not answer: no route: refused\n"),
            said.c_str());
        QVERIFY2(!has(said, "No symbol server"), said.c_str());
    }
    void pathsThatAreNoneHereAreOneReason() {
        const auto outcome = "is not an absolute path on this system; skipped";
        const auto said = Search()
                              .module("a.dll", ModuleLoad::State::NotFound,
                                      {{"C:\\Windows\\a.dll", outcome, TriedPlace::Kind::NotThere}})
                              .module("b.dll", ModuleLoad::State::NotFound,
                                      {{"C:\\Windows\\b.dll", outcome, TriedPlace::Kind::NotThere}})
                              .said();
        QVERIFY2(has(said, "No symbols: a.dll, b.dll.\n  the path in the trace: is not an absolute path"),
                 said.c_str());
    }
    void credentialsOfServersAreNotPrinted() {
        const auto said = Search()
                              .module("a.dll", ModuleLoad::State::NotFound,
                                      {{"https://me:SECRET@example.org/s?key=SECRET/a.pdb/1B721/a.pdb",
                                        "the server refused", TriedPlace::Kind::Refused}})
                              .said("srv*https://example.org/s");
        QVERIFY2(has(said, "  https://example.org/s") && !has(said, "SECRET"), said.c_str());
    }
    void aModuleThatTheTraceDoesNotIdentifySaysSo() {
        const auto said = Search().module("jit.dll", ModuleLoad::State::NotFound, {}, false).said();
        QVERIFY2(has(said, "  the trace: does not identify the debug file\n"), said.c_str());
    }
    void pathsOfAnotherComputerAreReportedOnce() {
        const std::vector<TriedPlace> foreign{
            {"C:\\Windows\\a.dll", symbols::kForeignPathOutcome, TriedPlace::Kind::NotThere}};
        const auto said = Search()
                              .module("a.dll", ModuleLoad::State::NotFound, foreign)
                              .module("b.dll", ModuleLoad::State::NotFound, foreign)
                              .said();
        QVERIFY2(has(said, "No symbols: a.dll, b.dll.\n  the path in the trace: skipped because"), said.c_str());
        QVERIFY2(has(said, "2 modules were not searched at the paths in the trace"), said.c_str());
        const auto one = Search().module("a.dll", ModuleLoad::State::NotFound, foreign).said();
        QVERIFY2(has(one, "1 module was not searched at the paths in the trace"), one.c_str());
    }
    void longListsEndAndVerboseShowsAll() {
        Search search;
        for (int i = 0; i < 40; ++i) {
            const auto name = "m" + std::to_string(i) + ".dll";
            search.module(name, ModuleLoad::State::NotFound,
                          {{"/place" + std::to_string(i), "no debug file", TriedPlace::Kind::Refused}});
            search.module("same" + name, ModuleLoad::State::NotFound);
        }
        const auto some = search.said(), all = search.said("/syms", true);
        QVERIFY2(linesOf(some) < 24, some.c_str());
        QVERIFY2(has(some, " more modules have no symbols; use -v to show all.\n"), some.c_str());
        QVERIFY2(has(some, "samem0.dll, samem1.dll, samem2.dll, samem3.dll, samem4.dll, samem5.dll and 34 more."),
                 some.c_str());
        QVERIFY2(!has(all, "more"), all.c_str());
        for (int i = 0; i < 40; ++i)
            QVERIFY(has(all, "/place" + std::to_string(i) + ": no debug file\n"));
    }
    void namesFromTheTraceStayOnTheirLine() {
        const auto said = Search().module("a\n\x1B[2J.dll", ModuleLoad::State::NotFound).said();
        QVERIFY2(!has(said, "\x1B") && !has(said, "a\n"), said.c_str());
    }
};
HIGHWATER_TEST(SymbolMessagesTest);
#include "symbol_messages_test.moc"
