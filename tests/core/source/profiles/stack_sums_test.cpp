#include "core/source/profiles/stack_sums.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace highwater;
using source::Profile;

namespace {

/// Stacks of one frame each: the frame, and its amounts in the profile.
using Stacks = std::vector<std::pair<std::uint32_t, source::StackAmounts>>;

Profile profileOf(const Stacks& stacks, const source::KnownAmounts& known = {}) {
    Profile profile;
    source::StackSums sums(profile);
    for (const auto& [frame, amounts] : stacks) {
        Profile::Sample stack;
        stack.firstFrame = static_cast<std::uint32_t>(profile.stackFrames.size());
        stack.frames = 1;
        profile.stackFrames.push_back(frame);
        if (!sums.add(stack, amounts)) profile.remarks.emplace_back("refused");
    }
    sums.finish(known, "a.file");
    return profile;
}

/// "frame: objects of bytes", "-" before freed amounts.
std::string samplesOf(const Profile& profile) {
    std::string text;
    for (const auto& sample : profile.samples)
        text += (text.empty() ? "" : ", ") + std::to_string(profile.stackFrames[sample.firstFrame]) + ": " +
                (sample.end == Profile::kNever ? "" : "-") + std::to_string(sample.objects) + " of " +
                std::to_string(sample.bytes);
    return text;
}

} // namespace

class StackSumsTest : public QObject {
    Q_OBJECT
  private slots:
    void splitsMemoryInUseFromMemoryThatWasFreed() {
        QCOMPARE(samplesOf(profileOf({{7, {1, 10, 3, 30}}, {8, {0, 0, 2, 5}}, {9, {4, 40, 4, 40}}, {9, {}}})),
                 std::string("7: 1 of 10, 7: -2 of 20, 8: -2 of 5, 9: 4 of 40"));
    }
    /// Profiles of a whole fleet are summed up to one, so a stack may have more in use than any single machine.
    void holdsWhatManyMachinesHaveInUse() {
        constexpr auto kBytes = (std::int64_t{1} << 45) + 7;
        const auto profile = profileOf({{7, {3, kBytes, 3, kBytes}}, {8, {kBytes, 5, kBytes, 5}}});
        QVERIFY(profile.remarks.empty());
        std::uint64_t objects = 0, bytes = 0;
        for (const auto& sample : profile.samples) {
            QVERIFY(sample.end == Profile::kNever);
            objects += sample.objects;
            bytes += sample.bytes;
        }
        QCOMPARE(objects, std::uint64_t{kBytes} + 3);
        QCOMPARE(bytes, std::uint64_t{kBytes} + 5);
    }
    /// A complete profile keeps its stacks separate; a difference sums them up.
    void sumsUpStacksOfDifferencesOnly() {
        QCOMPARE(samplesOf(profileOf({{7, {1, 10, 1, 10}}, {7, {2, 20, 2, 20}}})),
                 std::string("7: 1 of 10, 7: 2 of 20"));
        const auto difference = profileOf({{7, {5, 50, 5, 50}}, {8, {1, 1, 1, 1}}, {7, {-2, -20, -2, -20}}});
        QCOMPARE(samplesOf(difference), std::string("7: 3 of 30, 8: 1 of 1"));
        QVERIFY(difference.remarks.empty()); // no stack has less
        QCOMPARE(difference.notes,
                 std::vector<std::string>{
                     "a.file is a difference of two profiles. Memory in use did not decrease in any stack."});
        QCOMPARE(profileOf({{7, {5, 50, 5, 50}}, {7, {-6, -60, -5, -50}}}).remarks.size(), std::size_t{1});
    }
    /// In a reversed difference allocations are negative, which does not mean another time span.
    void saysOnceWhatADifferenceIs() {
        const auto profile = profileOf({{7, {5, 50, -5, -50}}, {8, {-2, -20, -4, -40}}});
        QCOMPARE(samplesOf(profile), std::string("7: 5 of 50"));
        QVERIFY(profile.notes.empty());
        QCOMPARE(profile.remarks.size(), std::size_t{1});
    }
    void showsLargeSumsAsSeveralSamples() {
        constexpr std::int64_t kBytes = (std::int64_t{1} << 45) + 3;
        const auto profile = profileOf({{7, {0, 0, 100, kBytes}}});
        std::uint64_t bytes = 0, objects = 0;
        for (const auto& sample : profile.samples) {
            QVERIFY(sample.bytes <= source::kMostProfileBytes);
            bytes += sample.bytes;
            objects += sample.objects;
        }
        QCOMPARE(bytes, static_cast<std::uint64_t>(kBytes));
        QCOMPARE(objects, std::uint64_t{100});
    }
    void refusesWhatNoProgramHas() {
        constexpr auto kLeast = std::numeric_limits<std::int64_t>::min(),
                       kMost = std::numeric_limits<std::int64_t>::max();
        for (const auto value : {kLeast, kMost, std::int64_t{1} << 54, -(std::int64_t{1} << 54)})
            for (const source::StackAmounts& amounts :
                 {source::StackAmounts{value, 0, 0, 0}, {0, value, 0, 0}, {0, 0, value, 0}, {0, 0, 0, value}})
                QCOMPARE(profileOf({{7, amounts}}).remarks, std::vector<std::string>{"refused"});
    }
    /// Very many large sums would fill all memory: the profile is then too large, and its reader reports that.
    void endsWhereThereAreMoreSamplesThanAnyProgramHas() {
        const Stacks stacks(10'000, {7, {0, 0, 1, std::int64_t{1} << 53}});
        const auto profile = profileOf(stacks);
        QVERIFY(source::isTooMuch(profile));
        QVERIFY(profile.samples.size() < source::kMostProfileSamples + 2000);
    }
    void hasOneObjectForEachSampleWhereOnlyBytesAreKnown() {
        const auto profile = profileOf({{7, {0, 10, 0, 30}}}, {.objects = false});
        QCOMPARE(samplesOf(profile), std::string("7: 1 of 10, 7: -1 of 20"));
        QVERIFY(!profile.hasCounts);
    }
    void leavesOutAllocationsThatAreNotKnown() {
        const auto profile = profileOf({{7, {1, 10, 0, 0}}}, {.allocated = false});
        QCOMPARE(samplesOf(profile), std::string("7: 1 of 10"));
        QCOMPARE(profile.notes.size(), std::size_t{1});
    }
};

HIGHWATER_TEST(StackSumsTest);
#include "stack_sums_test.moc"
