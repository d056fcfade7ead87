#include "app/recording/program_end.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace highwater::app {
namespace {

struct Signal {
    int number;
    const char* name;
    bool isCrash; ///< usually sent for an error of the program itself
};
/// Numbers of Linux on x86, the only system whose programs end by signals in a recording.
constexpr std::array<Signal, 15> kSignals{{{1, "SIGHUP", false},
                                           {2, "SIGINT", false},
                                           {3, "SIGQUIT", false},
                                           {4, "SIGILL", true},
                                           {5, "SIGTRAP", true},
                                           {6, "SIGABRT", true},
                                           {7, "SIGBUS", true},
                                           {8, "SIGFPE", true},
                                           {9, "SIGKILL", false},
                                           {11, "SIGSEGV", true},
                                           {13, "SIGPIPE", false},
                                           {14, "SIGALRM", false},
                                           {15, "SIGTERM", false},
                                           {24, "SIGXCPU", false},
                                           {25, "SIGXFSZ", false}}};

QString endWords(const char* text) { return QCoreApplication::translate("ProgramEnd", text); }

} // namespace

QString endText(const source::ProgramEnd& end) {
    if (end.signal == 0) return endWords("ended (exit code %1)").arg(end.exitCode);
    const auto signal = std::ranges::find(kSignals, end.signal, &Signal::number);
    if (signal == kSignals.end()) return endWords("ended by signal %1").arg(end.signal);
    const auto text = signal->isCrash ? endWords("crashed (signal %1, %2)") : endWords("ended by signal %1 (%2)");
    return text.arg(end.signal).arg(QLatin1String(signal->name));
}

} // namespace highwater::app
