#include "core/symbols/demangling/rust_text.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <initializer_list>
#include <random>
#include <string>

using namespace highwater::symbols;

/// Whole names are in function_name_test.cpp.
class RustTextTest : public QObject {
    Q_OBJECT
  private slots:
    void namesOfOtherLanguagesAreNone() {
        for (const auto* name : {"main", "_ZN3foo3barEv", "_ZN1a1b4h123E", "_ZN1a17h0123456789abcdeXE", "a::b::h0123",
                                 "_ZN17h0123456789abcdefE", "h0123456789abcdef", "_ZN1a17h0123456789abcdefEv", ""})
            QVERIFY2(!demangleOlderRust(name), name);
    }
    void partsBeginWithSigns() {
        QCOMPARE(demangleOlderRust("__ZN11_$LT$u8$GT$1f17h0123456789abcdefE").value_or(""),
                 std::string("<u8>::f::h0123456789abcdef"));
    }
    void shortensPartsWithinParts() {
        QCOMPARE(shortRustName("<<a::B<c::D> as e::F<g::H>>::i::{closure#0} as j::K<(), L = ()>>::m::<n::O>::p"),
                 std::string("<<a::B<> as e::F<>>::i::{closure#0} as j::K<>>::m::p"));
        QCOMPARE(shortRustName("<[a::B<c::D>]>::f"), std::string("<[a::B<>]>::f"));
        QCOMPARE(shortRustName("<fn(a::B<u8>) -> c::D<u8>>::f"), std::string("<fn(a::B<>) -> c::D<>>::f"));
        QCOMPARE(shortRustName("<dyn a::B<u8> + c::D>::f"), std::string("<dyn a::B<> + c::D>::f"));
        QCOMPARE(shortRustName("a::<impl b::C<d::E> for [f::G<h::I>]>::j"),
                 std::string("a::<impl b::C<> for [f::G<>]>::j"));
        QCOMPARE(shortRustName("<a::B<dyn c::D + e::F>>::g"), std::string("a::B<>::g"));
        QCOMPARE(shortRustName("a::b (.llvm.12)"), std::string("a::b"));
    }
    void damagedNamesAreOfNoConsequence() {
        const std::string hash = "17h0123456789abcdefE";
        for (const auto& name : std::initializer_list<std::string>{
                 "_ZN99999999999999999999999a" + hash, "_ZN0" + hash, "_ZN" + hash, "_ZN17h0123456789abcdef",
                 "_ZN1a17h0123456789", "::h0123456789abcdef", "_ZN3$u$" + hash, "_ZN1$" + hash, "_ZN2_$" + hash,
                 "_ZN3..." + hash, "<", "<>", "a<", "::<", "<<", ">", "a::<impl "})
            (void)shortRustName(demangleOlderRust(name).value_or(name));
        for (const char* piece : {"<", "a<impl ", "::<", "a<", "<a::b<"}) {
            std::string deep;
            while (deep.size() < 30'000)
                deep += piece;
            QVERIFY(shortRustName(deep).size() <= 2 * deep.size());
        }
        std::mt19937 random(1);
        const std::string pieces[] = {"_ZN", "$LT$", "$GT$", "..", "$",    "u7b",   "17h0123456789abcdef",
                                      "E",   "<",    ">",    "::", " as ", "impl ", "1",
                                      "9",   "a",    "(.",   ")",  "-",    "_"};
        for (int i = 0; i < 20'000; ++i) {
            std::string name;
            for (auto count = random() % 20; count > 0; --count)
                name += pieces[random() % std::size(pieces)];
            name += random() % 2 == 0 ? "17h0123456789abcdefE" : "::h0123456789abcdef";
            (void)shortRustName(demangleOlderRust(name).value_or(name));
        }
    }
};
HIGHWATER_TEST(RustTextTest);
#include "rust_text_test.moc"
