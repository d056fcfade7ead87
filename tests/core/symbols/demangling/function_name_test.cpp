#include "core/symbols/demangling/function_name.h"

#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"
#include "tests/support/wine.h"

#include <QTest>

using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

void row(const char* mangled, const char* full, const char* brief) {
    QTest::newRow(mangled) << QString(mangled) << QString(full) << QString(brief);
}

} // namespace

class FunctionNameTest : public QObject {
    Q_OBJECT
  private slots:
    void methodsAsNgenNamesThem() {
        const auto both = [](std::string_view name) {
            return readableName(name, NameStyle::Short) + " | " + readableName(name, NameStyle::Full);
        };
        QCOMPARE(both("System.String.Concat$##60004F8"), std::string("System.String.Concat | System.String.Concat"));
        QCOMPARE(both("System.String.Concat(System.String, Int32)$#mscorlib#60004f8"),
                 std::string("System.String.Concat | System.String.Concat(System.String, Int32)"));
        QCOMPARE(both("System.Collections.Generic.List`1[[System.__Canon, mscorlib]].Add(System.__Canon)$##6001"),
                 std::string("System.Collections.Generic.List`1.Add | "
                             "System.Collections.Generic.List`1[[System.__Canon, mscorlib]].Add(System.__Canon)"));
        // Names that only look similar.
        QCOMPARE(readableName("a$#b", NameStyle::Full), std::string("a$#b"));
        QCOMPARE(readableName("a$#b#", NameStyle::Full), std::string("a$#b#"));
        QCOMPARE(readableName("a$#b#xyz", NameStyle::Full), std::string("a$#b#xyz"));
        QCOMPARE(readableName("`anonymous namespace'::f", NameStyle::Short), std::string("`anonymous namespace'::f"));
    }
    void readsManglings_data() {
        QTest::addColumn<QString>("mangled");
        QTest::addColumn<QString>("full");
        QTest::addColumn<QString>("brief");
        row("main", "main", "main");
        // Names as other profilers write them: Go receivers, lambdas as GNU's demangler names them, Rust closures.
        row("main.(*cache).Add", "main.(*cache).Add", "main.(*cache).Add");
        row("main.(*G[...]).Push", "main.(*G[...]).Push", "main.(*G[...]).Push");
        row("main.(*store).Put.func1", "main.(*store).Put.func1", "main.(*store).Put.func1");
        row("main::{lambda()#1}::operator()() const", "main::{lambda()#1}::operator()() const",
            "main::{lambda()#1}::operator()");
        row("main::{lambda(int)#2}::operator()(int) const", "main::{lambda(int)#2}::operator()(int) const",
            "main::{lambda(int)#2}::operator()");
        row("void run<main::{lambda(int, char)#1}>(int)", "void run<main::{lambda(int, char)#1}>(int)", "run<>");
        row("A::{unnamed type#1}::f(int)", "A::{unnamed type#1}::f(int)", "A::{unnamed type#1}::f");
        row("app::main::{{closure}}", "app::main::{{closure}}", "app::main::{{closure}}");
        row("java.util.ArrayList.<init>(int)", "java.util.ArrayList.<init>(int)", "java.util.ArrayList.<init>");
        row("broken{(", "broken{(", "broken{(");
        row("RtlAllocateHeap", "RtlAllocateHeap", "RtlAllocateHeap");
        row("_Z18InnerLoopOperationi", "InnerLoopOperation(int)", "InnerLoopOperation");
        row("_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int>>::push_back(int const&)",
            "std::vector<>::push_back");
        row("_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo()", "(anonymous namespace)::foo");
        row("_ZNK3FooclEv", "Foo::operator()() const", "Foo::operator()");
        row("_ZN3FooltERKS_", "Foo::operator<(Foo const&)", "Foo::operator<");
        row("_ZN3FoolsIiEERS_T_", "Foo& Foo::operator<<<int>(int)", "Foo::operator<<<>");
        row("_ZN3FoocvPKcEv", "Foo::operator char const*()", "Foo::operator char const*");
        row("_Znwm", "operator new(unsigned long)", "operator new");
        row("_ZdaPv", "operator delete[](void*)", "operator delete[]");
        row("_ZZ4mainENKUlvE_clEv", "main::'lambda'()::operator()() const", "main::'lambda'::operator()");
        row("_Z3addIiET_S0_S0_", "int add<int>(int, int)", "add<>");
        row("?InnerLoopOperation@@YAHH@Z", "InnerLoopOperation(int)", "InnerLoopOperation");
        row("?push@?$Ring@J@buffers@@QEAAJJ@Z", "buffers::Ring<long>::push(long)", "buffers::Ring<>::push");
        row("??2@YAPEAX_K@Z", "operator new(unsigned __int64)", "operator new");
        row("??1Foo@@QEAA@XZ", "Foo::~Foo(void)", "Foo::~Foo");
        row("??_GFoo@@UAEPAXI@Z", "Foo::`scalar deleting destructor'(unsigned int)",
            "Foo::`scalar deleting destructor'");
        row("?what@Foo@@UBEPBDXZ", "Foo::what(void) const", "Foo::what");
        row("?callBack@@YAXP6AXH@Z@Z", "callBack(void (*)(int))", "callBack");
        if (!runsUnderWine()) // Wine's DbgHelp returns this one unchanged
            row("?foo@?A0x1234@@YAXXZ", "`anonymous namespace'::foo(void)", "`anonymous namespace'::foo");
        if (kHasLlvm) // GCC writes std::is_array<T> shorter than LLVM reads it
            row("_ZSt11make_sharedI4NodeJEESt10shared_ptrINSt9enable_ifIXntsrSt8is_arrayIT_E5valueES4_E4typeEEDpOT0_",
                "std::shared_ptr<std::enable_if<!std::is_array<Node>::value, Node>::type> std::make_shared<Node>()",
                "std::make_shared<>");
        if (kHasLlvm) row("_RNvCs1234_7mycrate3foo", "mycrate::foo", "mycrate::foo");
        row("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad::h0123456789abcdef",
            "core::fmt::Formatter::pad");
        // Private symbols of PDBs are readable already.
        row("std::vector<int,std::allocator<int> >::push_back", "std::vector<int,std::allocator<int> >::push_back",
            "std::vector<>::push_back");
        row("Foo::<lambda_1>::operator()", "Foo::<lambda_1>::operator()", "Foo::<lambda_1>::operator()");
    }
    void readsManglings() {
        QFETCH(QString, mangled);
        QFETCH(QString, full);
        QFETCH(QString, brief);
        const auto name = mangled.toStdString();
        QCOMPARE(QString::fromStdString(readableName(name, NameStyle::Full)), full);
        QCOMPARE(QString::fromStdString(readableName(name, NameStyle::Short)), brief);
    }
    /// Names that rustc 1.95 made, and examples of RFC 2603; the full names are those of c++filt.
    void readsRust_data() {
        QTest::addColumn<QString>("mangled");
        QTest::addColumn<QString>("full");
        QTest::addColumn<QString>("brief");
        // The older mangling, on both systems.
        row("_ZN2lk4keep17hfee47ee6a4b369a5E", "lk::keep::hfee47ee6a4b369a5", "lk::keep");
        row("_ZN2lk14Cache$LT$T$GT$4fill17h8934545e441c2924E", "lk::Cache<T>::fill::h8934545e441c2924",
            "lk::Cache<>::fill");
        row("_ZN56_$LT$lk..Cache$LT$T$GT$$u20$as$u20$lk..Keep$LT$T$GT$$GT$7keep_it17h0caf1119447951f7E",
            "<lk::Cache<T> as lk::Keep<T>>::keep_it::h0caf1119447951f7", "<lk::Cache<> as lk::Keep<>>::keep_it");
        row("_ZN2lk4main28_$u7b$$u7b$closure$u7d$$u7d$17h276736fa712cd2c9E", "lk::main::{{closure}}::h276736fa712cd2c9",
            "lk::main::{{closure}}");
        row("_ZN5alloc7raw_vec20RawVecInner$LT$A$GT$15try_allocate_in17h0123456789abcdefE.llvm.123",
            "alloc::raw_vec::RawVecInner<A>::try_allocate_in::h0123456789abcdef (.llvm.123)",
            "alloc::raw_vec::RawVecInner<>::try_allocate_in");
        row("_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$20offset_from_unsigned17ha1d3adeb04b27fb0E",
            "core::ptr::const_ptr::<impl *const T>::offset_from_unsigned::ha1d3adeb04b27fb0",
            "core::ptr::const_ptr::<impl *const T>::offset_from_unsigned");
        row("_ZN4core3ptr91drop_in_place$LT$alloc..sync..Arc$LT$std..thread..lifecycle..Packet$LT$$LP$$RP$$GT$$GT$$GT$"
            "17hde5ddf9e8eb4131bE",
            "core::ptr::drop_in_place<alloc::sync::Arc<std::thread::lifecycle::Packet<()>>>::hde5ddf9e8eb4131b",
            "core::ptr::drop_in_place<>");
        // As a C++ demangler leaves it, in files of other profilers.
        row("alloc::vec::Vec$LT$T$C$A$GT$::push::h0123456789abcdef", "alloc::vec::Vec<T,A>::push::h0123456789abcdef",
            "alloc::vec::Vec<>::push");
        // An invalid escape is kept, with everything after it.
        row("_ZN1a6b$QQ$c3d$e17h0123456789abcdefE", "a::b$QQ$c::d$e::h0123456789abcdef", "a::b$QQ$c::d$e");
        row("_ZN1a8b$ud800$5c$u0$9d$u10ffff17h0123456789abcdefE", "a::b$ud800$::c$u0$::d$u10ffff::h0123456789abcdef",
            "a::b$ud800$::c$u0$::d$u10ffff");
        row("_ZN1a5$u7e$7$u20ac$17h0123456789abcdefE", "a::~::\u20ac::h0123456789abcdef", "a::~::\u20ac");
        // Not a Rust name.
        row("_ZN1a1b4h123E", "a::b::h123", "a::b::h123");
        if (!kHasLlvm) return;
        row("_RNvCsgw3ms5Exph4_2lk4keep", "lk::keep", "lk::keep"); // the crate's hash needs all 64 bits
        row("_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc", "__rustc::__rust_alloc", "__rustc::__rust_alloc");
        row("_RNvMs4_NtCslNYArtu3iFV_5alloc7raw_vecNtB5_11RawVecInner15try_allocate_inCsduwmD7cSIQq_5gimli",
            "<alloc::raw_vec::RawVecInner>::try_allocate_in", "alloc::raw_vec::RawVecInner::try_allocate_in");
        row("_RINvMsj_NtCslNYArtu3iFV_5alloc3vecINtB6_3VecNtNtB8_6string6StringE14extend_trustedINtNtNtNtCsgEmfK2I1SDS_"
            "4core4iter8adapters3map3MapINtNtNtB1r_3ops5range5RangelENCNvCs6umqkDOlfLT_3lk24main0EEB2D_",
            "<alloc::vec::Vec<alloc::string::String>>::extend_trusted::<core::iter::adapters::map::Map<core::ops::range"
            "::Range<i32>, lk2::main::{closure#0}>>",
            "alloc::vec::Vec<>::extend_trusted");
        row("_RNvXs_NtCslNYArtu3iFV_5alloc5allocNtB4_6GlobalNtNtCsgEmfK2I1SDS_4core5alloc9Allocator8allocate",
            "<alloc::alloc::Global as core::alloc::Allocator>::allocate",
            "<alloc::alloc::Global as core::alloc::Allocator>::allocate");
        row("_RNvMCs1234_7mycrateNtB2_3Foo3bar", "<mycrate::Foo>::bar", "mycrate::Foo::bar");
        row("_RNvXCs1234_7mycrateNtB2_3FooNtB2_5Trait3bar", "<mycrate::Foo as mycrate::Trait>::bar",
            "<mycrate::Foo as mycrate::Trait>::bar");
        row("_RNCNvCsgStHSCytQ6I_7mycrate4main0B3_", "mycrate::main::{closure#0}", "mycrate::main::{closure#0}");
        row("_RINvNtC3std3mem8align_ofNtNtC3std3mem12DiscriminantE", "std::mem::align_of::<std::mem::Discriminant>",
            "std::mem::align_of");
        row("_RNvCs1234_7mycrate3foo.llvm.1234", "mycrate::foo (.llvm.1234)", "mycrate::foo");
        // A hash of more than 64 bits is invalid.
        row("_RNvCszzzzzzzzzzzz_2lk4keep", "_RNvCszzzzzzzzzzzz_2lk4keep", "_RNvCszzzzzzzzzzzz_2lk4keep");
    }
    void readsRust() { readsManglings(); }
    void keepsWhatIsNoMangling() {
        for (const auto* name : {"", "?", "_Z", "_ZN", "_R", "??", "<", "(", "operator", "a b c", "?x@@", "\xFF\xFE"}) {
            const auto text = readableName(name, NameStyle::Short);
            QVERIFY(std::string(name).empty() || !text.empty());
        }
        const std::string endless(100'000, '(');
        QCOMPARE(readableName(endless, NameStyle::Full), endless);
    }
    /// Each part repeats the previous one twice, so the result would exceed any memory.
    void leavesNamesAloneThatComeToTooMuch() {
        if (!kHasLlvm) QSKIP("Other demanglers are used here.");
        std::string itanium = "_Z1f1A1BIS_S_E"; // f(A, B<A, A>, C<B<A, A>, B<A, A>>, ...)
        for (int i = 0; i < 35; ++i) {
            const auto last = 2 * i + 1;
            const auto digit = [](int n) { return std::string(1, static_cast<char>(n < 10 ? '0' + n : 'A' + n - 10)); };
            const auto number = last < 36 ? digit(last) : "1" + digit(last - 36);
            itanium += "1CIS" + number + "_S" + number + "_E";
        }
        QVERIFY(itanium.size() < 500);
        QCOMPARE(readableName(itanium, NameStyle::Full), itanium);

        std::string rust = "_RINvC1a1fTaaE"; // a::f::<(i8, i8), ((i8, i8), (i8, i8)), ...>
        const std::string digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        for (std::size_t last = 8; rust.size() < 370;) {
            const auto n = last - 1;
            const auto number = (n < 62 ? "" : std::string(1, digits[n / 62])) + digits[n % 62];
            last = rust.size() - 2;
            rust += "TB" + number + "_B" + number + "_E";
        }
        rust += "E";
        QCOMPARE(readableName(rust, NameStyle::Full), rust);

        std::string microsoft = "?f@@YAXP6AHHH@Z"; // f(int (*)(int, int), void (*)(the one before, 30 times), ...)
        for (char last = '0'; last < '9'; ++last)
            microsoft += "P6AX" + std::string(30, last) + "@Z";
        microsoft += "@Z";
        QCOMPARE(readableName(microsoft, NameStyle::Full), microsoft);
        microsoft = "V?$A@H@@"; // A<A<A<int>, A<int>>, A<A<int>, A<int>>> and so on
        for (int i = 0; i < 30; ++i)
            microsoft = "V?$A@" + microsoft + "V1@@@";
        microsoft = "?x@@3" + microsoft + "A";
        QCOMPARE(readableName(microsoft, NameStyle::Full), microsoft);

        std::string d = "_D20000" + std::string(20'000, 'a');
        for (int i = 0; i < 4000; ++i)
            d += "Qa";
        QCOMPARE(readableName(d, NameStyle::Full), d);
    }
    void leavesNamesAloneThatAreTooDeep() {
        if (!kHasLlvm) QSKIP("Other demanglers are used here.");
        for (const char* piece : {"P", "PF", "Dp", "NT_", "XsrT_", "1AI", "Dv1_"}) {
            std::string name = "_Z1f";
            while (name.size() < 32'000)
                name += piece;
            (void)readableName(name + "iE", NameStyle::Full);
        }
    }
    void readsLongNames() {
        if (!kHasLlvm) QSKIP("Other demanglers are used here.");
        std::string name = "_Z1f1A1BIS_S_E"; // as above, but doubled ten times
        for (int i = 0; i < 10; ++i) {
            const auto last = 2 * i + 1;
            const auto number = std::string(1, static_cast<char>(last < 10 ? '0' + last : 'A' + last - 10));
            name += "1CIS" + number + "_S" + number + "_E";
        }
        const auto readable = readableName(name, NameStyle::Full);
        QVERIFY2(readable.size() > 20'000 && readable.starts_with("f(A, B<A, A>, C<B<A, A>, B<A, A>>"),
                 readable.substr(0, 200).c_str());
        std::string packs = "_Z1fIJ"; // void f<int, ...>(int, ...) with 2,000 arguments
        packs += std::string(2'000, 'i') + "EEvDpT_";
        QCOMPARE(readableName(packs, NameStyle::Full).size(), 2 * (2'000 * 5 - 2) + std::string("void f<>()").size());
        QCOMPARE(readableName("_RNvXs_C7mycrateINtB4_3FooiENtB4_5Trait3bar", NameStyle::Full),
                 std::string("<mycrate::Foo<isize> as mycrate::Trait>::bar"));
    }
    void givesDebugRecordsTheirNameBack() {
        QCOMPARE(qualifiedName("?push@?$Ring@J@buffers@@QEAAJJ@Z"), std::string("buffers::Ring<long>::push"));
        QCOMPARE(qualifiedName("plainC"), std::string("plainC"));
    }
    void takesOffCallingConventions() {
        QCOMPARE(withoutCallingConvention("_main"), std::string_view("main"));
        QCOMPARE(withoutCallingConvention("_Sleep@4"), std::string_view("Sleep"));
        QCOMPARE(withoutCallingConvention("@fast@8"), std::string_view("fast"));
        QCOMPARE(withoutCallingConvention("vector@@16"), std::string_view("vector"));
        QCOMPARE(withoutCallingConvention("___security_init_cookie"), std::string_view("__security_init_cookie"));
        QCOMPARE(withoutCallingConvention("?f@@YAXXZ"), std::string_view("?f@@YAXXZ"));
        QCOMPARE(withoutCallingConvention("_"), std::string_view("_"));
    }
};
HIGHWATER_TEST(FunctionNameTest);
#include "function_name_test.moc"
