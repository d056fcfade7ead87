#include <sys/mman.h>
#include <io.h>
