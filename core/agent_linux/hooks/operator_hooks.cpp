#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/hooks/heap_records.h"

#include <cstddef>

// All forms of the C++ operators, for allocators that have their own. Not exported: only calls to those are redirected
// here (findOwnOperators). They may throw through these hooks; abandoned_frame.h detects the state that is left behind.

using namespace highwater::agent;

namespace {

using Word = std::size_t; ///< bytes, an alignment, or the address of a tag: all are passed in the same way

enum Operator {
    kNew,
    kNewArray,
    kNewNothrow,
    kNewArrayNothrow,
    kNewAligned,
    kNewArrayAligned,
    kNewAlignedNothrow,
    kNewArrayAlignedNothrow,
    kDelete,
    kDeleteArray,
    kDeleteSized,
    kDeleteArraySized,
    kDeleteNothrow,
    kDeleteArrayNothrow,
    kDeleteAligned,
    kDeleteArrayAligned,
    kDeleteSizedAligned,
    kDeleteArraySizedAligned,
    kDeleteAlignedNothrow,
    kDeleteArrayAlignedNothrow,
    kOperators
};
void* realOperators[kOperators];

[[gnu::noinline]] void recordDelete(std::uint64_t before, const void* block, const Caller& caller) {
    recordFree(before, block, caller);
}

template <Operator kWhich>
void* allocate(Word bytes, Word second, Word third) {
    RealCall work(HIGHWATER_HOOK_FRAME(), kInOperator);
    void* const block = reinterpret_cast<void* (*)(Word, Word, Word)>(realOperators[kWhich])(bytes, second, third);
    recordAllocation(work.before(), block, bytes, HIGHWATER_CALLER());
    return block;
}

template <Operator kWhich>
void release(void* block, Word second, Word third) {
    RealCall work(HIGHWATER_HOOK_FRAME(), kInOperator);
    recordDelete(work.before(), block, HIGHWATER_CALLER());
    reinterpret_cast<void (*)(void*, Word, Word)>(realOperators[kWhich])(block, second, third);
}

} // namespace

namespace highwater::agent {

#define HIGHWATER_OPERATOR_ROW(ours, which, name)                                                                      \
    Hook { name, reinterpret_cast<void*>(&ours<which>), &realOperators[which] }

const Hook operatorHooks[] = {
    HIGHWATER_OPERATOR_ROW(allocate, kNew, "_Znwm"),
    HIGHWATER_OPERATOR_ROW(allocate, kNewArray, "_Znam"),
    HIGHWATER_OPERATOR_ROW(allocate, kNewNothrow, "_ZnwmRKSt9nothrow_t"),
    HIGHWATER_OPERATOR_ROW(allocate, kNewArrayNothrow, "_ZnamRKSt9nothrow_t"),
    HIGHWATER_OPERATOR_ROW(allocate, kNewAligned, "_ZnwmSt11align_val_t"),
    HIGHWATER_OPERATOR_ROW(allocate, kNewArrayAligned, "_ZnamSt11align_val_t"),
    HIGHWATER_OPERATOR_ROW(allocate, kNewAlignedNothrow, "_ZnwmSt11align_val_tRKSt9nothrow_t"),
    HIGHWATER_OPERATOR_ROW(allocate, kNewArrayAlignedNothrow, "_ZnamSt11align_val_tRKSt9nothrow_t"),
    HIGHWATER_OPERATOR_ROW(release, kDelete, "_ZdlPv"),
    HIGHWATER_OPERATOR_ROW(release, kDeleteArray, "_ZdaPv"),
    HIGHWATER_OPERATOR_ROW(release, kDeleteSized, "_ZdlPvm"),
    HIGHWATER_OPERATOR_ROW(release, kDeleteArraySized, "_ZdaPvm"),
    HIGHWATER_OPERATOR_ROW(release, kDeleteNothrow, "_ZdlPvRKSt9nothrow_t"),
    HIGHWATER_OPERATOR_ROW(release, kDeleteArrayNothrow, "_ZdaPvRKSt9nothrow_t"),
    HIGHWATER_OPERATOR_ROW(release, kDeleteAligned, "_ZdlPvSt11align_val_t"),
    HIGHWATER_OPERATOR_ROW(release, kDeleteArrayAligned, "_ZdaPvSt11align_val_t"),
    HIGHWATER_OPERATOR_ROW(release, kDeleteSizedAligned, "_ZdlPvmSt11align_val_t"),
    HIGHWATER_OPERATOR_ROW(release, kDeleteArraySizedAligned, "_ZdaPvmSt11align_val_t"),
    HIGHWATER_OPERATOR_ROW(release, kDeleteAlignedNothrow, "_ZdlPvSt11align_val_tRKSt9nothrow_t"),
    HIGHWATER_OPERATOR_ROW(release, kDeleteArrayAlignedNothrow, "_ZdaPvSt11align_val_tRKSt9nothrow_t"),
    {},
};

} // namespace highwater::agent
