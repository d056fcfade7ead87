#include "app/settings/display.h"

#include <algorithm>
#include <string_view>

namespace highwater::app {

QStringList typedWords(int argc, char** argv) {
    QStringList words;
    for (int i = 1; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    return words;
}

int wordsForQt(int argc, char** argv) {
    const auto endsOwn = [](std::string_view word) { return word == "--record" || word == "--"; };
    return static_cast<int>(std::find_if(argv, argv + argc, endsOwn) - argv);
}

void drawWithoutDisplay() { qputenv("QT_QPA_PLATFORM", "offscreen"); }

} // namespace highwater::app
