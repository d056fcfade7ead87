// Thread-local data of a library. HIGHWATER_PLANT: the name of its function; HIGHWATER_LOCAL: that of its variable.

namespace {

constexpr int kEach = 20;

thread_local void* HIGHWATER_LOCAL[kEach];

} // namespace

/// The calling thread keeps the block, as one of 20. The compiler must write the variable, although nobody reads it.
extern "C" void HIGHWATER_PLANT(int index, void* block) {
    HIGHWATER_LOCAL[index] = block;
    asm volatile("" ::"r"(&HIGHWATER_LOCAL) : "memory");
}
